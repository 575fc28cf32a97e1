/* Small .obs and .part files that ask for much memory or time: they are read in little of both, or
 * refused with a message. */
#include <sys/resource.h>
#include <zlib.h>
#include "tests/unit/encode.h"
#include "tests/unit/test.h"
#include "tests/unit/written_obs.h"

/* A list of `count` values: the first is 1, as are the others, or one more each. */
static void put_ones(struct text *e, uint32_t field, size_t count, bool ascending)
{
	struct text list;

	text_init(&list);
	for (size_t i = 0; i < count; i++)
		text_add_char(&list, i == 0 || ascending ? 2 : 0);
	put_message(e, field, &list);
	text_release(&list);
}

/* Begins a file of the version, with a run of steps 1 to `steps`; its series come from `series`. */
static void begin(struct text *t, int version, size_t steps, const struct text *series)
{
	struct text e, prints;

	text_init(&e);
	text_init(&prints);
	put_string(t, 1, "stepstat.obs");
	put_number(&e, 1, version);
	put_message(t, 2, &e);
	put_ones(&e, 2, steps, true);
	for (size_t i = 0; i < 8 * steps; i++)
		text_add_char(&prints, 'f');
	put_message(&e, 3, &prints);
	if (series)
		text_add_bytes(&e, series->data, series->size);
	put_message(t, 6, &e);
	if (version == 2) {
		put_ones(&e, 1, steps, false); /* one rank, whose times are 1 */
		for (uint32_t list = 2; list <= 6; list++)
			put_ones(&e, list, steps, false);
		put_message(t, 12, &e);
	}
	text_release(&prints);
	text_release(&e);
}

static void end(struct text *t)
{
	const uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)t->data, (uInt)t->size);
	struct text e;

	text_init(&e);
	put_number(&e, 1, 0);
	put_varint(&e, 2 << 3 | 5);
	for (int i = 0; i < 4; i++)
		text_add_char(&e, (char)(crc >> 8 * i));
	put_message(t, 15, &e);
	text_release(&e);
}

/* Series whose stretches say that no step has a value: 40,000 of them over 200,000 steps. */
TEST(series_without_values)
{
	struct rusage before, after;
	struct text t, e, series;
	struct error err;

	text_init(&t);
	text_init(&e);
	text_init(&series);
	for (size_t i = 0; i < 40000; i++) {
		put_string(&e, 1, "span");
		put_bytes(&e, 3, "\x00\xc0\x9a\x0c", 4);
		put_message(&series, 9, &e);
	}
	begin(&t, 1, 200000, &series);
	end(&t);
	getrusage(RUSAGE_SELF, &before);
	struct profile *p = read_obs(t.data, t.size, &err);

	getrusage(RUSAGE_SELF, &after);
	assert_non_null(p);
	assert_int_equal(p->series.count, 1);
	assert_true(after.ru_maxrss - before.ru_maxrss < 500 * 1000); /* KB; flags: 8 GB */
	profile_free(p);
	text_release(&series);
	text_release(&e);
	text_release(&t);
}

/* Each set is looked for among all steps. */
TEST(a_set_twice)
{
	struct text t, e;
	struct error err;

	text_init(&t);
	text_init(&e);
	begin(&t, 2, 1000, NULL);
	for (size_t i = 0; i < 2; i++) {
		put_ones(&e, 1, 1, true);
		put_message(&t, 13, &e);
	}
	end(&t);
	assert_null(read_obs(t.data, t.size, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.message, "a set of ranks"));
	text_release(&e);
	text_release(&t);
}

/* A row of 30 bytes whose name has 60,000 in common with the one before. */
static void put_row(struct text *t, size_t i)
{
	struct text e, part;
	char rest[60001 + 6];

	text_init(&e);
	text_init(&part);
	memset(rest, 'x', sizeof(rest));
	snprintf(rest + (i ? 0 : 60000), 7, "%06zu", i);
	put_number(&e, 1, 0);
	put_number(&e, 2, 0);
	put_number(&e, 3, i ? 60000 : 0);
	put_string(&e, 4, rest);
	put_number(&e, 6, 1);
	put_number(&e, 7, 0);
	put_bytes(&e, 13, "\x00", 1);
	put_bytes(&e, 15, "\x00", 1);
	put_bytes(&e, 16, "\x02", 1);
	put_number(&part, 1, 0);
	put_bytes(&part, 2, "\x00", 1);
	put_message(&e, 17, &part);
	put_message(t, 14, &e);
	text_release(&part);
	text_release(&e);
}

TEST(long_names_of_short_rows)
{
	struct read_options opt = read_options_default;
	struct text t, e, part;
	struct error err;

	text_init(&t);
	text_init(&e);
	text_init(&part);
	begin(&t, 2, 1, NULL);
	put_ones(&e, 1, 1, true);
	put_string(&part, 1, "0");
	put_bytes(&part, 3, "\x00", 1);
	put_message(&e, 2, &part);
	put_message(&t, 13, &e);
	for (size_t i = 0; i < 100; i++)
		put_row(&t, i);
	end(&t);
	struct profile *p = read_obs(t.data, t.size, &err);

	assert_non_null(p);
	assert_int_equal(p->job->set[0].row_count, 100);
	profile_free(p);
	opt.limits.name_bytes = 1000000;
	assert_null(read_obs_with(t.data, t.size, &opt, &err));
	assert_int_equal(err.kind, ERROR_LIMIT);
	assert_string_equal(
		err.message, "names of rows of sums of more than 1000000 bytes together");
	opt.limits.name_bytes = 0; /* no cap */
	p = read_obs_with(t.data, t.size, &opt, &err);
	assert_non_null(p);
	profile_free(p);
	text_release(&part);
	text_release(&e);
	text_release(&t);
}
