# Which ops, under which name, grouped how.
noinst_LIBRARIES += libselect.a
libselect_a_SOURCES = \
	select/classes.c \
	select/grouping.c \
	select/grouping.h \
	select/name_map.c \
	select/name_map.h \
	select/pattern.c \
	select/pattern.h \
	select/rename.c \
	select/rename.h \
	select/scopes.c \
	select/scopes.h \
	select/rules.c \
	select/rules.h \
	select/rules_yaml.c \
	select/run_names.c \
	select/run_names.h \
	select/log_pattern.c \
	select/log_pattern.h \
	select/step_marker.c \
	select/step_marker.h \
	select/user_code.c \
	select/user_code.h \
	select/yaml_reader.c \
	select/yaml_reader.h
