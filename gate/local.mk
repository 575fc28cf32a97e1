# What a gate demands, and what it finds in a comparison.
noinst_LIBRARIES += libgate.a
libgate_a_SOURCES = \
	gate/findings.c \
	gate/findings.h \
	gate/policies.c \
	gate/policies.h \
	gate/policy_keys.def \
	gate/policies_diff.c \
	gate/policies_diff.h \
	gate/policies_parts.h \
	gate/policies_values.c \
	gate/policies_yaml.c
