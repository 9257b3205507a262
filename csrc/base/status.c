/* Texts of statuses. */

#include "bgrace.h"

const char *bgr_strerror(bgr_status status)
{
    static const char *const texts[BGR_N_STATUS] = {
        [BGR_OK] = "no error",
        [BGR_ERR_POINTS] = "the number of points must be 1 to 24",
        [BGR_ERR_CHECKERS] = "the number of checkers must be 1 to 15, in a table at most those of its space",
        [BGR_ERR_POSITION] = "a count is negative, there are too many checkers, or neither player has any",
        [BGR_ERR_INDEX] = "no position has this index",
        [BGR_ERR_ROLL] = "a die must be 1 to 6",
        [BGR_ERR_SIZE] = "a size that this function cannot work with",
        [BGR_ERR_MEMORY] = "out of memory",
        [BGR_ERR_OPEN] = "cannot open the file",
        [BGR_ERR_READ] = "the system failed to read the file",
        [BGR_ERR_FORMAT] = "not a bgrace database",
        [BGR_ERR_VERSION] = "a database of a version, or with a table, that this library does not know",
        [BGR_ERR_COMPRESSED] = "an HDF5 file without a directory: compressed, unfinished, or not made by "
                               "bgrace; build a database without compression",
        [BGR_ERR_DAMAGED] = "the database is damaged: it contradicts itself, or fails a checksum; build it again",
        [BGR_ERR_CHANGED] = "the file was changed after it was opened; open it again",
        [BGR_ERR_COVERAGE] = "no table reaches these positions",
        [BGR_ERR_SCORE] =
            "the database is for one score of a match, which this version does not read; solve the race at the "
            "score instead",
        [BGR_ERR_CONTACT] = "the two sides have not passed each other: this is not a race",
        [BGR_ERR_STAKES] = "no such score, cube or rules, or a match equity table that does not reach so far",
        [BGR_ERR_ARGUMENT] = "an argument is not one of the listed values",
        [BGR_ERR_STOPPED] = "stopped on request",
        [BGR_ERR_NOT_COMPARED] = "the answer did not compare this play: solve with its dice, or with all rolls",
    };
    return (unsigned)status < BGR_N_STATUS ? texts[status] : "unknown status";
}

const char *bgr_version(void) { return BGR_VERSION; }
