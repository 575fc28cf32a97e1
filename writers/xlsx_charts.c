/* Charts by libxlsxwriter. Its error bars have one length for a series, so that each interval is a
 * series of its own: a bar without colour that ends at the low end, and an error bar from there to
 * the high end. */
#include "writers/xlsx.h"

#include <math.h>
#include <stdlib.h>
#include "base/order.h"
#include "base/text.h"
#include "writers/writer.h"

#define CHART_WIDTH 920
#define CHART_HEIGHT 440
#define CHART_LINES 23	 /* of the sheet, below one chart */
#define COPIES_COLUMN 16 /* right of the charts */
#define COPIES_BEFORE 4	 /* name, value, low, high */
#define BARS_MOST 10
#define RUNS_MOST 12
#define INTERVAL_MOST 2.5 /* times the longest bar: what is drawn of an interval */

#define COLOR_BAR 0x5B9FDE
#define COLOR_MORE 0xD0702F
#define COLOR_LESS 0x5B9FDE
#define COLOR_ERROR 0x14181C
#define COLOR_GRID 0xE1E5E8

struct bar {
	const char *name;
	double value, low, high; /* NaN: no interval */
	double size;		 /* by which the largest are chosen */
	size_t line;		 /* of its sheet; ties keep this order */
};

struct bars {
	struct bar *bar;
	size_t count;
	const char *title, *axis, *number_format, *value_name;
	bool is_change; /* above and below 0 */
};

/* ---- columns ---- */

static size_t find(const struct xlsx_written *written, const char *measure, const char *stat)
{
	for (size_t c = 0; written->name && c < written->columns; c++) {
		const struct column *column = &written->table->column[c];

		if (column->stat && text_equal(column->stat, stat) &&
			(measure ? column->measure && text_equal(column->measure, measure)
				 : !column->measure))
			return c;
	}
	return SIZE_MAX;
}

/* The first column of this statistic, of whatever measure. */
static size_t find_first(const struct xlsx_written *written, const char *stat)
{
	for (size_t c = 0; written->name && c < written->columns; c++)
		if (written->table->column[c].measure && written->table->column[c].stat &&
			text_equal(written->table->column[c].stat, stat))
			return c;
	return SIZE_MAX;
}

static const struct cell *cell_of(const struct xlsx_written *written, size_t line, size_t c)
{
	return &written->table->row[written->row[line]].cell[c];
}

static double number(const struct xlsx_written *written, size_t line, size_t c)
{
	return c == SIZE_MAX
		       ? NAN
		       : xlsx_cell_number(&written->table->column[c], cell_of(written, line, c));
}

static const char *text_of(const struct xlsx_written *written, size_t line, size_t c)
{
	const struct cell *cell = c == SIZE_MAX ? NULL : cell_of(written, line, c);

	return cell && cell->kind == CELL_TEXT && cell->text ? cell->text : "";
}

/* Times are in us in the cells; the axis counts in what suits the largest. */
static const char *axis_format(const struct column *column, double largest)
{
	const char *key = writer_column_unit_key(column);
	const bool is_time = text_equal(key, "us");

	if (column->dimension == DIMENSION_FRACTION)
		return "#,##0.##\"%\"";
	if (is_time && largest >= 1e6)
		return "#,##0.0#,,\" s\"";
	if (is_time && largest >= 1e3)
		return "#,##0.##,\" ms\"";
	if (is_time)
		return "#,##0.##\" us\"";
	if (text_equal(key, "bytes") && largest >= 1e6)
		return "#,##0.0#,,\" MB\"";
	return "#,##0.##";
}

/* ---- a chart on the sheet ---- */

static lxw_chart *new_chart(struct xlsx_charts *charts, uint8_t type, const char *title)
{
	lxw_chart_font big = {.size = 12, .bold = true};
	lxw_chart *chart = charts->sheet ? workbook_add_chart(charts->book->workbook, type) : NULL;

	if (!chart) {
		if (charts->sheet)
			xlsx_check(charts->book, LXW_ERROR_MEMORY_MALLOC_FAILED);
		return NULL;
	}
	chart_title_set_name(chart, title);
	chart_title_set_name_font(chart, &big);
	return chart;
}

static lxw_chart_series *add_series(struct xlsx_charts *charts, lxw_chart *chart)
{
	lxw_chart_series *series = chart_add_series(chart, NULL, NULL);

	if (!series)
		xlsx_check(charts->book, LXW_ERROR_MEMORY_MALLOC_FAILED);
	return series;
}

static void place_chart(struct xlsx_charts *charts, lxw_chart *chart, size_t bars)
{
	/* 480 x 288 pixels without a scale. */
	lxw_chart_options options = {.x_scale = CHART_WIDTH / 480.0,
		.y_scale = (bars && bars < 5 ? CHART_HEIGHT * 0.6 : CHART_HEIGHT) / 288.0,
		.object_position = LXW_OBJECT_MOVE_DONT_SIZE};

	xlsx_check(charts->book,
		worksheet_insert_chart_opt(charts->sheet, charts->row, 0, chart, &options));
	charts->row += CHART_LINES;
	charts->count++;
	xlsx_check(charts->book,
		worksheet_print_area(charts->sheet, 0, 0, charts->row, COPIES_COLUMN - 2));
}

static void set_axis(lxw_chart_axis *axis, const char *name, const char *format, bool grid)
{
	lxw_chart_line line = {.color = COLOR_GRID, .width = 0.75};
	lxw_chart_font plain = {.size = 10, .bold = LXW_EXPLICIT_FALSE};

	if (name) {
		chart_axis_set_name(axis, name);
		chart_axis_set_name_font(axis, &plain);
	}
	if (format)
		chart_axis_set_num_format(axis, format);
	chart_axis_major_gridlines_set_visible(axis, grid);
	if (grid)
		chart_axis_major_gridlines_set_line(axis, &line);
}

/* ---- bars ---- */

ORDERED(compare_bars, struct bar, ORDER(y->size, x->size) ?: ORDER(x->line, y->line));

/* Adds an interval from its low end, where a bar without colour ends, to its high end. The bar
 * itself may end elsewhere, even outside. */
static void add_interval(struct xlsx_charts *charts, lxw_chart *chart, const struct bars *bars,
	size_t i, lxw_row_t top)
{
	const lxw_row_t last = top + (lxw_row_t)bars->count - 1;
	const lxw_col_t column = (lxw_col_t)(charts->beside + COPIES_BEFORE + i);
	lxw_chart_line line = {.color = COLOR_ERROR, .width = 1.25};
	lxw_chart_fill none = {.none = true};
	lxw_chart_series *series = add_series(charts, chart);

	if (!series)
		return;
	chart_series_set_categories(series, "charts", top, charts->beside, last, charts->beside);
	chart_series_set_values(series, "charts", top, column, last, column);
	chart_series_set_fill(series, &none);
	chart_series_set_error_bars(series->x_error_bars, LXW_CHART_ERROR_BAR_TYPE_FIXED,
		bars->bar[i].high - bars->bar[i].low);
	chart_series_set_error_bars_direction(series->x_error_bars, LXW_CHART_ERROR_BAR_DIR_PLUS);
	chart_series_set_error_bars_line(series->x_error_bars, &line);
}

static void add_bars(
	struct xlsx_charts *charts, lxw_chart *chart, const struct bars *bars, lxw_row_t top)
{
	const lxw_row_t last = top + (lxw_row_t)bars->count - 1;
	const lxw_col_t column = (lxw_col_t)(charts->beside + 1);
	lxw_chart_fill plain = {.color = COLOR_BAR}, less = {.color = COLOR_LESS},
		       more = {.color = COLOR_MORE};
	lxw_chart_point point[BARS_MOST], *points[BARS_MOST + 1] = {NULL};
	lxw_chart_series *series = add_series(charts, chart);

	if (!series)
		return;
	chart_series_set_categories(series, "charts", top, charts->beside, last, charts->beside);
	chart_series_set_values(series, "charts", top, column, last, column);
	chart_series_set_fill(series, &plain);
	for (size_t i = 0; i < bars->count; i++) {
		point[i] = (lxw_chart_point){.fill = bars->bar[i].value > 0 ? &more : &less};
		points[i] = &point[i];
	}
	if (bars->is_change)
		xlsx_check(charts->book, chart_series_set_points(series, points));
}

static bool has_interval(const struct bar *bar)
{
	return bar->high > bar->low;
}

/* The copies: name, value, low, high, then a column for each interval. */
static void write_copies(struct xlsx_charts *charts, const struct bars *bars, lxw_row_t top)
{
	const char *const names[] = {charts->row_noun, bars->value_name, "low", "high"};
	struct xlsx_place place = {charts->sheet, top - 1, charts->beside,
		xlsx_format(charts->book, XLSX_HEADER, false)};

	for (size_t i = 0; i < 4; i++, place.column++)
		xlsx_text(charts->book, &place, names[i]);
	xlsx_text(charts->book, &place, "where each interval begins, one a column");
	for (size_t i = 0; i < bars->count; i++) {
		const struct bar *bar = &bars->bar[i];

		place = (struct xlsx_place){
			charts->sheet, top + (lxw_row_t)i, charts->beside, NULL};
		xlsx_text(charts->book, &place, *bar->name ? bar->name : "(no name)");
		place.format = xlsx_format(charts->book, XLSX_FIXED + 2, false);
		place.column++;
		xlsx_number(charts->book, &place, bar->value);
		place.column++;
		xlsx_number(charts->book, &place, bar->low);
		place.column++;
		xlsx_number(charts->book, &place, bar->high);
		place.column = (lxw_col_t)(charts->beside + COPIES_BEFORE + i);
		if (has_interval(bar))
			xlsx_number(charts->book, &place, bar->low);
	}
	xlsx_width(charts->book, charts->sheet, charts->beside, 40);
	for (size_t i = 1; i < 4; i++)
		xlsx_width(charts->book, charts->sheet, (lxw_col_t)(charts->beside + i), 14);
}

/* An axis takes no notice of error bars. Where an interval is much longer than the bars, it leaves
 * the chart, so that the bars can be told apart. */
static void set_range(lxw_chart_axis *axis, const struct bars *bars)
{
	double least = 0, most = 0, low = 0, high = 0, far, unit;

	for (size_t i = 0; i < bars->count; i++) {
		const struct bar *bar = &bars->bar[i];

		least = fmin(least, bar->value);
		most = fmax(most, bar->value);
		low = fmin(low, isnan(bar->low) ? 0 : bar->low);
		high = fmax(high, isnan(bar->high) ? 0 : bar->high);
	}
	far = INTERVAL_MOST * fmax(most, -least);
	high = fmax(most, fmin(high, far));
	low = fmin(least, fmax(low, -far));
	if (!(high > low))
		return;

	double range = high - low;
	const double power = pow(10, floor(log10(range / 10))), part = range / 10 / power;

	unit = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
	chart_axis_set_min(axis, unit * floor(low / unit));
	chart_axis_set_max(axis, unit * ceil(high / unit));
	chart_axis_set_major_unit(axis, unit);
}

static void draw_bars(struct xlsx_charts *charts, struct bars *bars)
{
	const lxw_row_t top = charts->row + 1;
	lxw_chart *chart;

	/* The largest, the smallest of them first: a bar chart begins at the bottom. */
	if (bars->count)
		qsort(bars->bar, bars->count, sizeof(*bars->bar), compare_bars);
	if (bars->count > BARS_MOST)
		bars->count = BARS_MOST;
	for (size_t i = 0; i < bars->count / 2; i++) {
		const struct bar other = bars->bar[i];

		bars->bar[i] = bars->bar[bars->count - 1 - i];
		bars->bar[bars->count - 1 - i] = other;
	}
	chart = bars->count ? new_chart(charts, LXW_CHART_BAR, bars->title) : NULL;
	if (!chart)
		return;
	charts->beside = COPIES_COLUMN;
	write_copies(charts, bars, top);
	add_bars(charts, chart, bars, top);
	for (size_t i = 0; i < bars->count; i++)
		if (has_interval(&bars->bar[i]))
			add_interval(charts, chart, bars, i, top);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	chart_set_series_overlap(chart, 100);
	chart_set_series_gap(chart, 45);
	/* The bars lie: their values are along the x axis. */
	set_axis(chart->y_axis, NULL, NULL, false);
	if (bars->is_change)
		chart_axis_set_label_position(chart->y_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
	set_axis(chart->x_axis, bars->axis, bars->number_format, true);
	set_range(chart->x_axis, bars);
	place_chart(charts, chart, bars->count);
}

/* All lines with this column, with the interval of its measure. */
static void collect(const struct xlsx_charts *charts, const struct xlsx_written *written,
	size_t value, size_t size, struct bars *bars)
{
	const char *measure = written->table->column[value].measure;
	const size_t low = find(written, measure, "low"), high = find(written, measure, "high");

	bars->bar = arena_array(charts->arena, written->rows + 1, sizeof(*bars->bar));
	for (size_t line = 0; line < written->rows; line++) {
		const size_t cut = find(written, NULL, "short"), whole = find(written, NULL, "op");
		const char *name = text_of(written, line, cut);
		struct bar bar = {.name = *name ? name : text_of(written, line, whole),
			.value = number(written, line, value),
			.low = number(written, line, low),
			.high = number(written, line, high),
			.size = fabs(number(written, line, size)),
			.line = line};

		if (isnan(bar.value) || isnan(bar.size) || bar.size == 0)
			continue;
		bars->bar[bars->count++] = bar;
	}
}

static const char *column_name(const struct xlsx_charts *charts, const struct column *column)
{
	const char *name;
	struct text text;

	text_init(&text);
	writer_column_name(column, &text);
	name = arena_strdup(charts->arena, text_string(&text));
	text_release(&text);
	return name;
}

void xlsx_chart_rows(struct xlsx_charts *charts, const struct xlsx_written *ops)
{
	const size_t mean = find_first(ops, "mean");
	const struct column *column;
	struct bars bars = {0};

	/* A row for each run of an op is no bar of its own. */
	if (mean == SIZE_MAX || !charts->sheet)
		return;
	column = &ops->table->column[mean];
	collect(charts, ops, mean, mean, &bars);
	bars.title = arena_printf(charts->arena, "%s per step: the largest %zu of %zu rows (%s)",
		column->measure, bars.count < BARS_MOST ? bars.count : BARS_MOST, bars.count,
		charts->row_noun);
	bars.axis = "mean over the steps; line: its interval, from low to high, where there is one";

	double most = 0;

	for (size_t i = 0; i < bars.count; i++)
		most = fmax(most, bars.bar[i].size);
	bars.number_format = axis_format(column, most);
	bars.value_name = column_name(charts, column);
	draw_bars(charts, &bars);
}

void xlsx_chart_changes(struct xlsx_charts *charts, const struct xlsx_written *compared)
{
	const size_t change = find_first(compared, "change");
	const struct column *column;
	struct bars bars = {.is_change = true};

	if (change == SIZE_MAX || !charts->sheet)
		return;
	column = &compared->table->column[change];
	collect(charts, compared, change, find(compared, column->measure, "difference"), &bars);
	bars.title = arena_printf(charts->arena,
		"%s: change of the %zu rows (%s) that differ by most per step", column->measure,
		bars.count < BARS_MOST ? bars.count : BARS_MOST, charts->row_noun);
	bars.axis = "new divided by base, minus 1; line: its interval, from low to high";
	bars.number_format = axis_format(column, 0);
	bars.value_name = column_name(charts, column);
	draw_bars(charts, &bars);
}

void xlsx_chart_ranks(struct xlsx_charts *charts, const struct xlsx_written *ranks)
{
	const size_t excess = find(ranks, NULL, "excess_mean"), rank = find(ranks, NULL, "rank");
	const lxw_row_t last = (lxw_row_t)ranks->rows;
	lxw_chart_fill fill = {.color = COLOR_BAR};
	lxw_chart_series *series;
	double most = 0;
	lxw_chart *chart;

	if (excess == SIZE_MAX || rank == SIZE_MAX || ranks->rows < 2)
		return;
	chart = new_chart(
		charts, LXW_CHART_COLUMN, "Ranks: mean work above the median rank of the step");
	series = chart ? add_series(charts, chart) : NULL;
	if (!series)
		return;
	for (size_t i = 0; i < ranks->rows; i++)
		most = fmax(most, fabs(number(ranks, i, excess)));
	chart_series_set_categories(series, ranks->name, 1, (lxw_col_t)rank, last, (lxw_col_t)rank);
	chart_series_set_values(series, ranks->name, 1, (lxw_col_t)excess, last, (lxw_col_t)excess);
	chart_series_set_fill(series, &fill);
	chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	set_axis(chart->x_axis, "rank", NULL, false);
	chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
	set_axis(chart->y_axis, "sheet ranks, excess_mean",
		axis_format(&ranks->table->column[excess], most), true);
	place_chart(charts, chart, 0);
}

/* ---- steps ---- */

/* Column of the time of steps, as far as the source has it. */
static size_t time_of_steps(const struct xlsx_written *steps)
{
	static const char *const names[] = {"step_time", "wall", "op_time"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t c = find(steps, NULL, names[i]);

		if (c != SIZE_MAX)
			return c;
	}
	return SIZE_MAX;
}

static size_t end_of_run(const struct xlsx_written *steps, size_t line, size_t run)
{
	const char *name = text_of(steps, line, run);

	while (line < steps->rows && text_equal(text_of(steps, line, run), name))
		line++;
	return line;
}

static void add_run(struct xlsx_charts *charts, lxw_chart *chart, const struct xlsx_written *steps,
	size_t from, size_t end)
{
	const lxw_row_t first = (lxw_row_t)from + 1, last = (lxw_row_t)end;
	const lxw_col_t x = (lxw_col_t)find(steps, NULL, "step"),
			y = (lxw_col_t)time_of_steps(steps),
			run = (lxw_col_t)find(steps, NULL, "run");
	lxw_chart_series *series = add_series(charts, chart);

	if (!series)
		return;
	chart_series_set_categories(series, steps->name, first, x, last, x);
	chart_series_set_values(series, steps->name, first, y, last, y);
	chart_series_set_name_range(series, steps->name, first, run);
	chart_series_set_marker_type(series, LXW_CHART_MARKER_CIRCLE);
	chart_series_set_marker_size(series, 5);
}

void xlsx_chart_steps(struct xlsx_charts *charts, const struct xlsx_written *steps)
{
	const size_t time = time_of_steps(steps), run = find(steps, NULL, "run");
	size_t runs = 0, drawn = 0;
	lxw_chart *chart;

	if (time == SIZE_MAX || run == SIZE_MAX || find(steps, NULL, "step") == SIZE_MAX ||
		steps->rows < 2)
		return;
	for (size_t line = 0; line < steps->rows; line = end_of_run(steps, line, run))
		runs++;
	chart = new_chart(charts, LXW_CHART_SCATTER_STRAIGHT_WITH_MARKERS,
		arena_printf(charts->arena, "Every step: %s%s", steps->table->column[time].stat,
			runs > RUNS_MOST ? arena_printf(charts->arena,
						   " (the first %d of %zu runs)", RUNS_MOST, runs)
					 : ""));
	if (!chart)
		return;
	for (size_t line = 0, end; line < steps->rows && drawn < RUNS_MOST; line = end, drawn++) {
		end = end_of_run(steps, line, run);
		add_run(charts, chart, steps, line, end);
	}
	if (runs == 1)
		chart_legend_set_position(chart, LXW_CHART_LEGEND_NONE);
	else
		chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
	set_axis(chart->x_axis, "step; sheet steps says which are left out and why", "0", false);

	double most = 0;

	for (size_t i = 0; i < steps->rows; i++) {
		const double value = number(steps, i, time);

		most = isnan(value) ? most : fmax(most, value);
	}
	set_axis(chart->y_axis, steps->table->column[time].stat,
		axis_format(&steps->table->column[time], most), true);
	chart_axis_set_min(chart->y_axis, 0);
	place_chart(charts, chart, 0);
}
