/*
 * The sheet of charts: the largest rows with their intervals, the steps of each run, the ranks.
 * Charts draw cells of the other sheets, or cells beside themselves that are copies of those.
 */
#ifndef STEPSTAT_WRITERS_XLSX_CHARTS_H
#define STEPSTAT_WRITERS_XLSX_CHARTS_H

#include "writers/xlsx_table.h"

struct xlsx_charts {
	struct xlsx_book *book;
	lxw_worksheet *sheet; /* "charts" */
	struct arena *arena;
	const char *row_noun; /* over the names of rows: "op", "type" */
	size_t count;	      /* charts so far */
	lxw_row_t row;	      /* where the next one stands */
	lxw_col_t beside;     /* the next free column for copies */
};

/* Each draws its chart where the sheets hold what it needs. */
void xlsx_chart_rows(struct xlsx_charts *charts, const struct xlsx_written *ops);
void xlsx_chart_changes(struct xlsx_charts *charts, const struct xlsx_written *compared);
void xlsx_chart_steps(struct xlsx_charts *charts, const struct xlsx_written *steps);
void xlsx_chart_ranks(struct xlsx_charts *charts, const struct xlsx_written *ranks);

#endif
