/* Any profile through every writer: reports, comparisons, gates, merges and exports. The first
 * bytes choose command, output and options. The others are two tables, as text or, for inputs that
 * begin with a byte from 128 on, made of the bytes one by one. What is written must be text, where
 * its format is text. */
#include "base/text.h"
#include "tests/fuzz/run_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNT(x) (sizeof(x) / sizeof(*(x)))
#define OPTIONS_MOST 4

/* The bytes that are left; behind their end small numbers that depend on all of them. */
struct source {
	const uint8_t *at, *end;
	uint32_t random;
};

static unsigned next(struct source *s)
{
	if (s->at < s->end) {
		s->random = (s->random ^ *s->at) * 16777619u; /* FNV-1a */
		return *s->at++;
	}
	s->random ^= s->random << 13;
	s->random ^= s->random >> 17;
	s->random ^= s->random << 5;
	return s->random >> 8 & 0xff;
}

static unsigned below(struct source *s, unsigned n)
{
	return next(s) % n;
}

static void add_value(struct source *s, struct text *out, unsigned usual)
{
	static const char *const odd[] = {"", "0", "1", "0.000001", "1e-7", "9223372036854", "4e12",
		"1e15", "123456789.123456", "9007199254740993", "-1", "1e300"};
	unsigned which = next(s);

	if (which < 2 * COUNT(odd))
		text_add(out, odd[which / 2]);
	else
		text_printf(out, "%u.%u", usual + which / 16, which % 10);
}

static void add_op(struct source *s, struct text *out, unsigned op)
{
	static const char *const names[] = {"net/block_1/conv2d/Conv2D", "net/block_1/MatMul",
		"ncclDevKernel_AllReduce", "aten::mm", "\"a,\"\"b\"\"\"", "</script><b>&'", "=1+1",
		"x\\x0ay", "\xe2\x80\x8b\xef\xbb\xbfz", "\xf0\x9f\x9a\x80", "[memory]", "|`*_",
		"net/block_2/conv2d_12/kernel/Regularizer/Square/ReadVariableOp/resource", "\\xff",
		"%s%n", "net"};

	(void)s;
	text_add(out, names[op % COUNT(names)]);
}

static void add_source_rows(struct source *s, struct text *out, const char *none)
{
	static const char *const titles[] = {"PyTorch profiler trace", "TensorFlow profile", "A",
		"JAX profiler trace", "tfprof text output"};
	static const char *const facts[] = {"device_model 2 x NVIDIA A100", "world_size 2 x 8",
		"rank 1 x 0", "backend 1 x nccl", "device_memory 1 x 42505273344", "x 1 x \\x0a"};

	text_printf(out, ",,%s,source,,%s\n", none, titles[below(s, COUNT(titles))]);
	for (unsigned n = below(s, 4); n > 0; n--)
		text_printf(out, ",,%s,fact,,%s\n", none, facts[below(s, COUNT(facts))]);
	if (below(s, 4) == 0)
		text_printf(out, ",,%s,issue,,loss cut %u x file cut (first: <x>:3)\n", none,
			1 + below(s, 9));
}

static void add_step_rows(struct source *s, struct text *out, const char *step)
{
	static const char *const series[] = {"wall", "busy", "marker", "period", "span",
		"gpu:0_compute", "gpu:0_communication_alone", "gpu:0_copies_alone", "gpu:0_idle",
		"gpu:0_communication_hidden", "gpu:0_idle_host_late", "gpu:0_idle_waiting",
		"gpu:0_idle_short_gaps", "gpu:1_compute", "gpu:1_idle"};
	static const unsigned usual[] = {
		400, 300, 390, 395, 310, 200, 30, 10, 60, 5, 30, 20, 10, 250, 50};
	unsigned count = below(s, COUNT(series) + 1);

	for (unsigned i = 0; i < count; i++) {
		text_printf(out, "%s,,%s,", step, series[i]);
		add_value(s, out, usual[i]);
		text_add(out, ",us\n");
	}
}

static void add_op_rows(struct source *s, struct text *out, const char *step, unsigned ops)
{
	static const char *const measures[] = {"time", "cpu", "accelerator", "requested", "peak",
		"occurrence", "output", "residual", "delay"};

	for (unsigned op = 0; op < ops; op++) {
		unsigned which = below(s, 12), kinds = which > 3 ? 0 : which;

		for (unsigned m = 0; m <= kinds; m++) {
			const char *measure = measures[kinds ? m * 2 + which % 2 : 0];

			text_printf(out, "%s,", step);
			add_op(s, out, op);
			text_printf(out, ",%s,", measure);
			add_value(s, out, 10 * (1 + op));
			text_printf(out, ",%s\n",
				strstr("requested peak output residual", measure) ? "KiB"
				: strstr("occurrence", measure)			  ? "count"
										  : "us");
		}
	}
}

static void add_ops(struct source *s, struct text *out, const char *none, unsigned ops)
{
	static const char *const types[] = {"Conv2D", "MatMul", "kernel", "cpu_op", "", "<b>"};
	static const char *const devices[] = {
		"cpu", "gpu:0", "/job:w/replica:0/task:0/device:GPU:1"};

	for (unsigned op = 0; op < ops; op++) {
		text_printf(out, ",,%s", none);
		add_op(s, out, op);
		text_printf(out, ",type,,%s\n,,%s", types[below(s, COUNT(types))], none);
		add_op(s, out, op);
		text_printf(out, ",device,,%s\n", devices[below(s, COUNT(devices))]);
	}
}

/* Runs, ranks and steps of a table in the long form. */
static void make_table(struct source *s, struct text *out)
{
	unsigned runs = 1 + below(s, 4), ranks = below(s, 4), steps = 1 + below(s, 7);
	unsigned ops = 1 + below(s, 16);
	const char *none = ranks ? ",," : "";

	text_printf(out, "run,%sstep,op,measure,value,unit\n", ranks ? "rank,group," : "");
	add_source_rows(s, out, none);
	add_ops(s, out, none, ops);
	for (unsigned run = 0; run < runs; run++)
		for (unsigned rank = 0; rank < (ranks ? ranks : 1); rank++)
			for (unsigned t = 0; t < steps; t++) {
				char step[64], place[32] = "";

				if (ranks)
					snprintf(place, sizeof(place), "%u,%s,", rank,
						ranks == 3 && rank == 2 ? "b" : "a");
				snprintf(step, sizeof(step), "r%u,%s%u", run, place, t + 1);
				add_step_rows(s, out, step);
				add_op_rows(s, out, step, ops);
			}
}

static void write_tables(struct source *s, bool made)
{
	struct text table;
	const uint8_t *cut = memchr(s->at, '\f', (size_t)(s->end - s->at));

	text_init(&table);
	if (made) {
		make_table(s, &table);
		run_program_input("a.csv", text_string(&table), table.size);
		if (next(s) % 4) {
			text_clear(&table);
			make_table(s, &table);
		}
		run_program_input("b.csv", text_string(&table), table.size);
	} else {
		run_program_input("a.csv", s->at, (size_t)((cut ? cut : s->end) - s->at));
		if (cut)
			cut++;
		else
			cut = s->at;
		run_program_input("b.csv", cut, (size_t)(s->end - cut));
	}
	text_release(&table);
}

#define TEXT_OUTPUTS 7 /* the first of these */
static const char *const outputs[] = {"-oout.html", "-oout.md", "-oout.json", "-oout.csv",
	"-oout.txt", "-oout.xml", "-oout.ndjson", "-oout.xlsx", "--to=github", "-ofolder/",
	"--to=text", "--to=md", "-oout.parquet", "-oout.obs", "-oout.sqlite"};

static const char *const options[] = {"--by=type", "--by=class", "--by=device", "--by=scope:2",
	"--value=total", "--warmup=1", "--warmup=auto", "--warmup=none", "--top=all", "--top=1",
	"--absent=skip", "--kind=all", "--kind=1", "--steps=2:3", "--per-run", "--per-rank",
	"--rank-value=max", "--strict", "--sort=cv", "--min-share=1%", "--min-share=0%",
	"--stats=mean,cv,p95,max,sd,min,median,iqr,mad,lag1,neff,sum,n,ran,jitter,share,ci",
	"--cv=population", "--measures=time,requested,peak,occurrence", "--measures=requested",
	"--table=steps", "--table=totals", "--table=ranks", "--table=split", "--table=culprits",
	"--table=issues", "--table=facts", "--table=parts", "--table=sides", "--shape=long",
	"--csv-safe", "--layout=notebook", "--names=full", "--unit=ms,KB", "--color=always",
	"--ranks=none", "--runs=(.)", "--jitter-of=op", "--of=selected", "--include=net",
	"--exclude=conv", "--rename=s/net/n/", "--step-time=span", "--explain-inputs",
	"--explain=.", "--method=welch", "--method=ranksum", "--method=limma", "--method=paired",
	"--method=log", "--run-cv=2%", "--match=nearest", "--match=type", "--normalize",
	"--margin=50%", "--self-test", "--blind=pass", "--fail-on=slower", "--run-value=median",
	"--allow-mixed", "--on=all", "--on=host", "--confidence=99%", "--events",
	"--queries=sqlite", "--gzip", "--today=2026-01-01", "--quiet"};

/* Of stepstat.yaml. */
static const char *const keys[] = {"report: {jobs: 1}", "report: {jobs: 1, on-collision: keep}",
	"report: {jobs: 1, bars: always, sheets: values}", "report: {jobs: 1, never-run: true}",
	"report: {jobs: 1, bars: never, csv: comma, adjust: holm}"};

/* Is the file that the output names text from its first byte to its last? */
static void check_text(const char *output)
{
	int fd = openat(run_program.inside, output + 2, O_RDONLY | O_CLOEXEC);
	struct stat info;
	char *bytes;

	if (fd < 0)
		return;
	require(fstat(fd, &info) == 0 && info.st_size > 0);
	bytes = malloc((size_t)info.st_size);
	require(bytes && read(fd, bytes, (size_t)info.st_size) == info.st_size);
	for (const char *at = bytes, *end = bytes + info.st_size; at < end;) {
		size_t length = text_utf8_length(at, (size_t)(end - at));

		require(length > 0 && *at != '\0');
		at += length;
	}
	free(bytes);
	close(fd);
}

/* The words "report out.part" and the output that the merge did not have. */
static void report_merged(char **words, const char *output)
{
	char *again[] = {words[0], "report", "out.part", (char *)output, NULL};

	if (faccessat(run_program.inside, "out.part", R_OK, 0) == 0)
		run_program_words(4, again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char *const commands[] = {
		"report", "compare", "gate", "merge", "export", "ops", "audit"};
	struct source s = {.at = data, .end = data + size, .random = 2166136261u};
	const unsigned first = next(&s), command = first % 128 % COUNT(commands);
	const unsigned output = below(&s, COUNT(outputs));
	char *words[RUN_WORDS_MOST] = {"stepstat", commands[command], "a.csv"};
	int count = 3;

	const char *key = keys[below(&s, COUNT(keys))];

	run_program_start();
	run_program_input("stepstat.yaml", key, strlen(key));
	if (command == 1 || command == 2 || (command != 0 && next(&s) % 2))
		words[count++] = "b.csv";
	words[count++] = command == 3 ? "-oout.part" : (char *)outputs[output];
	for (unsigned n = below(&s, OPTIONS_MOST + 1); n > 0; n--)
		words[count++] = (char *)options[below(&s, COUNT(options))];
	write_tables(&s, first >= 128);
	run_program_words(count, words);
	if (command == 3)
		report_merged(words, outputs[output]);
	if (output < TEXT_OUTPUTS)
		check_text(outputs[output]);
	run_program_tidy();
	return 0;
}
