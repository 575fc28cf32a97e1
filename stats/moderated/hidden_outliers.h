/* Ops whose variance is that of a noisy minority, and looks usual by chance. Internal to stats/: a
 * part of the moderated test.
 *
 * The robust prior tells the outliers apart whose variance is large; one of their kind whose runs
 * happened to agree follows the prior, and claims a change that is not there. Each op gets the
 * probability that it is such a one, by Bayes' rule: a part of the ops has `ratio` times the
 * variance that the prior expects, with samples of ratio chi^2(nu)/nu; the samples of the others
 * follow F(nu, d0). Part and ratio are those of the outliers that were found: their number, and
 * their median over that of chi^2/nu. */
#pragma once

#include <stddef.h>
#include "stats/moderated/moderated.h"

/* With fewer outliers their kind is not known. */
#define HIDDEN_OUTLIERS_LEAST 3

/* Fills hidden_outlier and hidden_outlier_se of the tested ops of a family whose prior was robust,
 * with d0 df_prior. */
void hidden_outliers_find(struct moderated_op *op, size_t n, double df_prior);
