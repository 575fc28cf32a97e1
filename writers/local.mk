# A writer for each format. They call the report and the page, which call them: one archive.
libreport_a_SOURCES += \
	writers/md_page.c \
	writers/md_page.h \
	writers/text_strips.c \
	writers/text_strips.h \
	writers/writer.c \
	writers/writer.h \
	writers/writer_csv.c \
	writers/writer_github.c \
	writers/writer_json.c \
	writers/writer_junit.c \
	writers/writer_md.c \
	writers/writer_tables.c \
	writers/writer_text.c \
	writers/writer_xlsx.c \
	writers/writers.def \
	writers/xlsx.h \
	writers/xlsx_book.c \
	writers/xlsx_charts.c \
	writers/xlsx_table.c
