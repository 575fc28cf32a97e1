/* The simulated worlds: a new world is one line. `worlds` prints one line of a table for each. */
#include "tests/sim/world.h"

/* clang-format off */
const struct world worlds[] = {
#define SECTION "Equal spread; a tenth of the ops +5 %"
	{SECTION, "alike 2 v 2", .runs = {2, 2}, .changed = 0.1, .change = 0.05},
	{SECTION, "alike 3 v 3", .runs = {3, 3}, .changed = 0.1, .change = 0.05},
	{SECTION, "alike 5 v 5", .runs = {5, 5}, .changed = 0.1, .change = 0.05},
	{SECTION, "alike 10 v 10", .runs = {10, 10}, .changed = 0.1, .change = 0.05},
	{SECTION, "alike 10 v 3", .runs = {10, 3}, .changed = 0.1, .change = 0.05},
	{SECTION, "alike 3 v 10", .runs = {3, 10}, .changed = 0.1, .change = 0.05},
#undef SECTION
#define SECTION "Unequal spread: run CV 1 % and 4 %"
	{SECTION, "unequal 10 v 3", .runs = {10, 3}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 3 v 10", .runs = {3, 10}, .cv = {0.04, 0.01}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 3 v 3", .runs = {3, 3}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 5 v 5", .runs = {5, 5}, .cv = {0.01, 0.04}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "unequal 10 v 3, noisy base", .runs = {10, 3}, .cv = {0.04, 0.01}, .step_cv = 0.02, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Whole us, 2 to 30 us"
	{SECTION, "rounding, all ops +1 %, 3 v 3", .runs = {3, 3}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 1, .change = 0.01},
	{SECTION, "rounding, all ops +1 %, 10 v 10", .runs = {10, 10}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 1, .change = 0.01},
	{SECTION, "rounding, a tenth +5 %, 3 v 3", .runs = {3, 3}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 0.1, .change = 0.05},
	{SECTION, "rounding, all ops +1 %, 5 v 5", .runs = {5, 5}, .cv = {0.002}, .step_cv = 0.01, .us_least = 2, .us_most = 30, .grid_us = 1, .changed = 1, .change = 0.01},
#undef SECTION
#define SECTION "A tenth of the ops 6 times as noisy; power of the others"
	{SECTION, "noisy none, 3 v 3", .ops = 300, .runs = {3, 3}, .cv = {0.02}, .spread = 0.01, .changed = 0.03, .change = 0.1},
	{SECTION, "noisy tenth, 3 v 3", .ops = 300, .runs = {3, 3}, .cv = {0.02}, .spread = 0.01, .noisy = 0.1, .changed = 0.03, .change = 0.1},
	{SECTION, "noisy tenth, 5 v 5", .ops = 300, .runs = {5, 5}, .cv = {0.02}, .spread = 0.01, .noisy = 0.1, .changed = 0.03, .change = 0.1},
#undef SECTION
#define SECTION "300 ops, 15 of them +10 %, run and step effects nested"
	{SECTION, "nested 2 v 2", .ops = 300, .runs = {2, 2}, .steps = 50, .cv = {0.02}, .prior_df = 6, .step_cv = 0.02, .step_cv_most = 0.1, .changed = 0.05, .change = 0.1},
	{SECTION, "nested 3 v 3", .ops = 300, .runs = {3, 3}, .steps = 50, .cv = {0.02}, .prior_df = 6, .step_cv = 0.02, .step_cv_most = 0.1, .changed = 0.05, .change = 0.1},
	{SECTION, "nested 5 v 5", .ops = 300, .runs = {5, 5}, .steps = 50, .cv = {0.02}, .prior_df = 6, .step_cv = 0.02, .step_cv_most = 0.1, .changed = 0.05, .change = 0.1},
#undef SECTION
#define SECTION "48 of 120 ops move together in a run"
	{SECTION, "group sd 2 %, 3 v 3", .ops = 120, .runs = {3, 3}, .group = 0.4, .group_sd = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "group sd 3 %, 3 v 3", .ops = 120, .runs = {3, 3}, .group = 0.4, .group_sd = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "group sd 2 %, 5 v 5", .ops = 120, .runs = {5, 5}, .group = 0.4, .group_sd = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "group sd 3 %, 5 v 5", .ops = 120, .runs = {5, 5}, .group = 0.4, .group_sd = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "group sd 3 %, 10 v 3", .ops = 120, .runs = {10, 3}, .group = 0.4, .group_sd = 0.03, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "48 of 120 ops move together in a run, and nothing says which"
	{SECTION, "hidden sd 2 %, 3 v 3", .ops = 120, .runs = {3, 3}, .group = 0.4, .group_sd = 0.02, .hidden = true, .changed = 0.1, .change = 0.1},
	{SECTION, "hidden sd 3 %, 3 v 3", .ops = 120, .runs = {3, 3}, .group = 0.4, .group_sd = 0.03, .hidden = true, .changed = 0.1, .change = 0.1},
	{SECTION, "hidden sd 2 %, 5 v 5", .ops = 120, .runs = {5, 5}, .group = 0.4, .group_sd = 0.02, .hidden = true, .changed = 0.1, .change = 0.1},
	{SECTION, "hidden sd 3 %, 5 v 5", .ops = 120, .runs = {5, 5}, .group = 0.4, .group_sd = 0.03, .hidden = true, .changed = 0.1, .change = 0.1},
	{SECTION, "hidden sd 3 %, 10 v 3", .ops = 120, .runs = {10, 3}, .group = 0.4, .group_sd = 0.03, .hidden = true, .changed = 0.1, .change = 0.1},
	{SECTION, "hidden sd 3 %, 10 v 10", .ops = 120, .runs = {10, 10}, .group = 0.4, .group_sd = 0.03, .hidden = true, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Rounds: run j of both sides share a drift of sd 5 %"
	{SECTION, "rounds paired, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .round = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "rounds paired, 5 v 5", .options = "--method=paired", .runs = {5, 5}, .round = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "rounds paired, 10 v 10", .options = "--method=paired", .runs = {10, 10}, .round = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "rounds not paired, 3 v 3", .runs = {3, 3}, .round = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "rounds paired without drift, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "In turns, base first: a trend of the machine, or a random walk"
	{SECTION, "turns trend 2 %, paired, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 2 %, not paired, 3 v 3", .options = "--method=moderated", .runs = {3, 3}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 2 %, paired, 5 v 5", .options = "--method=paired", .runs = {5, 5}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 2 %, not paired, 5 v 5", .options = "--method=moderated", .runs = {5, 5}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 2 %, paired, 10 v 10", .options = "--method=paired", .runs = {10, 10}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 2 %, not paired, 10 v 10", .options = "--method=moderated", .runs = {10, 10}, .trend = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, paired, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, not paired, 3 v 3", .options = "--method=moderated", .runs = {3, 3}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, paired, 5 v 5", .options = "--method=paired", .runs = {5, 5}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, not paired, 5 v 5", .options = "--method=moderated", .runs = {5, 5}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, paired, 10 v 10", .options = "--method=paired", .runs = {10, 10}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns trend 5 %, not paired, 10 v 10", .options = "--method=moderated", .runs = {10, 10}, .trend = 0.05, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, paired, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, not paired, 3 v 3", .options = "--method=moderated", .runs = {3, 3}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, paired, 5 v 5", .options = "--method=paired", .runs = {5, 5}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, not paired, 5 v 5", .options = "--method=moderated", .runs = {5, 5}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, paired, 10 v 10", .options = "--method=paired", .runs = {10, 10}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 1 %, not paired, 10 v 10", .options = "--method=moderated", .runs = {10, 10}, .walk = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, paired, 3 v 3", .options = "--method=paired", .runs = {3, 3}, .walk = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, not paired, 3 v 3", .options = "--method=moderated", .runs = {3, 3}, .walk = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, paired, 5 v 5", .options = "--method=paired", .runs = {5, 5}, .walk = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, not paired, 5 v 5", .options = "--method=moderated", .runs = {5, 5}, .walk = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, paired, 10 v 10", .options = "--method=paired", .runs = {10, 10}, .walk = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "turns walk 3 %, not paired, 10 v 10", .options = "--method=moderated", .runs = {10, 10}, .walk = 0.03, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "A tenth of the ops takes one of two algorithms (+8 %) in each run"
	{SECTION, "two algorithms 3 v 3", .runs = {3, 3}, .cv = {0.01}, .step_cv = 0.02, .two_speeds = 0.1, .changed = 0.1, .change = 0.1},
	{SECTION, "two algorithms 5 v 5", .runs = {5, 5}, .cv = {0.01}, .step_cv = 0.02, .two_speeds = 0.1, .changed = 0.1, .change = 0.1},
	{SECTION, "two algorithms 10 v 10", .runs = {10, 10}, .cv = {0.01}, .step_cv = 0.02, .two_speeds = 0.1, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Ops absent from a run, an unsteady run, rare ops"
	{SECTION, "missing in 1 of 5 base runs, +49 %", .runs = {5, 5}, .missing = true, .changed = 0.02, .change = 0.49},
	{SECTION, "missing, --absent=skip", .options = "--absent=skip", .runs = {5, 5}, .missing = true, .changed = 0.02, .change = 0.49},
	{SECTION, "missing, --run-value=geomean", .options = "--run-value=geomean", .runs = {5, 5}, .missing = true, .changed = 0.02, .change = 0.49},
	{SECTION, "unsteady 1 of 10 base runs, all ops +50 %", .runs = {10, 10}, .unsteady = true, .changed = 1, .change = 0.5},
	{SECTION, "rare fifth, 2 executions a run, 3 v 3", .runs = {3, 3}, .rare = 0.2, .step_cv = 0.1, .changed = 0.1, .change = 0.1},
	{SECTION, "rare fifth, 2 executions a run, 5 v 5", .runs = {5, 5}, .rare = 0.2, .step_cv = 0.1, .changed = 0.1, .change = 0.1},
	{SECTION, "rare half, 2 executions a run, 2 v 2", .runs = {2, 2}, .rare = 0.5, .step_cv = 0.1, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "All ops of a run share an effect"
	{SECTION, "shared sd 1 %, 3 v 3", .runs = {3, 3}, .shared = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 2 %, 3 v 3", .runs = {3, 3}, .shared = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 3 %, 3 v 3", .runs = {3, 3}, .shared = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 1 %, 5 v 5", .runs = {5, 5}, .shared = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 2 %, 5 v 5", .runs = {5, 5}, .shared = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 3 %, 5 v 5", .runs = {5, 5}, .shared = 0.03, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 1 %, 10 v 3", .runs = {10, 3}, .shared = 0.01, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 2 %, 10 v 3", .runs = {10, 3}, .shared = 0.02, .changed = 0.1, .change = 0.1},
	{SECTION, "shared sd 3 %, 10 v 3", .runs = {10, 3}, .shared = 0.03, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "Few ops, one in ten changes, at least one"
	{SECTION, "few: 2 ops, 3 v 3", .ops = 2, .runs = {3, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "few: 5 ops, 3 v 3", .ops = 5, .runs = {3, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "few: 9 ops, 3 v 3", .ops = 9, .runs = {3, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "few: 20 ops, 3 v 3", .ops = 20, .runs = {3, 3}, .changed = 0.1, .change = 0.1},
	{SECTION, "few: 49 ops, 3 v 3", .ops = 49, .runs = {3, 3}, .changed = 0.1, .change = 0.1},
#undef SECTION
#define SECTION "An op shown INCONCLUSIVE changes by what it sees, in a new recording"
	{SECTION, "sees 3 v 3", BY_SEES, .runs = {3, 3}},
	{SECTION, "sees 5 v 5", BY_SEES, .runs = {5, 5}},
	{SECTION, "sees 10 v 10", BY_SEES, .runs = {10, 10}},
	{SECTION, "sees 10 v 3", BY_SEES, .runs = {10, 3}},
	{SECTION, "sees 10 v 3, unequal", BY_SEES, .runs = {10, 3}, .cv = {0.01, 0.04}, .step_cv = 0.02},
	{SECTION, "sees 5 v 5, shared sd 2 %", BY_SEES, .runs = {5, 5}, .shared = 0.02},
	{SECTION, "sees 5 v 5, a tenth changed", BY_SEES, .runs = {5, 5}, .changed = 0.1, .change = 0.1},
	{SECTION, "sees 5 v 5, 10 ops", BY_SEES, .ops = 10, .runs = {5, 5}},
#undef SECTION
#define SECTION "The median op changes by the planned percent, with the planned runs"
	{SECTION, "plan from 3 v 3", BY_PLAN, .runs = {3, 3}, .cv = {0.005}, .step_cv = 0.02},
	{SECTION, "plan from 5 v 5", BY_PLAN, .runs = {5, 5}, .cv = {0.005}, .step_cv = 0.02},
	{SECTION, "plan from 10 v 10", BY_PLAN, .runs = {10, 10}, .cv = {0.01}, .step_cv = 0.02},
#undef SECTION
#define SECTION "One run a side, no run effect: the interval within the run"
	{SECTION, "within 10 steps, lag-1 0", BY_WITHIN, .runs = {1, 1}, .cv = {1e-9}, .steps = 10, .lag = 0},
	{SECTION, "within 20 steps, lag-1 0", BY_WITHIN, .runs = {1, 1}, .cv = {1e-9}, .steps = 20, .lag = 0},
	{SECTION, "within 20 steps, lag-1 0.3", BY_WITHIN, .runs = {1, 1}, .cv = {1e-9}, .steps = 20, .lag = 0.3},
	{SECTION, "within 20 steps, lag-1 0.6", BY_WITHIN, .runs = {1, 1}, .cv = {1e-9}, .steps = 20, .lag = 0.6},
	{SECTION, "within 50 steps, lag-1 0.6", BY_WITHIN, .runs = {1, 1}, .cv = {1e-9}, .steps = 50, .lag = 0.6},
#undef SECTION
#define SECTION "One run against several: the interval beside no verdict"
	{SECTION, "one run 1 v 2", BY_WITHIN, .runs = {1, 2}},
	{SECTION, "one run 1 v 3", BY_WITHIN, .runs = {1, 3}},
	{SECTION, "one run 1 v 5", BY_WITHIN, .runs = {1, 5}},
	{SECTION, "one run 5 v 1", BY_WITHIN, .runs = {5, 1}},
	{SECTION, "one run 1 v 10", BY_WITHIN, .runs = {1, 10}},
#undef SECTION
#define SECTION "One series: intervals of the mean that report shows, 100 series a report"
	{SECTION, "interval 10 steps, lag-1 0", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 10},
	{SECTION, "interval 15 steps, lag-1 0", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 15},
	{SECTION, "interval 20 steps, lag-1 0", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 20},
	{SECTION, "interval 50 steps, lag-1 0", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 50},
	{SECTION, "interval 10 steps, lag-1 0.3", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 10, .lag = 0.3},
	{SECTION, "interval 15 steps, lag-1 0.3", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 15, .lag = 0.3},
	{SECTION, "interval 20 steps, lag-1 0.3", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 20, .lag = 0.3},
	{SECTION, "interval 50 steps, lag-1 0.3", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 50, .lag = 0.3},
	{SECTION, "interval 10 steps, lag-1 0.6", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 10, .lag = 0.6},
	{SECTION, "interval 15 steps, lag-1 0.6", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 15, .lag = 0.6},
	{SECTION, "interval 20 steps, lag-1 0.6", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 20, .lag = 0.6},
	{SECTION, "interval 50 steps, lag-1 0.6", BY_INTERVAL, .runs = {1}, .cv = {1e-9}, .steps = 50, .lag = 0.6},
#undef SECTION
#define SECTION "Jitter of 100 alike ops"
	{SECTION, "jitter 6 steps", BY_JITTER, .runs = {1}, .steps = 6, .us_least = 100, .us_most = 100},
	{SECTION, "jitter 20 steps", BY_JITTER, .runs = {1}, .steps = 20, .us_least = 100, .us_most = 100},
	{SECTION, "jitter 50 steps", BY_JITTER, .runs = {1}, .steps = 50, .us_least = 100, .us_most = 100},
#undef SECTION
#define SECTION "SAME with a margin of 2 %: a tenth of the ops changes by just 2 %"
	{SECTION, "same run CV 0.5 %, 3 v 3", BY_SAME, .runs = {3, 3}, .cv = {0.005}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 0.5 %, 5 v 5", BY_SAME, .runs = {5, 5}, .cv = {0.005}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 0.5 %, 10 v 10", BY_SAME, .runs = {10, 10}, .cv = {0.005}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 1 %, 3 v 3", BY_SAME, .runs = {3, 3}, .cv = {0.01}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 1 %, 5 v 5", BY_SAME, .runs = {5, 5}, .cv = {0.01}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 1 %, 10 v 10", BY_SAME, .runs = {10, 10}, .cv = {0.01}, .step_cv = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 0.5 %, shared sd 1 %, 5 v 5", BY_SAME, .runs = {5, 5}, .cv = {0.005}, .step_cv = 0.01, .shared = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 1 %, shared sd 1 %, 5 v 5", BY_SAME, .runs = {5, 5}, .cv = {0.01}, .step_cv = 0.01, .shared = 0.01, .changed = 0.1, .change = 0.02},
	{SECTION, "same run CV 1 %, 5 ops, 5 v 5", BY_SAME, .ops = 5, .runs = {5, 5}, .cv = {0.01}, .step_cv = 0.01, .changed = 0.2, .change = 0.02},
#undef SECTION
};
/* clang-format on */

const size_t worlds_count = sizeof(worlds) / sizeof(worlds[0]);
