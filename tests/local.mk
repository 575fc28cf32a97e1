# All tests speak TAP. A new unit test, fuzz target, golden area or lint is one line in its list
# (a fuzz target has a second one for its sources); tests/lint/lists.sh finds what was forgotten.
EXTRA_DIST += tests/run-golden $(lint_tests) tests/lint/strip.awk tests/fuzz/build tests/data tests/ref tests/fuzz/corpus

unit_tests = \
	tests/unit/test_arena \
	tests/unit/test_error \
	tests/unit/test_intern \
	tests/unit/test_memory \
	tests/unit/test_nist \
	tests/unit/test_number \
	tests/unit/test_outfile \
	tests/unit/test_rules \
	tests/unit/test_runs \
	tests/unit/test_sample \
	tests/unit/test_text \
	tests/unit/test_unit \
	tests/unit/test_vec \
	tests/unit/test_writer \
	tests/unit/test_writer_csv \
	tests/unit/test_writer_json \
	tests/unit/test_writer_md \
	tests/unit/test_writer_text

fuzz_tests = \
	tests/fuzz/fuzz_rules

# One entry for each folder of tests/golden.
golden_areas =

lint_tests = \
	tests/lint/headers.sh \
	tests/lint/layers.sh \
	tests/lint/lists.sh \
	tests/lint/style.sh

if ENABLE_TESTS
check_PROGRAMS += $(unit_tests) $(fuzz_tests)
TESTS += $(lint_tests) $(unit_tests) $(fuzz_tests) $(golden_areas)
else
check-local:
	@echo 'configured with --disable-tests: nothing to check' >&2; exit 1
endif

# tests/unit/test_X is made of tests/unit/test_X.c and the archives below it.
LDADD = $(stepstat_libs) $(CMOCKA_LIBS)
tests_fuzz_fuzz_rules_SOURCES = tests/fuzz/fuzz_rules.c tests/fuzz/replay_main.c

TEST_EXTENSIONS = .sh .area
LOG_DRIVER = env CMOCKA_MESSAGE_OUTPUT=TAP AM_TAP_AWK='$(AWK)' \
	$(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AREA_LOG_DRIVER = $(LOG_DRIVER)
AREA_LOG_COMPILER = $(SHELL) $(srcdir)/tests/run-golden
AM_TESTS_ENVIRONMENT = \
	PATH='$(abs_builddir)'$(PATH_SEPARATOR)"$$PATH"; export PATH; \
	LC_ALL=C; export LC_ALL; \
	top_srcdir='$(abs_srcdir)'; export top_srcdir; \
	CC='$(CC)'; export CC; \
	LINT_CPPFLAGS='-I$(abs_srcdir) -I$(abs_builddir) $(CPPFLAGS)'; export LINT_CPPFLAGS;

# A golden area is a folder; make wants a file to stand for it.
$(golden_areas):
	$(AM_V_at): > $@
CLEANFILES += $(golden_areas)

update-golden: stepstat
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/run-golden --update $(golden_areas)

# libFuzzer versions of the fuzz targets, in fuzz/; needs clang.
FUZZ_CC = clang
fuzz: $(BUILT_SOURCES)
	@$(AM_TESTS_ENVIRONMENT) FUZZ_CC='$(FUZZ_CC)' \
	FUZZ_LIBS='$(CSV_LIBS) $(GSL_LIBS) $(PROTOBUF_C_LIBS) $(PCRE2_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) -lm' \
	$(SHELL) $(srcdir)/tests/fuzz/build $(fuzz_tests)

bench: stepstat
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/tests/bench/run

clean-local:
	rm -rf tests/golden-*.dir fuzz

# Results of `make distcheck` are gone with its folder unless the caller names another one.
installcheck-local:
	"$(DESTDIR)$(bindir)/stepstat" --version
	@if test -n "$$STEPSTAT_TRS"; then \
		find . -name '*.trs' | while read -r f; do \
			cp "$$f" "$$STEPSTAT_TRS/`echo "$$f" | sed 's,^\./,,; s,/,-,g'`" || exit 1; \
		done; \
	fi

.PHONY: bench fuzz update-golden
