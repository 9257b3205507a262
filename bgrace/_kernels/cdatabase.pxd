# Mirror of the headers of csrc/probe and of what csrc/bgrace.h says of databases.

from libc.stdint cimport int8_t, int32_t, int64_t, intptr_t, uint64_t

from bgrace._kernels.cbgrace cimport bgr_status

cdef extern from "probe/tables.h" nogil:
    enum:
        BGR_HOME_POINTS
        BGR_MAX_WIDTH

    ctypedef enum bgr_access:
        BGR_READ

    ctypedef struct bgr_db

    ctypedef enum bgr_method:
        BGR_TWO_SIDED
        BGR_ONE_SIDED

    ctypedef struct bgr_equities:
        double cubeless
        double centered
        double mine
        double theirs
        double centered_roll
        double mine_roll
        double jacoby
        double jacoby_roll

    ctypedef struct bgr_file:
        const unsigned char *bytes
        uint64_t size
        int64_t changed[2]
        intptr_t handle

    ctypedef struct bgr_space:
        int points
        int checkers
        int64_t size

    ctypedef struct bgr_halves:
        pass

    ctypedef struct bgr_tables:
        bgr_file file
        bgr_space space
        bgr_halves halves
        int64_t n_pairs

    ctypedef struct bgr_pair:
        pass

    ctypedef struct bgr_columns:
        bint doubling
        bint jacoby
        double *cubeless
        double *centered
        double *mine
        double *theirs

    ctypedef struct bgr_row:
        int width
        double *chance

    bint bgr_halves_index(const bgr_halves *halves, int checkers, const int8_t *counts, int64_t n,
                          int64_t *indices) noexcept
    bgr_status bgr_file_share(intptr_t handle, bgr_file *file) noexcept
    bgr_status bgr_file_read(const bgr_file *file, uint64_t offset, size_t n, void *out) noexcept
    bgr_status bgr_file_unchanged(const bgr_file *file) noexcept
    void bgr_file_close(bgr_file *file) noexcept
    bgr_status bgr_tables_open(bgr_tables *tables, const bgr_file *file) noexcept
    void bgr_tables_close(bgr_tables *tables) noexcept
    bgr_status bgr_tables_epc(const bgr_tables *tables, int64_t index, double *epc) noexcept
    bgr_status bgr_tables_rolls(const bgr_tables *tables, int64_t index, double *mean_rolls,
                                double *variance_rolls) noexcept
    bgr_status bgr_tables_distribution(const bgr_tables *tables, int64_t index, bgr_row *row) noexcept
    bgr_status bgr_tables_first_checker(const bgr_tables *tables, int64_t index, bgr_row *row) noexcept
    bgr_pair bgr_tables_pair(const bgr_tables *tables, int64_t on_roll, int64_t opponent) noexcept
    bgr_status bgr_tables_equities(const bgr_tables *tables, const bgr_pair *pair, bgr_equities *equities) noexcept
    bgr_status bgr_tables_equities_batch(const bgr_tables *tables, const int64_t *on_roll, const int64_t *opponent,
                                         int64_t n, const bgr_columns *columns, int64_t *n_done) noexcept
    bgr_status bgr_tables_win_probability(const bgr_tables *tables, int64_t on_roll, int64_t opponent,
                                          double *win_probability, bgr_method *method) noexcept
    bgr_status bgr_tables_win_probability_batch(const bgr_tables *tables, const int64_t *on_roll,
                                                const int64_t *opponent, int64_t n, double *win_probability,
                                                int64_t *n_done) noexcept

cdef extern from "probe/open.h" nogil:
    bgr_status bgr_open_file(const bgr_file *file, bgr_access access, bgr_db **db) noexcept
cdef extern from "probe/packed.h" nogil:
    bgr_status bgr_packed_values(const bgr_tables *tables, uint64_t place, int n_planes, uint64_t *values) noexcept
