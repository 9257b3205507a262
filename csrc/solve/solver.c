/* Texts of the statuses of solvers. */

#include "solve/solver.h"

const char *bgr_solver_strerror(bgr_status status)
{
    if (status == BGR_ERR_CLOSED)
        return "some play leaves this set of positions";
    if (status == BGR_ERR_WRITE)
        return "the system refused to write";
    return bgr_strerror(status);
}
