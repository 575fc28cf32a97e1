/* The parts of a comparison's report. First the words and numbers that all of them share: verdicts,
 * changes with their sign, intervals, p values; then what each part adds. Internal to building. */
#pragma once

#include "analysis/causes/causes.h"
#include "report/build.h"
#include "analysis/run_stability.h"

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

static inline struct arena *arena_of(const struct compare_builder *b)
{
	return b->report->arena;
}

static inline const struct compared_measure *first_measure(const struct compare_builder *b)
{
	return &b->comparison->measure[0];
}

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
const char *method_phrase(const struct compare_options *opt);
/* "Benjamini and Hochberg 1995", ... */
const char *adjust_phrase(enum multiple_method method);

/* Changes above so much are said as factors, and thresholds as "nothing visible". */
#define FACTOR_FROM 10
/* "x 21", of +2000 %. */
const char *phrase_factor(struct arena *arena, double fraction);
/* "+4.3 %"; "x 21" above 1000 %. */
const char *phrase_change(struct arena *arena, double fraction);
/* "[+3.1, +5.5]" in percent, or factors above 1000 %, each number at least `width` columns;
 * "unbounded" where an end is not finite, NULL where there is no interval. */
const char *phrase_bounds(struct arena *arena, double low, double high, size_t width);
/* "+4.3 % [+3.1, +5.5]"; without an interval the change alone. */
const char *phrase_change_within(struct arena *arena, double fraction, double low, double high);
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
/* "+1.79 ms", or without the unit; what rounds to 0 has no sign. */
const char *phrase_difference(
	struct arena *arena, const struct unit *unit, double difference, bool with_unit);

/* One unit for base, new and difference of the first measure in tables: that of the total. */
const struct unit *compare_unit(const struct compare_builder *b);
const struct measure *compare_measure_of(const struct compare_builder *b, size_t m);
/* The option that may pair what has no partner: one that these inputs can be asked for;
 * NULL where one side has a partner for all. */
const char *match_option(const struct compare_builder *b);
/* The name of the run that a fragile verdict hangs on; of the step: its run and number. */
const char *fragile_run_name(const struct compare_builder *b, const struct compared *value);
const char *fragile_step_name(const struct compare_builder *b, const struct compared *value);

/* True if there is no verdict because a side has one run. */
bool compare_is_one_run(const struct compare_builder *b, const struct compared *value);

/* ---- notes on how sure the numbers are ---- */

void compare_details_add(struct compare_builder *b);

/* The notes of a comparison on how rows were tested: changes that are on another scale than the
 * means, floors, values of 0, spread that was given, rows without a verdict. The other notes are
 * build_compare_notes.c. */

/* shown: rows of the comparison that are in the table for people. */
void compare_notes_tests(struct compare_builder *b, const bool *shown);

/* "Work moved: 1 op takes more (+5.00 us), 1 less (-5.01 us); together 45.00 -> 44.99 us, 0.0 %
 * [-0.4, +0.3], SAME."; NULL: none did. */
const char *compare_moved_words(const struct compare_builder *b);

/* ---- the sentence of a comparison that says what to do next ---- */

/* True if the verdicts are others without the odd runs. */
bool compare_odd_decides(const struct comparison *c);
/* Adds it to the answers of the report, or nothing where nothing follows. findings: what they say;
 * NULL: nothing. */
void compare_answer_next(struct compare_builder *b, const char *findings);
/* NULL: a row is decided by the means, or medians would not differ less from run to run. */
const char *compare_next_medians(const struct compare_builder *b);

/* ---- the notes under a comparison ---- */

/* Adds the notes; returns the marks of each row's verdict (NULL where none), in the report's
 * arena. */
const char **compare_notes_add(struct compare_builder *b, const bool *shown);

/* "14 of 15 tested ops are slower, median +5.0 %". */
const char *compare_shift_words(const struct compare_builder *b);
/* The note about a shift that nearly all rows share and that is no finding. */
void compare_note_shift(struct compare_builder *b);
/* The first sentence about benchmarks. */
void compare_answer_typical(struct compare_builder *b);
/* "Against the other ops: 6 REGRESSED, ...": the second answer of the same runs, and with
 * --normalize that the ops are two groups. */
void compare_answer_against(struct compare_builder *b);
/* The row that changed most against the others and has no verdict of its own; SIZE_MAX: none. */
size_t compare_most_against(const struct compare_builder *b);
/* The question that these runs cannot answer: which of two groups of ops changed. */
bool compare_has_groups(const struct compare_builder *b);
/* A screen has four notes, three where nothing changed: those from `first` on (0: none), then what
 * has a mark, then the others as they come; the rest become details. */
void compare_trim_notes(struct report *report, const struct comparison *comparison, size_t first);

/* ---- activities of the devices in a step, base against new ---- */

/* Adds report->before and, in report->more, the table "parts", where the inputs have step times
 * that decide or parts of devices. */
void compare_add_parts(struct compare_builder *b);
/* "communication alone", "idle: host late". */
const char *compare_part_words(enum compared_part part);
/* "idle: host late in DataLoader". */
const char *compare_host_words(const struct compare_builder *b, const char *name);
/* "gpu:0"; "gpu:3 -> gpu:1" where the sides call it differently. */
const char *compare_device_words(
	const struct compare_builder *b, const struct compared_device *device);

/* ---- the findings of a comparison ---- */

/* Answers with the largest causes of the change, and adds the table `findings`. Returns what to do
 * next by them; NULL: nothing. */
const char *compare_answer_findings(struct compare_builder *b);

/* Sentences about two sides from different profilers, or whose names a map makes alike: what each
 * of them is and how fine its times are, and how much of it has no partner. It decides nothing. */

/* True if the sides come from different profilers, or their names are mapped. */
bool compare_is_of_runtimes(const struct compare_builder *b);
/* ", ONNX Runtime profile, times to 1 us"; nothing of sides of one profiler. */
const char *compare_describe_profiler(
	const struct compare_builder *b, const struct compare_side *side);
/* The shares without a partner, with the largest of their rows; nothing unless
 * compare_is_of_runtimes. */
void compare_answer_unmatched(struct compare_builder *b);
/* The same as the table `sides`, a row for each. */
void compare_add_sides(struct compare_builder *b);
/* Rules of the map that match nothing. */
void compare_notes_map(struct compare_builder *b);

/* ---- the notes about the runs of a comparison ---- */

/* Run `run` of the side's step set, made visible. */
const char *compare_run_name(
	const struct compare_builder *b, const struct compare_side *side, size_t run);
/* The run that lies apart (ODD_APART). */
const char *compare_odd_name(const struct compare_builder *b);
/* In what the sides differ although they are to be alike: --allow-mixed let it pass. */
void compare_notes_mixed(struct compare_builder *b);
/* First what the files say differently about driver, framework, backend and batch size. */
void compare_notes_runs(struct compare_builder *b);
/* True if base and new were recorded in turns: by the times in the files, or as --method=paired
 * says. */
bool compare_is_in_turns(const struct compare_builder *b);
/* Compared by round because the runs were recorded so. */
void compare_note_turns(struct compare_builder *b);
/* A change is claimed, and one side was recorded before the other. */
void compare_note_block(struct compare_builder *b);
/* Claims of the rule where the runs are divided otherwise: enough of it to matter, or the rest. */
void compare_note_relabelling(struct compare_builder *b, bool matters);

/* The notes of a comparison on the steps of the runs: drift and shifts, two levels, outlier steps.
 * It only words what analysis/run_stability.h found. */

struct steady_side {
	const char *label; /* "base": in the sentences as it is */
	const struct steadiness *steady;
	const struct cube *cube; /* gives the numbers of the steps */
};

/* Adds at most three notes, one of each kind, about both sides: base, then new. `time`: what the
 * steps were looked at by, "step time". of_means: of the runs their means are compared, not another
 * value that long steps do not move. */
void compare_steady_notes(
	struct report *report, const struct steady_side side[2], const char *time, bool of_means);

/* ---- the tables of a comparison ---- */

/* Which rows of the comparison the screen shows one by one, in the report's arena. */
const bool *compare_choose_rows(const struct compare_builder *b);
/* True if rows of the table are of several measures: benchmarks that have them. */
bool compare_is_mixed(const struct compare_builder *b);
/* mark[i]: letters of the notes about row i, or NULL. */
void compare_add_display(struct compare_builder *b, const bool *shown, const char *const *mark);
void compare_add_data(struct compare_builder *b);
/* Columns of a test of the first measure, as data has them but for its name, and their cells from
 * `cell` on, of which it returns the next. */
void compare_add_test(struct compare_builder *b, struct table *table);
struct cell *compare_fill_test(
	const struct compare_builder *b, struct cell *cell, const struct compared *value);
/* Rows are parts of the step: they do not overlap, and absent steps count. */
bool compare_adds_up(const struct compare_builder *b);
