# tfprof's own command line, views and outputs.
noinst_LIBRARIES += libtfprof.a
libtfprof_a_SOURCES = \
	tfprof/advise.c \
	tfprof/advise.h \
	tfprof/code_tree.c \
	tfprof/code_tree.h \
	tfprof/filter.c \
	tfprof/format.c \
	tfprof/line.c \
	tfprof/members.c \
	tfprof/members.h \
	tfprof/model.c \
	tfprof/model.h \
	tfprof/options.c \
	tfprof/options.h \
	tfprof/output.c \
	tfprof/output.h \
	tfprof/regex.cc \
	tfprof/regex.h \
	tfprof/result_proto.c \
	tfprof/result_proto.h \
	tfprof/tensor_value.c \
	tfprof/tensor_value.h \
	tfprof/timeline.c \
	tfprof/timeline.h \
	tfprof/timeline_graph.c \
	tfprof/timeline_graph.h \
	tfprof/timeline_json.c \
	tfprof/timeline_json.h \
	tfprof/timeline_memory.c \
	tfprof/timeline_tree.c \
	tfprof/tree.c \
	tfprof/tree.h \
	tfprof/values.c \
	tfprof/view.h \
	tfprof/view_code.c \
	tfprof/view_graph.c \
	tfprof/view_op.c \
	tfprof/view_op_text.c \
	tfprof/view_op_text.h \
	tfprof/view_scope.c \
	tfprof/view_text.c \
	tfprof/word_list.c \
	tfprof/word_list.h
