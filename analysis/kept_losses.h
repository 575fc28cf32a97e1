/*
 * How much of the launches is lost in the steps that --steps chooses. It changes the losses of the
 * cube; it says nothing of what is in no step.
 */
#ifndef STEPSTAT_ANALYSIS_KEPT_LOSSES_H
#define STEPSTAT_ANALYSIS_KEPT_LOSSES_H

#include "analysis/steps.h"
#include "model/cube.h"

/* Lost launches and graphs become those of the chosen steps, where each source knows them by step;
 * an issue of which nothing is left is information. What kinds and warm-up leave out still counts:
 * a step may be of another kind because its records are lost. Of several ranks, which share steps,
 * nothing is changed. */
void kept_losses_set(struct cube *cube, const struct step_options *chosen);

#endif
