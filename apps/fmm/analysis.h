// Analysis of a recorded evaluation: where time went, and how it would scale to more cores.
//
// BSD-3-Clause, the Banyan authors.
#ifndef APPS_FMM_ANALYSIS_H
#define APPS_FMM_ANALYSIS_H

#include "graph.h"

namespace fmm {

// As in fmm.h; `began` and `wall` are the evaluation's, `caller` its processor seconds with one thread. Throws if
// nothing was recorded.
fmm_times find_times(const Stages &stages, const Graph &graph, double began, double wall, int bins, double *running);
double simulate(const Stages &stages, const Graph &graph, fmm_model model, double caller, int cores, int bins,
                double *running);

} // namespace fmm
#endif
