# Mirror of the headers of csrc/ but those of databases, a block for each.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "bgrace.h" nogil:
    enum:
        BGR_MAX_POINTS
        BGR_MAX_CHECKERS
    ctypedef enum bgr_status:
        BGR_OK
        BGR_ERR_POINTS
        BGR_ERR_CHECKERS
        BGR_ERR_POSITION
        BGR_ERR_INDEX
        BGR_ERR_ROLL
        BGR_ERR_SIZE
        BGR_ERR_MEMORY
        BGR_ERR_OPEN
        BGR_ERR_READ
        BGR_ERR_FORMAT
        BGR_ERR_VERSION
        BGR_ERR_COMPRESSED
        BGR_ERR_DAMAGED
        BGR_ERR_CHANGED
        BGR_ERR_COVERAGE
        BGR_ERR_SCORE
        BGR_ERR_CONTACT
        BGR_ERR_STAKES
        BGR_ERR_ARGUMENT
        BGR_ERR_STOPPED
        BGR_N_STATUS
    const char *bgr_strerror(bgr_status status) noexcept
    ctypedef struct bgr_space:
        int points
        int checkers
        int64_t size

    bgr_status bgr_space_init(int points, int checkers, bgr_space *space) noexcept
    bgr_status bgr_index(const bgr_space *space, const int8_t *counts, int64_t *index) noexcept
    bgr_status bgr_position(const bgr_space *space, int64_t index, int8_t *counts) noexcept
    bgr_status bgr_index_batch_i8(const bgr_space *space, const int8_t *counts, int64_t n, int64_t *indices,
                                  int64_t *n_done) noexcept
    bgr_status bgr_index_batch_i64(const bgr_space *space, const int64_t *counts, int64_t n, int64_t *indices,
                                   int64_t *n_done) noexcept
    bgr_status bgr_position_batch(const bgr_space *space, const int64_t *indices, int64_t n, int8_t *counts,
                                  int64_t *n_done) noexcept

cdef extern from "base/dice.h" nogil:
    enum:
        BGR_N_ROLLS
    bgr_status bgr_roll(int roll, int *larger, int *smaller, int *weight) noexcept

cdef extern from "base/plays.h" nogil:
    enum:
        BGR_MAX_HOME_PLAYS
        BGR_MAX_PLAYS
    bgr_status bgr_plays(const bgr_space *space, int64_t index, int die1, int die2, int64_t *results,
                         int *n_results) noexcept

cdef extern from "base/planes.h" nogil:
    enum:
        BGR_N_PLANES
        BGR_N_SINGLE

cdef extern from "base/path.h" nogil:
    ctypedef enum bgr_path:
        BGR_PATH_BEST
        BGR_PATH_SCALAR
        BGR_PATH_SSE2
        BGR_PATH_AVX2
        BGR_PATH_AVX512
        BGR_PATH_NEON
        BGR_N_PATHS
    int bgr_path_available(bgr_path path) noexcept

cdef extern from "solve/solver.h" nogil:
    bgr_status BGR_ERR_CLOSED
    bgr_status BGR_ERR_WRITE
    int BGR_N_SOLVER_STATUS
    const char *bgr_solver_strerror(bgr_status status) noexcept
    ctypedef int (*bgr_progress)(void *context, int level, int64_t done, int64_t total) noexcept

cdef extern from "solve/one_sided.h" nogil:
    enum:
        BGR_N_CHAINS
    bgr_status bgr_one_sided_means(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                   uint8_t *longest) noexcept
    bgr_status bgr_one_sided_distributions(const bgr_space *space, int stop, int n_threads, const int32_t *best,
                                           const uint8_t *longest, int width, double *distribution,
                                           double *variance_rolls) noexcept
    bgr_status bgr_one_sided_chains(const bgr_space *space, int stop, int n_threads, double *mean_rolls, int32_t *best,
                                    uint8_t *longest, int32_t *chains) noexcept

cdef extern from "solve/home.h" nogil:
    enum:
        BGR_CHANCE_SCALE
    ctypedef struct bgr_home:
        pass
    bgr_status bgr_home_new(int checkers, int stop, int n_threads, bgr_home **home) noexcept
    void bgr_home_free(bgr_home *home) noexcept

cdef extern from "solve/layer_slots.h" nogil:
    ctypedef struct bgr_layer:
        pass
    bgr_status bgr_layer_size(const bgr_home *home, int points, const int8_t *most, int64_t *size) noexcept

cdef extern from "solve/layer.h" nogil:
    int bgr_layer_slot_bytes() noexcept
    bgr_status bgr_layer_bytes(int points, int checkers, int64_t *n_bytes) noexcept
    bgr_status bgr_layer_new(const bgr_home *home, int points, const int8_t *most, int distributions, int n_threads,
                             bgr_path path, bgr_progress progress, void *context, bgr_layer **layer) noexcept
    void bgr_layer_free(bgr_layer *layer) noexcept
    int bgr_layer_width(const bgr_layer *layer) noexcept
    bgr_status bgr_layer_tables(const bgr_layer *layer, int64_t first, int64_t n, int width, int n_threads,
                                double *mean_rolls, double *variance_rolls, uint8_t *first_roll,
                                uint16_t *chances) noexcept

cdef extern from "solve/layer_position.h" nogil:
    enum:
        BGR_MAX_RACE_ROLLS
    bgr_status bgr_layer_mean(const bgr_layer *layer, const int8_t *counts, double *mean_rolls) noexcept
    bgr_status bgr_layer_distribution(const bgr_layer *layer, double *distribution) noexcept

cdef extern from "solve/graph.h" nogil:
    ctypedef struct bgr_graph:
        pass
    bgr_status bgr_graph_new(const bgr_space *space, const int64_t *indices, int64_t n, int n_threads,
                             bgr_graph **graph) noexcept
    void bgr_graph_free(bgr_graph *graph) noexcept
    int64_t bgr_graph_size(const bgr_graph *graph) noexcept
    void bgr_graph_indices(const bgr_graph *graph, int64_t *indices) noexcept
    bgr_status bgr_mark_reachable(const bgr_space *space, int64_t index, uint8_t *marks) noexcept
    bgr_status bgr_count_reachable(int points, const int8_t *counts, double *n) noexcept

cdef extern from "solve/gammon_pairs.h" nogil:
    ctypedef struct bgr_gammon_pairs:
        const int32_t *column
        const int64_t *winning_start
        const int64_t *losing_start
        int16_t *winning
        int16_t *losing

cdef extern from "solve/pairs.h" nogil:
    ctypedef struct bgr_rectangle:
        int64_t first_rank
        int64_t n_ranks
        int64_t first_against
        int64_t n_against

cdef extern from "solve/pair_file.h" nogil:
    ctypedef struct bgr_pair_file:
        int descriptor
        int direct
        int64_t offset
        uint32_t *row_crc32
        unsigned char *mapped
        int64_t pairs_at_once
        int error
    uint32_t bgr_pair_table_crc32(const uint32_t *row_crc32, int64_t n_ranks) noexcept

cdef extern from "solve/two_sided.h" nogil:
    ctypedef enum bgr_arithmetic:
        BGR_NEAREST
        BGR_GNUBG
    ctypedef struct bgr_two_sided_options:
        int scale
        int gammon_checkers
        unsigned single_planes
        const bgr_gammon_pairs *gammon_pairs
        bgr_pair_file *file
        int64_t memory_bytes
        bgr_path path
        bgr_arithmetic arithmetic
        int n_threads
        bgr_progress progress
        void *context
    bgr_status bgr_two_sided(const bgr_graph *a, const bgr_graph *b, const bgr_two_sided_options *options,
                             int16_t *table_a, int16_t *table_b) noexcept

cdef extern from "solve/gnubg_one_sided.h" nogil:
    enum:
        BGR_GNUBG_WIDTH
    bgr_status bgr_gnubg_one_sided(const bgr_space *space, int n_threads, bgr_progress progress, void *context,
                                   uint16_t *last, uint16_t *first) noexcept

cdef extern from "solve/race.h" nogil:
    enum:
        BGR_MAX_PIPS
    bgr_status bgr_race_win_probabilities(int limit, double *win_probability) noexcept
    bgr_status bgr_race_equities(int limit, double *centered, double *mine, double *theirs,
                                 double *no_double_centered, double *no_double_mine) noexcept

cdef extern from "solve/choices.h" nogil:
    bgr_status bgr_graph_compare(bgr_graph *graph, int gammon_checkers, int n_threads) noexcept

cdef extern from "solve/exact.h" nogil:
    ctypedef struct bgr_cube_state:
        double win
        double gammon
        int seen
        int turned
        double factor
        double offset
        double pass_ "pass"
    enum:
        BGR_MAX_STATES
    ctypedef struct bgr_exact_memory:
        pass
    ctypedef struct bgr_exact_options:
        const bgr_cube_state *states_a
        const bgr_cube_state *states_b
        int n_states
        int gammon_checkers
        double total
        bgr_path path
        int n_threads
        bgr_exact_memory *memory
        bgr_progress progress
        void *context
    ctypedef struct bgr_exact:
        pass
    bgr_status bgr_exact_new(const bgr_graph *a, const bgr_graph *b, const bgr_exact_options *options, double *table_a,
                             double *table_b, bgr_exact **exact) noexcept
    void bgr_exact_free(bgr_exact *exact) noexcept

cdef extern from "rollout/throws.h" nogil:
    void bgr_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) noexcept
    enum:
        BGR_BLOCK_THROWS
    void bgr_throws(uint64_t seed, uint64_t game, uint32_t side, uint32_t block, uint8_t *throws) noexcept

cdef extern from "rollout/rollout.h" nogil:
    ctypedef struct bgr_policy:
        const bgr_space *space
        const int32_t *best
        const int32_t *chains
        const uint16_t *narrow
    bgr_status bgr_policy_plays(const bgr_policy *policy, const bgr_space *wide, const int8_t *counts,
                                const uint32_t *blocked, int64_t n, int n_threads, int64_t *results) noexcept
    enum:
        BGR_MAX_GAME_ROLLS
        BGR_N_SUMMED
        BGR_N_SUMS
    ctypedef struct bgr_roller:
        bgr_policy policy
        int8_t counts[BGR_MAX_POINTS]
        int model_pips
    ctypedef struct bgr_rollout_sums:
        int64_t rolls[2][BGR_MAX_GAME_ROLLS + 1]
        int64_t sums[BGR_N_SUMMED][2][BGR_N_SUMS]
    bgr_status bgr_rollout(const bgr_roller *sides, int n_sides, int blocking, uint64_t seed, int64_t first, int64_t n,
                           int n_threads, bgr_rollout_sums *sums) noexcept

cdef extern from "probe/block.h" nogil:
    enum:
        BGR_BLOCK_SIDE
        BGR_MAX_BLOCK_BYTES
        BGR_MAX_FACTORS
        BGR_MAX_SHIFT

cdef extern from "pack/blocks.h" nogil:
    ctypedef struct bgr_factors:
        const int16_t *on_roll
        const int16_t *opponent
        int64_t n
        int n_factors
        int first[4]
        int count[4]
        int shift[4]

    bgr_status bgr_pack_stripe(const bgr_factors *factors, const int16_t *values, int64_t row, int n_rows,
                               int n_threads, bgr_path path, int32_t *size, uint32_t *crc,
                               unsigned char *codes) noexcept
    bgr_status bgr_miss_stripe(const bgr_factors *factors, int plane, const int16_t *values, int64_t row, int n_rows,
                               int most, int n_threads, bgr_path path, uint16_t *missed) noexcept
    bgr_status bgr_unpack_stripe(const bgr_factors *factors, const unsigned char *codes, int64_t n_bytes,
                                 const int64_t *start, const uint32_t *crc, int64_t row, int n_rows, int n_threads,
                                 bgr_path path, int16_t *values, int64_t *damaged, int64_t *first) noexcept

cdef extern from "pack/linear.h" nogil:
    bgr_status bgr_leading_vectors(const double *matrix, int64_t n, int64_t count, int n_threads, double *values,
                                   double *vectors) noexcept
    bgr_status bgr_solve_rows(double *gram, int64_t r, double *rows, int64_t n, int n_threads) noexcept
