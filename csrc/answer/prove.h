/* Questions of bgrace's own modules to a proof, beside those of bgrace.h. */
#ifndef BGR_PROVE_H
#define BGR_PROVE_H

#include "base/stakes.h"
#include "bgrace_prove.h"

/* Forget what clocks say beside pairs: what is left follows from the shortlists. */
void bgr_proof_keep_pairs(bgr_proof *proof);

/* Bounds by plane, those of bgr_planes_of_stakes and then, where gammons count, those of bgr_gammon_plane: how many,
 * and where they stand, in the proof. */
int bgr_proof_rows(const bgr_proof *proof, const double **low, const double **high);

#endif
