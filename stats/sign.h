/*
 * Do more values lie on one side than chance puts there. It knows no sizes, only how many are above
 * and how many below; the sign test's interval of a median is in stats/tests.h.
 */
#ifndef STEPSTAT_STATS_SIGN_H
#define STEPSTAT_STATS_SIGN_H

#include <stddef.h>

/* Two-sided exact p; what is neither above nor below is left out before. NaN when both are 0. */
double sign_test(size_t above, size_t below);

#endif
