/* Contents of a page besides rows: runs and steps, devices, ranks, the total. */
#include "report/page/build_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/day.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/text.h"
#include "report/build_tables.h"
#include "report/page/page_rows.h"
#include "report/page/page_stack.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct page_maker {
	struct web_page *page;
	const struct page_source *from;
	const struct summary *summary; /* of the report */
	struct report *report;
	struct arena *arena;
	struct table *parts; /* of the devices */
	struct intern *total_names;
	size_t *total_at; /* by the ids of total_names: the place in from->totals */
};

static struct table *drawn(const struct page_maker *m, const char *name, const char *columns)
{
	return report_spell_columns(m->report, report_append_drawn(m->report, name), m->from->opt,
		m->page->dimension, columns);
}

/* ---- the whole ---- */

static const char *find_second(const struct summary *summary)
{
	for (size_t i = 1; i < summary->options.measure_count; i++) {
		const struct measure *measure = measure_at(summary->options.measure[i]);

		if (measure->dimension == DIMENSION_BYTES && measure->kind != MEASURE_STATIC)
			return measure->name;
	}
	return NULL;
}

/* Base units in one integer of a series, by dimension and resolution of the page. */
static double page_grid(const struct web_page *page)
{
	if (page->dimension != DIMENSION_TIME)
		return 1;
	if (page->resolution >= PS_PER_US && fmod(page->resolution, PS_PER_US) == 0)
		return PS_PER_US;
	if (page->resolution > 0 && fmod(page->resolution, PS_PER_NS) != 0)
		return 1;
	return PS_PER_NS;
}

/* "2021-06-08", the day in UTC; NULL: the source does not say. */
static const char *day_of(const struct cube *side, struct arena *arena)
{
	char text[DAY_TEXT_SIZE];
	int64_t ns;
	int32_t day;

	if (!side->step_count || !step_start(&side->step[0], &ns) ||
		!day_from_seconds(ns / 1000000000, &day))
		return NULL;
	return arena_strdup(arena, day_to_text(text, day));
}

void page_facts(
	struct web_page *page, const struct cube *const *side, size_t count, struct arena *arena)
{
	static const enum fact_id shown[] = {FACT_COUNT, FACT_HOST, FACT_MACHINE, FACT_FRAMEWORK,
		FACT_DEVICE_MODEL, FACT_COMMIT};

	page->fact = arena_array(arena, COUNT(shown), sizeof(*page->fact));
	for (size_t i = 0; i < COUNT(shown); i++) {
		const char *text[2] = {NULL, NULL}, *none[2] = {"?", "?"},
			   *word = shown[i] == FACT_COMMIT ? "commit "
				   : shown[i] == FACT_HOST ? "host "
							   : "";

		for (size_t s = 0; s < count; s++) {
			text[s] = shown[i] == FACT_COUNT
					  ? day_of(side[s], arena)
					  : fact_lists_common(&side[s]->facts, shown[i]);
			if (shown[i] != FACT_COUNT && side[s]->facts.of[shown[i]].count > 1)
				none[s] = "several";
		}
		if (!text[0] && !text[1])
			continue;
		page->fact[page->fact_count++] =
			count < 2 || (text[0] && text[1] && text_equal(text[0], text[1]))
				? arena_printf(arena, "%s%s", word, text[0])
				: arena_printf(arena, "%s%s \u2192 %s", word,
					  text[0] ? text[0] : none[0], text[1] ? text[1] : none[1]);
	}
}

static void describe_whole(struct page_maker *m)
{
	struct web_page *page = m->page;
	const struct measure *measure = measure_at(m->summary->options.measure[0]);

	page->title = arena_printf(m->arena, "%s - stepstat report",
		*text_base_name(m->from->opt->label) ? text_base_name(m->from->opt->label)
						     : m->from->opt->label);
	page->command = m->from->command;
	page->input = m->from->input;
	page->input_count = m->from->input_count;
	page->option = m->from->option;
	page->option_count = m->from->option_count;
	page->sql = m->from->sql;
	page->is_cut = m->from->is_cut && m->from->self->run_count == 1 && !page->option_count;
	page_facts(page, &m->from->self, 1, m->arena);
	page->version = m->from->version;
	page->measure = measure->name;
	page->dimension = measure->dimension;
	page->resolution =
		measure->dimension == DIMENSION_TIME ? m->summary->time_resolution_ps : 1;
	/* Means over ranks are between the values that were recorded. */
	if (m->summary->cube->divisor)
		page->resolution = 0;
	page->grid = page_grid(page);
	page->second = find_second(m->summary);
	page->confidence = m->summary->options.sample.confidence;
	page->overlap = m->summary->overlap;
	page->population = m->summary->options.sample.population;
	page->skip_absent = m->summary->options.skip_absent;
	page->step_time_of =
		m->from->self->times.time_ps ? step_time_name(m->from->self->times.kind) : NULL;
	page->not_in_ops = m->summary->all.base[0].not_in_ops;
}

static const struct total *find_total(const struct page_maker *m, const char *name)
{
	uint32_t id;

	return intern_find(m->total_names, name, strlen(name), &id)
		       ? &m->from->totals->total[m->total_at[id]]
		       : NULL;
}

/* Statistics of a series of steps, as the table of totals has them. */
static struct page_numbers numbers_of_total(struct page_maker *m, const char *name)
{
	const struct total *total = find_total(m, name);

	if (total && total->known)
		return page_numbers_of(&total->value, SIZE_MAX);
	return (struct page_numbers){
		.mean = NAN, .low = NAN, .high = NAN, .cv = NAN, .cv_run = NAN};
}

static const double *steps_of_total(const struct page_maker *m, const char *name)
{
	const struct total *total = find_total(m, name);

	return total ? total->step : NULL;
}

/* ---- runs and steps ---- */

/* "warm-up": what became of a step, as the page has it. */
static const char *page_fate(enum step_fate fate)
{
	static const char *const fates[] = {
		[STEP_KEPT] = "yes",
		[STEP_OTHER_KIND] = "other kind",
		[STEP_WARMUP] = "warm-up",
		[STEP_NOT_CHOSEN] = "not chosen",
		[STEP_OF_LEFT_OUT_RUN] = "run left out",
	};

	return fates[fate];
}

static double at(const double *series, size_t step)
{
	return series ? series[step] : NAN;
}

/* The sum of the first measure over the ops: of time it is in the totals. */
static const double *op_totals(struct page_maker *m)
{
	const struct cube *self = m->from->self;
	double *total;
	bool *known;

	if (m->page->dimension == DIMENSION_TIME && steps_of_total(m, "op_time"))
		return steps_of_total(m, "op_time");
	total = arena_array(m->arena, self->step_count, sizeof(*total));
	known = arena_array(m->arena, self->step_count, sizeof(*known));
	steps_totals(self, m->summary->options.measure[0], total, known);
	for (size_t s = 0; s < self->step_count; s++)
		total[s] = known[s] ? total[s] : NAN;
	return total;
}

/* Marks the outliers of the run, and gives its mean. */
static void describe_run(const struct web_page *page, struct page_run *run, bool *outlier)
{
	struct arena *scratch = arena_new();
	double *x = arena_array(scratch, run->count, sizeof(*x)), sum = 0;
	size_t *step = arena_array(scratch, run->count, sizeof(*step)), n = 0;
	size_t *odd = arena_array(scratch, run->count, sizeof(*odd)), outliers;

	for (size_t s = run->first; s < run->first + run->count; s++) {
		const double value = page->step[s].value;

		if (!page->step[s].kept || isnan(value))
			continue;
		step[n] = s;
		x[n++] = value;
		sum += value;
	}
	run->mean = n ? sum / (double)n : NAN;
	outliers = sample_outliers(x, n, odd);
	for (size_t i = 0; i < outliers; i++)
		outlier[step[odd[i]]] = true;
	arena_free(scratch);
}

static void fill_steps(struct page_maker *m)
{
	const struct cube *self = m->from->self;
	const struct step_set *steps = m->summary->steps;
	const double *time = steps_of_total(m, "step_time");
	const double *ops = op_totals(m);
	struct web_page *page = m->page;

	page->has_step_time = m->summary->all.has_time && page->dimension == DIMENSION_TIME &&
			      m->summary->all.time.mean > 0;
	page->run_count = self->run_count;
	page->run = arena_array(m->arena, page->run_count, sizeof(*page->run));
	page->step_count = self->step_count;
	page->kept_count = steps->count;
	page->step = arena_array(m->arena, page->step_count, sizeof(*page->step));
	for (size_t s = 0; s < self->step_count; s++)
		page->step[s] = (struct page_step){.kept = steps->fate[s] == STEP_KEPT,
			.value = at(page->has_step_time ? time : ops, s),
			.op_time = at(ops, s)};
	for (size_t r = 0; r < self->run_count; r++)
		page->run[r] = (struct page_run){.name = self->run[r].name,
			.first = self->run[r].step_first,
			.count = self->run[r].step_count};
}

void page_runs_add(struct report *report, struct table *table, const char *side,
	const struct cube *self, const struct step_set *steps, const double *value)
{
	for (size_t r = 0; r < self->run_count; r++) {
		const struct run *run = &self->run[r];
		size_t kept = 0;

		for (size_t s = 0; s < run->step_count; s++)
			kept += steps->fate[run->step_first + s] == STEP_KEPT;
		const struct cell cell[] = {cell_text(side), cell_text(run->name),
			cell_integer((int64_t)kept),
			cell_integer((int64_t)(run->step_count - kept)), cell_real(value[r])};

		report_add_cells(report, table, cell + !side);
	}
}

static void add_runs(struct page_maker *m)
{
	struct table *table = drawn(m, "runs", PAGE_RUN_COLUMNS);
	double *mean = arena_array(m->arena, m->page->run_count, sizeof(*mean));

	for (size_t r = 0; r < m->page->run_count; r++)
		mean[r] = m->page->run[r].mean;
	page_runs_add(m->report, table, NULL, m->from->self, m->summary->steps, mean);
}

/* The step, the sum of its rows, and what is in none of them. */
static void add_step(struct page_maker *m)
{
	const struct web_page *page = m->page;
	const struct page_numbers *total = &page->total.number,
				  time = numbers_of_total(m, "step_time"),
				  *step = page->has_step_time ? &time : total;
	const char *const name = page->has_step_time ? "step time"
				 : page->dimension == DIMENSION_TIME
					 ? "op time"
					 : arena_printf(m->arena, "sum of %s", page->measure);
	const struct {
		const char *of;
		struct page_numbers number;
	} row[] = {{name, *step}, {page->total.label, *total},
		{"in no op", {NAN, NAN, NAN, NAN, NAN, page->not_in_ops, NAN}}};
	struct table *table =
		drawn(m, "step", "of mean:v low:v high:v cv:f cvrun:f jitter:f second:b");

	for (size_t i = 0; i < COUNT(row) - isnan(page->not_in_ops); i++) {
		const struct page_numbers *of = &row[i].number;

		report_add_cells(m->report, table,
			(const struct cell[]){cell_text(row[i].of), cell_real(of->mean),
				cell_real(of->low), cell_real(of->high), cell_real(of->cv),
				cell_real(of->cv_run), cell_real(i ? of->jitter : NAN),
				cell_real(i ? of->second : NAN)});
	}
	report_give_units(table, m->from->opt);
}

/* The value of each step, and of its neighbours. */
static void add_levels(struct page_maker *m)
{
	const struct web_page *page = m->page;
	struct table *table = drawn(m, "levels", "run step kept time:v level:v total:v outlier:n");
	double *value = arena_array(m->arena, page->step_count, sizeof(*value));
	bool *outlier = arena_array(m->arena, page->step_count, sizeof(*outlier));
	const char **label = phrase_steps(m->arena, m->from->self);
	const double *level;

	for (size_t s = 0; s < page->step_count; s++)
		value[s] = page->step[s].value;
	level = page_levels(page, value, m->arena);
	for (size_t r = 0; r < page->run_count; r++) {
		struct page_run *run = &page->run[r];

		describe_run(page, run, outlier);
		for (size_t s = run->first; s < run->first + run->count; s++)
			/* "3 (2nd)" is no number. */
			report_add_cells(m->report, table,
				(const struct cell[]){cell_text(run->name),
					strchr(label[s], ' ')
						? cell_text(label[s])
						: cell_integer(strtoll(label[s], NULL, 10)),
					cell_text(page_fate(m->summary->steps->fate[s])),
					cell_real(value[s]), cell_real(level[s]),
					cell_real(page->step[s].op_time),
					cell_integer(outlier[s])});
	}
}

/* ---- devices ---- */

/* The parts of the window in order, then those of compute and of idle. */
static const struct {
	const char *name, *title;
	bool of_idle, of_compute;
} parts[] = {
	{"compute", "compute", false, false},
	{"communication_alone", "communication alone", false, false},
	{"copies_alone", "copies alone", false, false},
	{"idle", "idle", false, false},
	{"communication_hidden", "communication hidden", false, true},
	{"idle_host_late", "the host was late", true, false},
	{"idle_waiting", "waited for a stream", true, false},
	{"idle_short_gaps", "gaps between kernels", true, false},
};

static void add_row(struct page_maker *m, const struct page_device *device, const char *part,
	const char *of, const struct page_numbers *number)
{
	report_add_cells(m->report, m->parts,
		(const struct cell[]){cell_text(device->name), cell_text(part), cell_text(of),
			cell_real(number->mean), cell_real(number->mean / device->window),
			cell_real(number->low), cell_real(number->high)});
}

/* Rows of the work of the host while it was late. */
static void add_causes(struct page_maker *m, const struct page_device *device, const char *name,
	enum step_series_kind kind, const char *of)
{
	struct device_cause *cause;
	const size_t n =
		device_causes_find(m->from->self, m->summary->steps, name, kind, m->arena, &cause);

	for (size_t i = 0; i < n; i++) {
		const struct page_numbers number = numbers_of_total(
			m, arena_printf(m->arena, "%s_%s",
				   step_series_place(m->arena, name, cause[i].name),
				   step_series_name(kind)));

		if (!isnan(number.mean))
			add_row(m, device, cause[i].name, of, &number);
	}
}

/* Idle less its causes, so that the parts add up to the window. */
static void add_no_cause(struct page_maker *m, struct page_device *device)
{
	struct page_part rest = {.name = PAGE_NO_CAUSE, .mean = NAN, .of_idle = true};
	const size_t count = m->page->step_count;
	double *value = arena_array(m->arena, count, sizeof(*value));
	size_t causes = 0;

	for (size_t i = 0; i < device->part_count; i++) {
		const struct page_part *part = &device->part[i];

		if (!part->is_idle && !part->of_idle)
			continue;
		causes += part->of_idle;
		rest.mean = part->is_idle ? part->mean : rest.mean - part->mean;
		for (size_t s = 0; s < count; s++)
			if (part->is_idle)
				value[s] = part->value[s];
			else if (!isnan(part->value[s]))
				value[s] = fmax(value[s] - part->value[s], 0);
	}
	rest.value = value;
	if (!causes || !(rest.mean >= m->page->grid / 2))
		return;
	device->part[device->part_count++] = rest;
	add_row(m, device, rest.name, "idle",
		&(struct page_numbers){.mean = rest.mean, .low = NAN, .high = NAN});
}

static void fill_device(struct page_maker *m, struct page_device *device, const char *name)
{
	const struct page_numbers window =
		numbers_of_total(m, arena_printf(m->arena, "%s_window", name));

	*device = (struct page_device){.name = phrase_device(name), .window = window.mean};
	if (!(device->window > 0))
		return;
	add_row(m, device, "window", NULL, &window);
	device->part = arena_array(m->arena, COUNT(parts) + 1, sizeof(*device->part));
	for (size_t i = 0; i < COUNT(parts); i++) {
		const char *total = arena_printf(m->arena, "%s_%s", name, parts[i].name);
		const double *value = steps_of_total(m, total);
		const struct page_numbers number = numbers_of_total(m, total);

		if (!value || isnan(number.mean))
			continue;
		device->part[device->part_count++] = (struct page_part){.name = parts[i].title,
			.value = value,
			.mean = number.mean,
			.is_idle = text_equal(parts[i].name, "idle"),
			.of_idle = parts[i].of_idle,
			.of_compute = parts[i].of_compute};
		add_row(m, device, parts[i].title,
			parts[i].of_idle      ? "idle"
			: parts[i].of_compute ? "compute"
					      : "window",
			&number);
	}
	add_no_cause(m, device);
	add_causes(m, device, name, SERIES_LATE_OUTERMOST, "host late, outermost");
	add_causes(m, device, name, SERIES_LATE_INNERMOST, "host late, innermost");
	m->page->devices_count += device->part_count > 0;
}

static void fill_devices(struct page_maker *m)
{
	const char **name;
	const size_t count = step_series_devices(&m->from->self->series, m->arena, &name);

	if (!count)
		return;
	m->parts = drawn(m, "parts", "device part of mean:t share:f low:t high:t");
	m->page->devices = arena_array(m->arena, count, sizeof(*m->page->devices));
	for (size_t d = 0; d < count; d++)
		fill_device(m, &m->page->devices[m->page->devices_count], name[d]);
}

/* ---- ranks ---- */

static bool is_of_group(const char *a, const char *b)
{
	return a && b ? text_equal(a, b) : a == b;
}

static bool is_culprit(const struct job_ranks *ranks, size_t rank)
{
	for (size_t i = 0; i < ranks->culprit_count; i++)
		if (ranks->culprit[i].row == RANK_CULPRITS_WHOLE && ranks->culprit[i].rank == rank)
			return true;
	return false;
}

/* The work of all ranks of this group over its median rank. */
static void fill_excess(const struct page_maker *m, const struct job_ranks *ranks,
	const char *group, double **excess, double *mean)
{
	struct arena *scratch = arena_new();
	/* The median rank of each kept step, of the ranks of this group; NaN: none has the step. */
	const size_t count = ranks->of->count;
	double *median = arena_array(scratch, ranks->steps, sizeof(*median));
	double *x = arena_array(scratch, count, sizeof(*x));

	for (size_t s = 0; s < ranks->steps; s++) {
		size_t n = 0;

		for (size_t r = 0; r < count; r++)
			if (is_of_group(ranks->of->rank[r].group, group) &&
				!isnan(ranks->work_of_step_ps[r * ranks->steps + s]))
				x[n++] = ranks->work_of_step_ps[r * ranks->steps + s];
		number_sort(x, n);
		median[s] = !n ? NAN : (x[(n - 1) / 2] + x[n / 2]) / 2;
	}

	for (size_t r = 0; r < count; r++) {
		double sum = 0;
		size_t n = 0;

		if (!is_of_group(ranks->of->rank[r].group, group))
			continue;
		excess[r] = arena_array(m->arena, ranks->steps, sizeof(*excess[r]));
		for (size_t s = 0; s < ranks->steps; s++) {
			excess[r][s] = ranks->work_of_step_ps[r * ranks->steps + s] - median[s];
			if (isnan(excess[r][s]))
				continue;
			sum += excess[r][s];
			n++;
		}
		mean[r] = n ? sum / (double)n : NAN;
	}
	arena_free(scratch);
}

/* Most cells of ranks and steps for which the excess of each step is added; more cannot be looked
 * at. */
#define RANK_CELLS_MOST 60000

/* The rows are in the order of the table of ranks. */
static void add_excess(struct page_maker *m, const struct job_ranks *ranks)
{
	const size_t count = ranks->of->count;
	const bool all = count <= RANK_CELLS_MOST / (ranks->steps ? ranks->steps : 1);
	double **excess = arena_array(m->arena, count, sizeof(*excess));
	double *mean = arena_array(m->arena, count, sizeof(*mean));
	struct table *table = count ? drawn(m, "excess", "rank mean:t culprit:n steps:t") : NULL;

	m->page->rank_count = count;
	for (size_t r = 0; r < count; r++) {
		const struct job_rank *rank = &ranks->of->rank[r];

		if (!excess[r])
			fill_excess(m, ranks, rank->group, excess, mean);
		m->page->grouped |=
			rank->group && !is_of_group(rank->group, ranks->of->rank[0].group);
		report_add_cells(m->report, table,
			(const struct cell[]){cell_text(rank->name), cell_real(mean[r]),
				cell_integer(is_culprit(ranks, r)),
				page_list(m->arena, all ? excess[r] : NULL, ranks->steps)});
	}
}

void build_page(struct report *report, const struct page_source *from)
{
	struct page_maker m = {.page = arena_alloc(report->arena, sizeof(struct web_page)),
		.from = from,
		.summary = from->summary[PAGE_NAME],
		.report = report,
		.arena = report->arena};
	const struct measure *measure = measure_at(m.summary->options.measure[0]);

	if (measure->kind == MEASURE_STATIC)
		return;
	describe_whole(&m);

	/* The place of each total by its name, since a file may have thousands of devices. */
	const struct totals *totals = m.from->totals;

	m.total_names = intern_new(m.arena);
	m.total_at = arena_array(m.arena, totals->count, sizeof(*m.total_at));
	for (size_t i = 0; i < totals->count; i++) {
		const char *name = totals->total[i].name;
		const size_t known = intern_count(m.total_names);
		const uint32_t id = intern_id(m.total_names, name, strlen(name));

		if (id == known)
			m.total_at[id] = i;
	}
	fill_steps(&m);
	fill_devices(&m);
	if (from->summary[PAGE_SCOPE])
		page_scopes_add(from, report);
	for (enum page_kind kind = 0; kind < PAGE_SCOPE; kind++)
		if (from->summary[kind])
			page_rows_fill(m.page, kind, from, report);
	m.page->total.label =
		m.summary->options.of_selected && !m.summary->overlap ? "selected ops" : "all ops";
	m.page->total.number =
		page_numbers_of(m.summary->all.total, page_second_measure(m.page, m.summary));
	add_levels(&m);
	add_runs(&m);
	add_step(&m);
	page_stacks_add(m.page, report, from->opt);
	if (from->opt->ranks)
		add_excess(&m, from->opt->ranks);
	report->page = m.page;
}
