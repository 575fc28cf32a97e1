# Results as sections and tables, and the writers of each format.
noinst_LIBRARIES += libreport.a
libreport_a_SOURCES = \
	report/build.c \
	report/build.h \
	report/build_compare.c \
	report/build_compare.h \
	report/build_notebook.c \
	report/build_notes.c \
	report/build_notes.h \
	report/build_ops.c \
	report/build_ops.h \
	report/build_report.c \
	report/csv_field.c \
	report/csv_field.h \
	report/observations.c \
	report/observations.h \
	report/observations_obs.c \
	report/op_series.c \
	report/op_series.h \
	report/report.h \
	report/short_names.c \
	report/short_names.h \
	report/writer.c \
	report/writer.h \
	report/writer_cell.c \
	report/writer_check.c \
	report/writer_check.h \
	report/writer_csv.c \
	report/writer_github.c \
	report/writer_json.c \
	report/writer_junit.c \
	report/writer_md.c \
	report/writer_obs.c \
	report/writer_text.c \
	report/writers.def
