/* Variance between and within runs: the NIST one-way sets, dyestuff (Davies & Goldsmith; Box &
 * Tiao) and an unbalanced layout against R. */
#include "tests/ref/values.h"

#include <gsl/gsl_errno.h>
#include <zlib.h>
#include "stats/levels.h"
#include "stats/tests.h"
#include "tests/unit/test.h"

#define ANOVA "tests/data/stats/nist-anova/"
#define REFERENCE "tests/data/stats/reference.csv"

enum { ROOM = 18010, GROUPS = 25 };
enum { N_GROUPS, N, MSB, MSW, F, CAP_MSB, CAP_MSW, CAP_F };

struct layout {
	double x[ROOM];
	size_t first[GROUPS + 1];
	size_t runs;
};

/* Lines "group value" from line 61 on. exact: without the decimal point, which
 * multiplies all values of a set by the same power of ten, so that they are whole numbers. */
static void read_nist(const char *set, bool exact, struct layout *out, double *scale)
{
	const char *top = getenv("top_srcdir");
	char path[4096], line[256];
	size_t n = 0, last = 0;
	int lines = 0;
	gzFile file;

	snprintf(path, sizeof(path), "%s/%s%s.dat.gz", top ? top : ".", ANOVA, set);
	file = gzopen(path, "rb");
	assert_non_null(file);
	out->runs = 0;
	*scale = 1;
	while (gzgets(file, line, sizeof(line))) {
		size_t group, length;
		char text[64], *point;
		const bool pair = sscanf(line, "%zu %63s", &group, text) == 2;

		if (++lines <= 60 || !pair)
			continue;
		point = strchr(text, '.');
		if (exact && point) {
			*scale = pow(10, (double)strlen(point + 1));
			memmove(point, point + 1, strlen(point));
		}
		length = strlen(text);
		if (group != last)
			out->first[out->runs++] = n;
		last = group;
		assert_true(n < ROOM && number_parse_real(text, length, &out->x[n]));
		n++;
	}
	gzclose(file);
	out->first[out->runs] = n;
}

/* The certified values have 15 digits. */
static void check_digits(const char *what, double got, double want, double digits)
{
	ref_near(what, got, want, 1.2 * pow(10, -digits) + 5e-15);
}

/* The same sets as levels: groups as sessions, all of one size. */
static void check_levels(const char *set, const struct layout *layout, const double *want)
{
	const size_t n = layout->first[layout->runs], size = n / layout->runs;
	size_t *session = calloc(n, sizeof(*session));
	const struct levels_data data = {n, layout->x, NULL, NULL, session, NULL};
	struct levels l;

	for (size_t i = 0; i < n; i++)
		session[i] = i / size;
	levels_estimate(&data, 0.95, &l);
	check_digits(
		set, l.part[LEVEL_SESSION].square * (double)size, want[MSB], want[CAP_MSB] - 0.5);
	check_digits(set, l.part[LEVEL_RUN].square, want[MSW], want[CAP_MSW] - 0.5);
	free(session);
}

TEST(nist_sets)
{
	static const char *const sets[] = {"SiRstv", "AtmWtAg", "SmLs01", "SmLs02", "SmLs03",
		"SmLs04", "SmLs05", "SmLs06", "SmLs07", "SmLs08", "SmLs09"};
	struct layout *layout = calloc(1, sizeof(*layout));

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		char start[32];
		double want[9], scale;
		struct oneway o;

		snprintf(start, sizeof(start), "%s", sets[i]);
		assert_int_equal(ref_row(ANOVA "certified.csv", start, want, 9), 9);
		read_nist(sets[i], false, layout, &scale);
		oneway_describe(layout->x, layout->first, layout->runs, &o);
		assert_int_equal(o.runs, (int)want[N_GROUPS]);
		assert_int_equal(o.n, (int)want[N]);
		check_digits(sets[i], o.ms_between, want[MSB], want[CAP_MSB] - 0.5);
		check_digits(sets[i], o.ms_within, want[MSW], want[CAP_MSW] - 0.5);
		check_digits(sets[i], o.f, want[F], want[CAP_F] - 0.5);
		check_levels(sets[i], layout, want);
		read_nist(sets[i], true, layout, &scale);
		oneway_describe(layout->x, layout->first, layout->runs, &o);
		check_digits(sets[i], o.ms_between / scale / scale, want[MSB], 13);
		check_digits(sets[i], o.ms_within / scale / scale, want[MSW], 13);
		check_digits(sets[i], o.f, want[F], 13);
	}
	free(layout);
}

static double reference(const char *set, const char *quantity)
{
	char start[128];

	snprintf(start, sizeof(start), "\"%s\",\"one-way random effects (ANOVA)\",\"%s\",\"", set,
		quantity);
	return ref_column(REFERENCE, start, 0);
}

static void read_dyestuff(const char *set, double *x)
{
	char path[128], line[128];
	FILE *file;
	int n = 0;

	snprintf(path, sizeof(path), "tests/data/stats/textbook/%s.csv", set);
	file = ref_open(path);
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		char *s = line + 2;

		assert_true(n < 30 && ref_next(&s, &x[n]));
		n++;
	}
	fclose(file);
	assert_int_equal(n, 30);
}

static void check_dyestuff(const char *set, struct oneway *o)
{
	static const size_t first[] = {0, 5, 10, 15, 20, 25, 30};
	double x[30];

	read_dyestuff(set, x);
	oneway_describe(x, first, 6, o);
	ref_near(set, o->ms_between, reference(set, "MSB"), 1e-12);
	ref_near(set, o->ms_within, reference(set, "MSW"), 1e-12);
	ref_near(set, o->f, reference(set, "F"), 1e-12);
	ref_near(set, o->p, reference(set, "p"), 1e-11);
	ref_near(set, o->variance_between, reference(set, "var_between"), 1e-12);
	ref_near(set, o->variance_run, reference(set, "var_between_truncated"), 1e-12);
	ref_near(set, o->icc, reference(set, "ICC"), 1e-12);
	ref_near(set, o->se, reference(set, "se_grand_mean"), 1e-12);
	ref_near(set, o->mean, reference(set, "grand_mean"), 1e-12);
	ref_near(set, o->typical, 5, 1e-15);
}

TEST(dyestuff)
{
	struct oneway o;

	check_dyestuff("dyestuff", &o);
	assert_false(o.truncated);
	ref_near("design effect", o.design_effect, 1 + 4 * 0.418487414893366, 1e-13);
	check_dyestuff("dyestuff2", &o);
	assert_true(o.truncated);
	ref_near("design effect", o.design_effect, 1, 0);
}

TEST(runs_of_different_length)
{
	double x[11], want[8];
	size_t first[] = {0, 0, 0, 0, 0}, n = 0;
	struct oneway o;

	for (int k = 1; k <= 3; k++) {
		char name[32];

		snprintf(name, sizeof(name), "oneway.%d", k);
		n += ref_row(REF_COMPARE_SERIES, name, x + n, 11 - n);
		first[k] = n;
	}
	first[4] = n; /* a run without values counts as none */
	assert_int_equal(ref_row(REF_COMPARE, "oneway", want, 8), 7);
	oneway_describe(x, first, 4, &o);
	assert_int_equal(o.runs, 3);
	ref_near("MSB", o.ms_between, want[0], 1e-13);
	ref_near("MSW", o.ms_within, want[1], 1e-13);
	ref_near("F", o.f, want[2], 1e-13);
	ref_near("p", o.p, want[3], 1e-12);
	ref_near("typical", o.typical, want[4], 1e-14);
	ref_near("between", o.variance_between, want[5], 1e-13);
	ref_near("ICC", o.icc, want[6], 1e-13);
}

TEST(nothing_to_split)
{
	const double x[] = {1, 2, 3, 3};
	const size_t one[] = {0, 3}, singles[] = {0, 1, 2, 3}, flat[] = {2, 3, 4}, none[] = {0, 0};
	const double same[] = {5, 5, 5, 5}, apart[] = {5, 5, 6, 6};
	const size_t pairs[] = {0, 2, 4};
	struct oneway o;

	oneway_describe(x, one, 1, &o);
	assert_true(o.runs == 1 && o.n == 3 && o.mean == 2 && isnan(o.ms_within) && isnan(o.se));
	oneway_describe(x, singles, 3, &o);
	assert_true(o.runs == 3 && isnan(o.ms_within) && isnan(o.icc));
	oneway_describe(x, flat, 2, &o);
	assert_true(isnan(o.f));
	oneway_describe(x, none, 1, &o);
	assert_true(o.runs == 0 && isnan(o.mean));
	oneway_describe(same, pairs, 2, &o);
	assert_true(o.ms_between == 0 && o.ms_within == 0 && isnan(o.f) && isnan(o.icc));
	oneway_describe(apart, pairs, 2, &o);
	assert_true(o.ms_between == 1 && isnan(o.f) && o.icc == 1 && o.design_effect == 2);
}

TESTS_BEGIN(gsl_set_error_handler_off());
