"""Pack and unpack tables of pairs, and find their factors by linear algebra."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t

from bgrace._kernels.lazy_numpy import np

from bgrace._kernels cimport cbgrace as c
from bgrace._kernels.positions cimport check
from bgrace._kernels.progress cimport Work

from bgrace._kernels.two_sided import PATHS

BLOCK_SIDE = c.BGR_BLOCK_SIDE
MAX_BLOCK_BYTES = c.BGR_MAX_BLOCK_BYTES


cdef class Factors:
    """Factors of all positions in both roles, by rank: int16, (n, factors).

    planes, int32, (4, 3): for each plane its first factor, its number of factors, and the shift of products in bits.
    """

    cdef c.bgr_factors c
    cdef const int16_t[:, ::1] on_roll
    cdef const int16_t[:, ::1] opponent
    cdef readonly int64_t n_blocks

    def __init__(
        self, const int16_t[:, ::1] on_roll, const int16_t[:, ::1] opponent, const int32_t[:, ::1] planes
    ) -> None:
        cdef int plane
        if not on_roll.shape[0] or not on_roll.shape[1]:
            raise ValueError(f"factors of shape ({on_roll.shape[0]}, {on_roll.shape[1]})")
        if on_roll.shape[0] != opponent.shape[0] or on_roll.shape[1] != opponent.shape[1]:
            raise ValueError(f"{opponent.shape[0]} x {opponent.shape[1]} factors of opponents do not go with them")
        if planes.shape[0] != 4 or planes.shape[1] != 3:
            raise ValueError(f"planes of shape ({planes.shape[0]}, {planes.shape[1]})")
        self.on_roll, self.opponent = on_roll, opponent  # keeps them where they are
        self.c.on_roll, self.c.opponent = &on_roll[0, 0], &opponent[0, 0]
        self.c.n, self.c.n_factors = on_roll.shape[0], <int>on_roll.shape[1]
        self.n_blocks = (self.c.n + c.BGR_BLOCK_SIDE - 1) // c.BGR_BLOCK_SIDE
        for plane in range(4):
            self.c.first[plane], self.c.count[plane], self.c.shift[plane] = planes[plane]

    cdef int _check_stripe(self, int64_t columns, int64_t planes) except -1:
        if columns != self.c.n or planes != 4:
            raise ValueError(f"rows of shape ({columns}, {planes}) of a table of {self.c.n} columns of 4 values")
        return 0

    def pack(
        self,
        const int16_t[:, :, ::1] values,  # IN, rows x n x 4
        int64_t row,  # the first of them
        int n_threads,
        int32_t[::1] size,  # OUT, bytes, n_blocks
        uint32_t[::1] crc,  # OUT, as long
        unsigned char[::1] codes,  # OUT, one block after another; room for MAX_BLOCK_BYTES each
        str path="best",
    ) -> int:
        """Code the blocks of up to 32 rows; returns their size in bytes."""
        self._check_stripe(values.shape[1], values.shape[2])
        if size.shape[0] != self.n_blocks or crc.shape[0] != self.n_blocks or not values.shape[0]:
            raise ValueError(f"a stripe has {self.n_blocks} blocks")
        if codes.shape[0] < self.n_blocks * c.BGR_MAX_BLOCK_BYTES:
            raise ValueError(f"{codes.shape[0]} bytes have no room for {self.n_blocks} blocks")
        cdef c.bgr_stripe stripe = stripe_of(self, row, values.shape[0], n_threads, path)
        with nogil:
            status = c.bgr_pack_stripe(&stripe, &values[0, 0, 0], &size[0], &crc[0], &codes[0])
        check(status, f"{values.shape[0]} rows from {row} of {self.c.n}, path={path!r}")
        return int(np.asarray(size).sum(dtype=np.int64))

    def miss(
        self,
        int plane,
        const int16_t[:, ::1] values,  # IN, up to 32 rows x n, of that plane
        int64_t row,  # the first of them
        int most,
        int n_threads,
        uint16_t[:, ::1] missed,  # OUT, as large
        str path="best",
    ) -> None:
        """Write how far the products of factors, cut off at -most and most, are from the values."""
        if not values.shape[0] or values.shape[1] != self.c.n:
            raise ValueError(f"rows of {values.shape[1]} of a table of {self.c.n} columns")
        if missed.shape[0] != values.shape[0] or missed.shape[1] != values.shape[1]:
            raise ValueError(f"{missed.shape[0]} x {missed.shape[1]} places for {values.shape[0]} such rows")
        cdef c.bgr_stripe stripe = stripe_of(self, row, values.shape[0], n_threads, path)
        with nogil:
            status = c.bgr_miss_stripe(&stripe, plane, most, &values[0, 0], &missed[0, 0])
        check(status, f"{values.shape[0]} rows from {row} of {self.c.n}, path={path!r}")

    def unpack(
        self,
        const unsigned char[::1] codes,  # IN
        const int64_t[::1] start,  # IN, n_blocks + 1
        const uint32_t[::1] crc,  # IN, n_blocks
        int64_t row,
        int n_threads,
        int16_t[:, :, ::1] values,  # OUT, rows x n x 4
        str path="best",
    ) -> tuple[int, int]:
        """Decode up to 32 rows; returns the number of damaged blocks, and that of the first in its stripe, or -1."""
        cdef int64_t damaged = 0, first = -1
        self._check_stripe(values.shape[1], values.shape[2])
        if start.shape[0] != self.n_blocks + 1 or crc.shape[0] != self.n_blocks or not values.shape[0]:
            raise ValueError(f"a stripe has {self.n_blocks} blocks")
        cdef c.bgr_stripe stripe = stripe_of(self, row, values.shape[0], n_threads, path)
        cdef c.bgr_coded coded
        coded.n_bytes = codes.shape[0]
        coded.codes = &codes[0] if coded.n_bytes else NULL
        coded.start, coded.crc = &start[0], &crc[0]
        with nogil:
            status = c.bgr_unpack_stripe(&stripe, &coded, &values[0, 0, 0], &damaged, &first)
        check(status, f"{values.shape[0]} rows from {row} of {self.c.n}, path={path!r}")
        return damaged, first


cdef c.bgr_stripe stripe_of(Factors factors, int64_t row, int64_t n_rows, int n_threads, str path):
    cdef c.bgr_stripe stripe
    stripe.factors, stripe.row, stripe.n_rows = &factors.c, row, <int>n_rows
    stripe.n_threads, stripe.path = n_threads, PATHS[path]
    return stripe


def leading_vectors(const double[:, ::1] matrix, int64_t count, int n_threads) -> tuple[Floats, Floats]:  # IN
    """Approximate leading eigenvectors v of a positive semidefinite matrix M, as rows, and v' M v of each."""
    cdef int64_t n = matrix.shape[0]
    if not 1 <= count <= n or matrix.shape[1] != n:
        raise ValueError(f"{count} of the eigenvectors of a matrix of shape ({n}, {matrix.shape[1]})")
    cdef double[::1] values = np.empty(count)  # OUT
    cdef double[:, ::1] vectors = np.empty((count, n))  # OUT
    cdef Work work = Work(None, n_threads)
    with nogil:
        status = c.bgr_leading_vectors(&matrix[0, 0], n, count, &work.c, &values[0], &vectors[0, 0])
    work.check_status(status, f"{n} x {n} numbers")
    return values.base, vectors.base


def solve_rows(double[:, ::1] gram, double[:, ::1] rows, int n_threads) -> None:  # IN, overwritten; IN and OUT
    """Solve gram x = b for every row b, in place."""
    cdef int64_t r = gram.shape[0], n = rows.shape[0]
    if not r or not n or gram.shape[1] != r or rows.shape[1] != r:
        raise ValueError(f"a matrix of shape ({r}, {gram.shape[1]}) and {n} rows of {rows.shape[1]}")
    with nogil:
        status = c.bgr_solve_rows(&gram[0, 0], r, &rows[0, 0], n, n_threads)
    check(status, f"{r} x {r} numbers")
