/* The table of habits. One spelt as ours is in it where a command has another option. */
#include "cli/options/foreign_options.h"

#include <string.h>
#include "base/text.h"

#define SHARE "--min-share=X%"
#define INCLUDE "--include=REGEX"
#define EXCLUDE "--exclude=REGEX"
#define COMPARE "stepstat compare BASE NEW"
#define REPORTED "-o FILE (.csv .md .txt .json)"
#define NO_PICTURE "no pictures; -o ops.csv for a spreadsheet"

static const struct foreign_option foreign_option_table[] = {
	{"tfprof", "profile-path", "give the file itself: stepstat FILE"},
	{"tfprof", "graph-path", "--graph=FILE for RunMetadata; profile_N dumps hold the graph"},
	{"tfprof", "run-meta-path", "give the files themselves: stepstat FILE..."},
	{"tfprof", "op-log-path", "--graph=op-log:FILE for RunMetadata; profile_N dumps hold it"},
	{"tfprof", "select",
		"--measures=... chooses what is measured (micros, requested, peak, ...)"},
	{"tfprof", "order-by", "--sort=COLUMN"},
	{"tfprof", "step", "--steps=N"},
	{"tfprof", "account-type-regexes", "--by=type with --include=REGEX"},
	{"tfprof", "start-name-regexes", INCLUDE},
	{"tfprof", "show-name-regexes", "--include=REGEX (with --full-match)"},
	{"tfprof", "hide-name-regexes", "--exclude=REGEX (with --full-match)"},
	{"tfprof", "trim-name-regexes", EXCLUDE},
	{"tfprof", "account-displayed-op-only", "--of=selected"},
	{"tfprof", "max-depth", "--by=scope:N"},
	{"tfprof", "min-micros", SHARE},
	{"tfprof", "min-bytes", SHARE},
	{"tfprof", "min-peak-bytes", SHARE},
	{"tfprof", "min-residual-bytes", SHARE},
	{"tfprof", "min-output-bytes", SHARE},
	{"tfprof", "min-accelerator-micros", SHARE},
	{"tfprof", "min-cpu-micros", SHARE},
	{"tfprof", "min-params", SHARE},
	{"tfprof", "min-float-ops", SHARE},
	{"tfprof", "min-occurrence", SHARE},
	{"tfprof", "checkpoint-path", "nothing: values of variables are not read"},
	{"tfprof", "output", "-o FILE"},
	{"tfprof", "viz", "-o FILE"},
	{"tfprof", "dump-to-file", "-o FILE"},
	{"benchstat", "delta-test", "--method=ranksum (its U test) or --method=welch, of compare"},
	{"benchstat", "geomean", "nothing: compare prints the geometric mean in its last note"},
	{"benchstat", "filter", INCLUDE},
	{"benchstat", "row", "--by=name|type|device|class|scope:N"},
	{"benchstat", "col", COMPARE},
	{"benchstat", "split", "--by=name|type|device|class|scope:N"},
	{"benchstat", "norange", "--stats=mean"},
	{"benchstat", "html", NO_PICTURE},
	{"pprof", "text", "--to=text"},
	{"pprof", "tree", "--value=total --by=scope:N"},
	{"pprof", "focus", INCLUDE},
	{"pprof", "show", INCLUDE},
	{"pprof", "show-from", INCLUDE},
	{"pprof", "tagfocus", INCLUDE},
	{"pprof", "ignore", EXCLUDE},
	{"pprof", "hide", EXCLUDE},
	{"pprof", "tagignore", EXCLUDE},
	{"pprof", "diff-base", COMPARE},
	{"pprof", "nodecount", "--top=N"},
	{"pprof", "nodefraction", SHARE},
	{"pprof", "edgefraction", SHARE},
	{"pprof", "cum", "--value=total"},
	{"pprof", "flat", "--value=self"},
	{"pprof", "sample-index", "--measures=time,requested,..."},
	{"pprof", "granularity", "--by=name|type|device|class|scope:N"},
	{"pprof", "list", "stepstat tfprof --profile_path=FILE code"},
	{"pprof", "peek", INCLUDE},
	{"pprof", "traces", "stepstat events FILE -o events.csv"},
	{"pprof", "raw", "stepstat export FILE -o obs.csv"},
	{"pprof", "proto", "stepstat export FILE -o run1.obs"},
	{"pprof", "http", NO_PICTURE},
	{"pprof", "web", NO_PICTURE},
	{"pprof", "svg", NO_PICTURE},
	{"pprof", "png", NO_PICTURE},
	{"pprof", "dot", NO_PICTURE},
	{"perf", "i", "give the file itself: stepstat FILE"},
	{"perf", "s", "--by=... says what a row is, --sort=COLUMN the order"},
	{"perf", "F", "--stats=mean,cv,..."},
	{"perf", "fields", "--stats=mean,cv,..."},
	{"perf", "g", "--value=total"},
	{"perf", "call-graph", "--value=total"},
	{"perf", "children", "--value=total"},
	{"perf", "no-children", "--value=self"},
	{"perf", "percent-limit", SHARE},
	{"perf", "show-nr-samples", "--measures=time,occurrence, or --per=call"},
	{"perf", "symbols", INCLUDE},
	{"perf", "symbol-filter", INCLUDE},
	{"perf", "stdio", "nothing: text is the default"},
	{"perf", "r", "record several runs and give them all: stepstat run1 run2 run3"},
	{"perf", "repeat", "record several runs and give them all: stepstat run1 run2 run3"},
	{"torch", "sort-by", "--sort=COLUMN"},
	{"torch", "row-limit", "--top=N"},
	{"torch", "group-by-input-shape", "--name='{name}{args.Input Dims}'"},
	{"torch", "group-by-input-shapes", "--name='{name}{args.Input Dims}'"},
	{"torch", "group-by-stack-n", "nothing: stacks are not read"},
	{"torch", "top-level-events-only", "--value=total"},
	{"torch", "key-averages", "write like: key_averages below report: in stepstat.yaml"},
	{"torch", "max-name-column-width", "the environment: COLUMNS=200 stepstat ..."},
	{"torch", "max-src-column-width", "the environment: COLUMNS=200 stepstat ..."},
	{"hyperfine", "export-csv", "-o ops.csv"},
	{"hyperfine", "export-json", "-o ops.json"},
	{"hyperfine", "export-markdown", "-o ops.md"},
	{"nsys", "timeunit", "--unit=us"},
	{"nsys", "filter-time", "--window=FROM:TO"},
	{"nsys", "filter-nvtx", "--step-marker=REGEX"},
	{"nsys", "force-overwrite", "nothing: outputs replace files"},
	{"", "n", "--top=N"},
	{"", "k", "--top=N"},
	{"", "t", "--top=N"},
	{"", "f", "give the file itself, or --to=FORMAT"},
	{"", "runs-expected", "write runs_expected: N below gate: in stepstat.yaml"},
	{"", "derive", "--measure=NAME=A/B"},
	{"", "decimal", "--csv=comma"},
	{"", "q", "--quiet"},
	{"", "limit", "--top=N"},
	{"", "head", "--top=N"},
	{"", "rows", "--top=N"},
	{"", "max-rows", "--top=N"},
	{"", "input", "give the file itself: stepstat FILE"},
	{"", "file", "give the file itself: stepstat FILE"},
	{"", "csv", "-o ops.csv, or --to=csv"},
	{"", "json", "-o ops.json, or --to=json"},
	{"", "md", "-o ops.md, or --to=md"},
	{"", "markdown", "-o ops.md, or --to=md"},
	{"", "format", "--to=FORMAT, or the suffix of -o FILE"},
	{"", "output-format", "--to=FORMAT, or the suffix of -o FILE"},
	{"", "out", REPORTED},
	{"", "regex", INCLUDE},
	{"", "grep", INCLUDE},
	{"", "pattern", INCLUDE},
	{"", "group-by", "--by=name|type|device|class|scope:N"},
	{"", "groupby", "--by=name|type|device|class|scope:N"},
	{"", "columns", "--stats=mean,cv,... and --measures=time,..."},
	{"", "metric", "--measures=time,requested,..."},
	{"", "metrics", "--measures=time,requested,..."},
	{"", "median", "--stats=mean,median"},
	{"", "run-value", "--stats=mean,median,p99"},
	{"", "std", "--stats=mean,sd"},
	{"", "percentile", "--stats=mean,p50,p95"},
	{"", "percentiles", "--stats=mean,p50,p95"},
	{"", "iterations", "--steps=10:99"},
	{"", "skip-first", "--warmup=N"},
	{"", "skip-steps", "--warmup=N"},
	{"", "depth", "--by=scope:N"},
	{"", "threshold", "--margin=2% of compare and gate"},
	{"", "tolerance", "--margin=2% of compare and gate"},
	{"", "baseline", "stepstat gate BASE NEW"},
	{"", "silent", "--quiet"},
	{"", "no-color", "--color=never"},
	{"", "width", "the environment: COLUMNS=200 stepstat ..."},
};

/* First words that are not commands here, and what to type instead. */
static const struct {
	const char *theirs, *ours;
} other_commands[] = {
	{"generate", "stepstat timeline generate RUN_META... -o FILE"},
	{"mean", "stepstat timeline mean FILE... -o FILE"},
	{"diff", COMPARE},
	{"benchstat", COMPARE},
	{"check", "stepstat gate BASE NEW"},
	{"ci", "stepstat gate BASE NEW"},
	{"top", "stepstat FILE --top=N"},
	{"stat", "stepstat FILE"},
	{"stats", "stepstat FILE"},
	{"show", "stepstat FILE"},
	{"summary", "stepstat FILE"},
	{"list", "stepstat ops FILE"},
	{"query", "stepstat sql FILE 'SELECT ...'"},
	{"convert", "stepstat export FILE -o obs.csv"},
	{"csv", "stepstat FILE -o ops.csv"},
	{"scope", "stepstat tfprof --profile_path=FILE scope"},
	{"graph", "stepstat tfprof --profile_path=FILE graph"},
	{"code", "stepstat tfprof --profile_path=FILE code"},
	{"advise", "stepstat tfprof --profile_path=FILE advise"},
	{"version", "stepstat --version"},
};

const char *foreign_command_find(const char *word)
{
	for (size_t i = 0; i < sizeof(other_commands) / sizeof(*other_commands); i++)
		if (text_equal(other_commands[i].theirs, word))
			return other_commands[i].ours;
	return NULL;
}

#define HABITS (sizeof(foreign_option_table) / sizeof(*foreign_option_table))

static bool is_word(const char *theirs, const char *word, size_t n)
{
	if (strlen(theirs) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (theirs[i] != (word[i] == '_' ? '-' : word[i]))
			return false;
	return true;
}

const struct foreign_option *foreign_option_find(const char *word, size_t n)
{
	for (; n && *word == '-'; n--)
		word++;
	for (size_t i = 0; i < HABITS; i++)
		if (is_word(foreign_option_table[i].theirs, word, n))
			return &foreign_option_table[i];
	return NULL;
}

void foreign_option_list(struct outfile *out)
{
	const char *tool = NULL;

	outfile_puts(out, "Options of other tools, and what they are here\n");
	for (size_t i = 0; i < HABITS; i++) {
		const struct foreign_option *habit = &foreign_option_table[i];

		if (!tool || !text_equal(tool, habit->tool))
			outfile_printf(out, "%s\n", *habit->tool ? habit->tool : "many");
		tool = habit->tool;
		outfile_printf(out, "  -%-26s  %s\n", habit->theirs, habit->ours);
	}
}
