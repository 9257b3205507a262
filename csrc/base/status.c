/* Texts of statuses. */

#include "bgrace.h"

const char *bgr_strerror(bgr_status status)
{
    switch (status) {
    case BGR_OK:
        return "no error";
    case BGR_ERR_POINTS:
        return "the number of points must be 1 to 24";
    case BGR_ERR_CHECKERS:
        return "the number of checkers must be 1 to 15, in a table at most those of its space";
    case BGR_ERR_POSITION:
        return "a count is negative, there are too many checkers, or neither player has any";
    case BGR_ERR_INDEX:
        return "no position has this index";
    case BGR_ERR_ROLL:
        return "a die must be 1 to 6";
    case BGR_ERR_SIZE:
        return "a size that this function cannot work with";
    case BGR_ERR_MEMORY:
        return "out of memory";
    case BGR_ERR_OPEN:
        return "cannot open the file";
    case BGR_ERR_READ:
        return "the system failed to read the file";
    case BGR_ERR_FORMAT:
        return "not a bgrace database";
    case BGR_ERR_VERSION:
        return "a database of a version, or with a table, that this library does not know";
    case BGR_ERR_COMPRESSED:
        return "an HDF5 file without a directory: compressed, unfinished, or not made by "
               "bgrace; build a database without compression";
    case BGR_ERR_DAMAGED:
        return "the database is damaged: it contradicts itself, or fails a checksum; build it again";
    case BGR_ERR_CHANGED:
        return "the file was changed after it was opened; open it again";
    case BGR_ERR_COVERAGE:
        return "no table reaches these positions";
    case BGR_ERR_SCORE:
        return "the database is for one score of a match, which this version does not read; solve the race at the "
               "score instead";
    case BGR_ERR_CONTACT:
        return "the two sides have not passed each other: this is not a race";
    case BGR_ERR_STAKES:
        return "no such score, cube or rules, or a match equity table that does not reach so far";
    case BGR_ERR_ARGUMENT:
        return "an argument is not one of the listed values";
    case BGR_ERR_STOPPED:
        return "stopped on request";
    case BGR_ERR_NOT_COMPARED:
        return "the answer did not compare this play: solve with its dice, or with all rolls";
    case BGR_N_STATUS:
        break;
    }
    return "unknown status";
}

const char *bgr_version(void) { return BGR_VERSION; }
