/* Prints the megabytes that a solver takes. */
#include "bgrace.h"

#include <malloc.h>
#include <stdio.h>

static double taken(void)
{
    struct mallinfo2 now = mallinfo2();
    return (double)(now.uordblks + now.hblkhd) / 1e6;
}

int main(void)
{
    double before = taken();
    bgr_solver *solver;
    if (bgr_solver_new(&solver) != BGR_OK)
        return 1;
    printf("%.2f\n", taken() - before);
    bgr_solver_free(solver);
    return 0;
}
