# Tables for other programs: databases, SQL, observations, single events.
noinst_LIBRARIES += libexport.a
libexport_a_SOURCES = \
	export/database.c \
	export/database.h \
	export/event_source.c \
	export/event_source.h \
	export/observation_cells.c \
	export/observation_cells.h \
	export/obs_writer.c \
	export/obs_writer.h \
	export/observations.c \
	export/observations.h \
	export/observations_obs.c \
	export/op_series.c \
	export/op_series.h \
	export/parquet/parquet_writer.c \
	export/parquet/parquet_writer.h \
	export/queries.c \
	export/queries.h \
	export/sink_files.c \
	export/sink_files.h \
	export/table.h \
	export/tables.c \
	export/tables.h
