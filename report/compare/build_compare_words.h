/*
 * The words and numbers that all parts of a comparison's report share: verdicts, changes with their
 * sign, intervals, p values. It chooses no rows and knows no tables.
 */
#ifndef STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_WORDS_H
#define STEPSTAT_REPORT_COMPARE_BUILD_COMPARE_WORDS_H

#include "analysis/compare/comparison.h"
#include "report/build.h"

/* Sources of every part. */
struct compare_builder {
	const struct compare_side *base, *new;
	const struct comparison *comparison;
	const struct compare_options *opt;
	const struct build_options *build;
	struct report *report;
	const char *
		*short_name; /* of each row; then of each row in base, NULL where it is the same */
	const struct gate *gate; /* NULL: none */
};

/* All at once, so that two rows never have one name in a sentence: first those of new, then what
 * they are called in base where that differs. In the report's arena. */
const char **compare_short_names(const struct compare_builder *b);

/* SLOWER and FASTER are MORE and LESS where the measure is no time. */
const char *verdict_word(enum verdict verdict, enum dimension dimension);
/* Dimension whose words the verdicts of the measure have: that of rates where higher is better. */
enum dimension verdict_dimension(const struct measure *measure);
/* The word with its half sentence: what the change and the interval beside it do not say, or what
 * they seem to contradict. "SLOWER (size near 2 %)", "INCONCLUSIVE (sees > 33 %)". */
const char *phrase_verdict(
	const struct compare_builder *b, const struct compared *value, enum dimension dimension);
/* Rows with such a verdict in any of their measures, which are those of benchmarks. Rows that are
 * both worse and better are of both. */
struct row_claims {
	size_t worse, better, new, gone, lost;
	size_t worse_values, better_values; /* measures of rows */
};
struct row_claims compare_row_claims(const struct comparison *comparison);
/* The meaning of a verdict; TONE_PLAIN where nothing is better or worse. */
enum tone compare_tone(enum verdict verdict);
/* NULL: there is no change in percent. */
const struct band *compare_band(struct report *report, const struct compared *value);
/* "test", "exact", "floor", "linear", "given", "one run"; NULL for none. */
const char *evidence_word(enum evidence evidence);
/* "moderated t", "Welch's t", ... */
const char *method_phrase(enum compare_method method);
/* "Benjamini and Hochberg 1995", ... */
const char *adjust_phrase(enum multiple_method method);

/* Changes above so much are said as factors, and thresholds as "nothing visible". */
#define FACTOR_FROM 10
/* "x 21", of +2000 %. */
const char *phrase_factor(struct arena *arena, double fraction);
/* "+4.3 %", "-0.41 %" as `decimals` say; "x 21" above 1000 %. */
const char *phrase_change(struct arena *arena, double fraction, int decimals);
/* "[+3.1, +5.5]" in percent, or factors above 1000 %, each number at least `width` columns;
 * "unbounded" where an end is not finite, NULL where there is no interval. */
const char *phrase_bounds(struct arena *arena, double low, double high, size_t width);
/* Columns that the longer number of an interval takes; 0 where phrase_bounds has no numbers. */
size_t bounds_width(double low, double high);
/* "<0.001", "0.009", "0.81"; NULL when not known. */
const char *phrase_p(struct arena *arena, double p);
/* The advice that makes a verdict possible where one run a side gives none: the option, where files
 * that are there may be runs; else more of them. */
const char *phrase_more_runs(struct arena *arena, const struct compare_options *opt);
/* "2 %", "0.5 %", "12.5 %": as exact as it is, to three digits. */
const char *phrase_level(struct arena *arena, double fraction);
/* "> 33 %" needs "33 %", "> 5.4 %" needs "5.4 %": rounded up, so that nothing smaller is promised.
 */
const char *phrase_rough(struct arena *arena, double fraction);
/* "in 1 of 60 steps, 1 of 3 runs": of the side that has the op. */
const char *phrase_presence(struct arena *arena, const struct compared *value);
/* "41.82 -> 43.62 ms": both in one unit, that of the larger. */
const char *phrase_pair(struct arena *arena, enum dimension dimension, double base, double new);
/* "+1.79 ms", or without the unit; what rounds to 0 has no sign. */
const char *phrase_difference(
	struct arena *arena, const struct unit *unit, double difference, bool with_unit);

/* One unit for base, new and difference of measure m in tables: that of the total. */
const struct unit *compare_unit(const struct compare_builder *b, size_t m);
const struct measure *compare_measure_of(const struct compare_builder *b, size_t m);
/* The option that may pair what has no partner: one that these inputs can be asked for;
 * NULL where one side has a partner for all. */
const char *match_option(const struct compare_builder *b);
/* The name of the run that a fragile verdict hangs on; of the step: its run and number. */
const char *fragile_run_name(const struct compare_builder *b, const struct compared *value);
const char *fragile_step_name(const struct compare_builder *b, const struct compared *value);

/* True if there is no verdict because a side has one run. */
bool compare_is_one_run(const struct compare_builder *b, const struct compared *value);

#endif
