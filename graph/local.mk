# tfprof's model of a run: nodes, executions and their accounting; no formats.
noinst_LIBRARIES += libgraph.a
libgraph_a_SOURCES = \
	graph/exec_pack.c \
	graph/exec_pack.h \
	graph/graph.c \
	graph/graph.h \
	graph/graph_build.c \
	graph/graph_detail.c \
	graph/graph_detail.h \
	graph/host_trace.c \
	graph/host_trace.h \
	graph/step_stats.c \
	graph/step_stats.h \
	graph/step_stats_host.c \
	graph/step_stats_parts.h
