/* The container of Chrome traces: times to the ps by hand, strings, every shape of the container,
 * defects with their counts, and a trace of many windows whose events are known because they were
 * generated. */
#include <time.h>
#include <zlib.h>
#include "ingest/chrome/trace_scan.h"
#include "tests/unit/test.h"

/* ---- what a scan saw ---- */

struct seen {
	struct text names;   /* "a|b|c|" */
	struct text members; /* "key=value;" */
	size_t count;
	int64_t us;
	uint64_t args;
};

static int see_event(void *context, const struct trace_event *event, struct error *err)
{
	struct seen *seen = context;
	struct json_member arg;
	size_t at = 0;

	(void)err;
	seen->count++;
	while (trace_next_arg(event, &at, &arg))
		seen->args++;
	if (event->duration.known)
		seen->us += event->duration.us;
	json_add_text(&seen->names, &event->name);
	text_add_char(&seen->names, '|');
	assert_true(event->text.size >= 2 && event->text.at[0] == '{' &&
		    event->text.at[event->text.size - 1] == '}');
	return 0;
}

static int see_member(void *context, const struct json_member *member, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	text_add_bytes(&seen->members, member->key.at, member->key.size);
	text_add_char(&seen->members, '=');
	text_add_bytes(&seen->members, member->value.at, member->value.size);
	text_add_char(&seen->members, ';');
	return 0;
}

static size_t issue_count(const struct issue_list *issues, const char *code)
{
	for (size_t i = 0; i < issues->count; i++)
		if (strcmp(issues->issue[i].code, code) == 0)
			return issues->issue[i].count;
	return 0;
}

struct scanned {
	struct seen seen;
	struct arena *arena;
	struct issue_list issues;
	struct trace_totals totals;
	struct error err;
	int status;
};

static void scan_in_threads(struct scanned *s, const char *text, size_t size, size_t threads)
{
	struct input *in = input_memory(text, size, "trace");
	struct trace_handler handler = {
		.event = see_event, .member = see_member, .context = &s->seen, .threads = threads};

	memset(s, 0, sizeof(*s));
	text_init(&s->seen.names);
	text_init(&s->seen.members);
	s->arena = arena_new();
	issue_list_init(&s->issues, s->arena);
	s->status = trace_scan(in, &handler, &s->issues, 1 << 20, &s->totals, &s->err);
	input_close(in);
}

static void scan(struct scanned *s, const char *text, size_t size)
{
	scan_in_threads(s, text, size, 1);
}

static void release(struct scanned *s)
{
	text_release(&s->seen.names);
	text_release(&s->seen.members);
	arena_free(s->arena);
}

static void expect(const char *text, const char *names)
{
	struct scanned s;

	scan(&s, text, strlen(text));
	assert_int_equal(s.status, 0);
	assert_string_equal(text_string(&s.seen.names), names);
	release(&s);
}

static void expect_defect(const char *text, const char *names, const char *code, size_t count)
{
	struct scanned s;

	scan(&s, text, strlen(text));
	assert_int_equal(s.status, 0);
	assert_string_equal(text_string(&s.seen.names), names);
	assert_int_equal(issue_count(&s.issues, code), count);
	release(&s);
}

/* ---- values ---- */

static void expect_time(const char *text, int64_t us, int32_t ps)
{
	struct json_value value = {text, strlen(text), '0'};
	struct trace_time time = json_time(&value);

	assert_true(time.known);
	assert_int_equal(time.us, us);
	assert_int_equal(time.ps, ps);
}

TEST(test_times)
{
	static const char *const none[] = {
		"", "-", ".", "1e", "x", "1x", "1.2.3", "1e+", "99999999999999999999", "1e30"};

	expect_time("0", 0, 0);
	expect_time("5.", 5, 0);
	expect_time("1712195495502094.565", INT64_C(1712195495502094), 565000);
	expect_time("9223372036854775807", INT64_MAX, 0);
	expect_time("1.123456", 1, 123456);
	expect_time("1.1234565", 1, 123457); /* half away from 0 */
	expect_time("31.251000000000001", 31, 251000);
	expect_time("2426.3009999999999", 2426, 301000);
	expect_time("9.9999999999999995e-07", 0, 1);
	expect_time("4e-7", 0, 0);
	expect_time("1.5e3", 1500, 0);
	expect_time("-1.25", -2, 750000);
	expect_time("-3", -3, 0);
	expect_time("0.9999999", 1, 0);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct json_value value = {none[i], strlen(none[i]), '0'};

		assert_false(json_time(&value).known);
	}
}

/* Numbers of all lengths, and each byte in each place of them. */
TEST(test_digits)
{
	static const char many[] = "9072835614385027196340";

	for (size_t size = 1; size < sizeof(many); size++) {
		const char *begin = many + sizeof(many) - 1 - size;
		char text[32];
		struct json_value value = {text, size, '0'};
		uint64_t number, expected = strtoull(begin, NULL, 10);

		memcpy(text, begin, size);
		assert_int_equal(json_unsigned(&value, &number), size < 20);
		if (size < 20)
			assert_int_equal(number, expected);
		if (size < 19)
			assert_int_equal(json_time(&value).us, expected);
		for (size_t i = 0; i < size && size < 20; i++)
			for (int byte = 0; byte < 256; byte++) {
				text[i] = (char)byte;
				assert_int_equal(json_unsigned(&value, &number),
					(byte >= '0' && byte <= '9') ||
						(i == 1 && size > 2 && text[0] == '0' &&
							(byte | 0x20) == 'x'));
				text[i] = begin[i];
			}
	}
}

TEST(test_since)
{
	struct trace_time time = {INT64_C(1712195495502094), 565000, true};
	int64_t ps;

	assert_true(trace_time_since(&time, INT64_C(1712195495502000), &ps));
	assert_int_equal(ps, 94565000);
	assert_false(trace_time_since(&time, 0, &ps)); /* 1.7e21 ps */
}

static void expect_text(const char *json, const char *text, size_t bad)
{
	struct json_value value = {json, strlen(json), '"'};
	struct text out;

	text_init(&out);
	assert_int_equal(json_add_text(&out, &value), bad);
	assert_string_equal(text_string(&out), text);
	text_release(&out);
}

TEST(test_strings)
{
	expect_text("plain", "plain", 0);
	expect_text("a\\\"b\\\\c\\/d\\n", "a\"b\\c/d\n", 0);
	expect_text("\\u00e9\\u20ac\\ud83d\\ude00", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 0);
	expect_text("C:\\Users\\x", "C:\\Users\\x", 2);
	expect_text("\\ud83d", "\\ud83d", 1);
	expect_text("a\\u0000b", "a\\0b", 0);
	expect_text("\\\\u0000", "\\u0000", 0);
}

TEST(test_integers)
{
	struct json_value big = {"10159970886766084423", 20, '0'},
			  over = {"18446744073709551616", 20, '0'}, hex = {"0xff", 4, '"'},
			  minus = {"-7", 2, '0'};
	uint64_t value;
	int64_t whole;

	assert_true(json_unsigned(&big, &value));
	assert_true(value == UINT64_C(10159970886766084423));
	assert_false(json_unsigned(&over, &value));
	assert_true(json_unsigned(&hex, &value));
	assert_int_equal(value, 255);
	assert_true(json_integer(&minus, &whole));
	assert_int_equal(whole, -7);
	assert_false(json_integer(&big, &whole));
}

/* ---- containers ---- */

TEST(test_containers)
{
	expect("[]", "");
	expect("{\"traceEvents\":[]}", "");
	expect("[{\"ph\":\"X\",\"name\":\"a\"},{\"name\":\"b\",\"ph\":\"i\"}]", "a|b|");
	expect("\xef\xbb\xbf [ {\"ph\":\"X\",\"name\":\"a\"} , ", "a|");
	expect("{\"a\":1,\"traceEvents\" : "
	       "[{\"ph\":\"X\",\"name\":\"a\"},{}],\"b\":[{\"ph\":\"X\",\"name\":\"no\"}]}",
		"a|");
	expect("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\"}]}{\"traceEvents\":[{\"ph\":\"X\","
	       "\"name\":\"b\"}]}",
		"a|b|");
	expect("[{\"args\":{\"x\":{\"ph\":\"X\"},\"y\":[1,[2]]},\"ph\":\"X\",\"name\":\"a\"}]",
		"a|");
}

/* The members of an event differ from those of the event before: in order, number, length of their
 * keys, blanks before the colon and before what follows. */
TEST(test_order_of_members)
{
	struct scanned s;
	struct text json;

	expect("[{\"name\":\"a\",\"ph\":\"X\"},{\"nama\":\"no\",\"ph\":\"X\",\"name\":\"b\"},"
	       "{\"nam\":\"no\",\"name\":\"c\",\"ph\":\"X\"},{\"ph\":\"X\",\"names\":\"no\"},"
	       "{\"name\" :\"d\",\"ph\":\"X\"},{\"name\":\"e\" ,\"ph\" : \"X\"\n },"
	       "{\"\":\"no\",\"ph\":\"X\",\"name\":\"\"},{\"name\" : \"f\", \"ph\":\"X\",}]",
		"a|b|c||d|e||f|");
	expect("[{\"a long key\":1,\"ph\":\"X\",\"name\":\"a\"},"
	       "{\"a long kay\":1,\"name\":\"b\",\"ph\":\"X\"},"
	       "{\"a long kay\":\"\",\"name\":\"c\",\"ph\":\"X\"},"
	       "{\"args\":\"x\",\"name\":\"d\",\"ph\":\"X\"}]",
		"a|b|c|d|");
	expect_defect("[{\"name\":\"a\",\"ph\":\"X\"},{\"name\":\"b\",\"name\":\"c\",\"ph\":\"X\"},"
		      "{\"no\":1,\"no\":2,\"name\":\"d\",\"ph\":\"X\",\"ph\":\"X\",\"ph\":\"X\"}]",
		"a|c|d|", "json-key-twice", 3);
	text_init(&json);
	for (size_t i = 0; i < 40; i++) { /* up to 41 members */
		text_add(&json, i ? ",{" : "[{");
		for (size_t k = 0; k < i; k++)
			text_printf(&json, "\"k%zu\":%zu,", k, i);
		text_add(&json, "\"ph\":\"X\",\"args\":{\"a\":1,\"b\":2},\"dur\":3}");
	}
	scan(&s, text_string(&json), json.size);
	assert_int_equal(s.seen.count, 40);
	assert_int_equal(s.seen.args, 80);
	assert_int_equal(s.seen.us, 120);
	assert_int_equal(issue_count(&s.issues, "json-key-twice"), 0);
	release(&s);
	text_release(&json);
}

TEST(test_members)
{
	static const char text[] = "{\"traceEvents\":[{\"ph\":\"X\"}],\"baseTimeNanoseconds\": 17 "
				   ",\"d\":[{\"id\":0}],\"n\":null}";
	struct scanned s;

	scan(&s, text, strlen(text));
	assert_string_equal(
		text_string(&s.seen.members), "baseTimeNanoseconds=17;d=[{\"id\":0}];n=null;");
	assert_true(s.totals.is_closed && !s.totals.is_array);
	assert_int_equal(s.issues.count, 0);
	release(&s);
}

TEST(test_refused)
{
	static const char *const texts[] = {"", "  \n", "hello", "{\"a\":1}", "{}"};
	struct scanned s;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		scan(&s, texts[i], strlen(texts[i]));
		assert_int_equal(s.status, -1);
		assert_int_equal(s.err.kind, ERROR_INPUT);
		assert_true(s.err.message[0] && s.err.hint[0]);
		release(&s);
	}
}

/* ---- defects ---- */

#define GOOD "{\"ph\":\"X\",\"name\":\"good\",\"ts\":1,\"dur\":1}"

TEST(test_defects)
{
	expect_defect("{\"traceEvents\":[" GOOD, "good|", "trace-open", 1);
	expect_defect("[" GOOD ",{\"ph\":\"X\",\"na", "good|", "trace-cut", 1);
	expect_defect("[{\"ph\":\"X\",\"name\":\"a\"b\"c\"}," GOOD "]", "a\"b\"c|good|",
		"json-open-quote", 2);
	expect_defect(
		"[{\"ph\":\"X\",\"name\":\"a\"b\"}," GOOD "]", "a\"b|good|", "json-open-quote", 1);
	expect_defect("[{\"name\":\"C:\\p\\\",\"ph\":\"X\"}," GOOD "]", "C:\\p\\|good|",
		"json-backslash", 1);
	expect_defect("[{\"name\":\"a\tb\",\"ph\":\"X\"}," GOOD "]", "a\tb|good|",
		"json-control-byte", 1);
	expect_defect("[{\"name\":\"a\xff yyyy\",\"ph\":\"X\"}," GOOD "]", "a\xff yyyy|good|",
		"json-not-utf8", 1);
	expect_defect("[{\"name\":\"a\",\"ph\":\"X\",\"dur\":NaN,}," GOOD "]", "a|good|",
		"json-odd-value", 1);
	expect_defect("[{\"name\":\"a\",\"ph\":\"X\",\"name\":\"b\"}," GOOD "]", "b|good|",
		"json-key-twice", 1);
	expect_defect("[{\"name\":\"a\" \"ph\":\"X\"}," GOOD "]", "good|", "event-damaged", 1);
	expect_defect("[{\"name\":\"a\",{\"ph\":\"X\"," GOOD "," GOOD "]", "good|good|",
		"event-damaged", 1);
	expect_defect("[{\"name\":\"a\",\"ph\":\"X\",\"args\":{\"b\":[[1}}," GOOD "," GOOD "]",
		"good|good|", "event-damaged", 1);
	expect_defect("[{\"name\":\"a\"}," GOOD "]", "good|", "event-phase", 1);
	expect_defect("[" GOOD " " GOOD "]", "good|good|", "event-damaged", 0);
	expect_defect("[" GOOD "]]", "good|", "trace-tail", 1);
}

/* ---- many windows ---- */

static void add_generated(struct text *json, struct text *names, size_t i)
{
	static const char *const odd[] = {
		"conv", "a{b", "x}y", "q]", "\\\"in\\\"", "", "tail\\\\", "[,:]"};
	static const char *const plain[] = {
		"conv", "a{b", "x}y", "q]", "\"in\"", "", "tail\\", "[,:]"};

	text_printf(json,
		"%s{\"ph\": \"X\", \"cat\": \"op\",\n \"name\": \"%s_%zu\", \"pid\": %zu, \"tid\": "
		"\"t%zu\", \"ts\": %zu.%03zu, \"dur\": %zu,\n",
		i ? ",\n" : "", odd[i % 8], i, i % 3, i % 5, i * 7, i % 1000, i % 100);
	text_printf(json,
		"  \"args\": {\"External id\": %zu, \"Input Dims\": [[%zu, 3], []], \"s\": \"", i,
		i);
	text_add_repeat(json, i % 2 ? '}' : 'z', i % 777);
	text_add(json, "\"}}");
	text_printf(names, "%s_%zu|", plain[i % 8], i);
}

TEST(test_windows)
{
	struct text json, names;
	struct scanned s;
	int64_t us = 0;
	const size_t count = 6000; /* about 3 MB: a dozen windows */

	text_init(&json);
	text_init(&names);
	text_add(&json, "{\"schemaVersion\": 1, \"traceEvents\": [\n");
	for (size_t i = 0; i < count; i++) {
		add_generated(&json, &names, i);
		us += (int64_t)(i % 100);
	}
	text_add(&json, "\n], \"traceName\": \"x\"}\n");
	scan(&s, json.data, json.size);
	assert_int_equal(s.status, 0);
	assert_int_equal(s.issues.count, 0);
	assert_int_equal(s.seen.count, count);
	assert_int_equal(s.seen.args, 3 * count);
	assert_int_equal(s.seen.us, us);
	assert_string_equal(text_string(&s.seen.names), text_string(&names));
	assert_string_equal(text_string(&s.seen.members), "schemaVersion=1;traceName=x;");
	release(&s);
	text_release(&json);
	text_release(&names);
}

/* Windows that seem to end between the items of a list, inside a text, inside a damaged event, and
 * members around the events that are longer than a window. */
static void add_many_cuts(struct text *json)
{
	text_add(json, "{\"before\": [");
	for (size_t i = 0; i < 60000; i++)
		text_add(json, "{\"a\": [1]}, ");
	text_add(json, "{}], \"traceEvents\": [\n");
	for (size_t i = 0; i < 40000; i++) {
		text_printf(json,
			"{\"ph\": \"X\", \"name\": \"n%zu\", \"dur\": %zu, \"x\": %s, \"args\": {",
			i, i, i % 1000 == 77 ? "NaN" : "1");
		text_add(json, "\"list\": [{\"a\": 1}, {\"b\": 2}, {\"c\": 3}], ");
		text_printf(json, "\"text\": \"}, {}, {\\\"ph\\\": 1}\", \"list\": %zu}}%s,\n", i,
			i % 4999 == 17 ? "}" : "");
		if (i % 9973 == 0)
			text_add_repeat(json, ' ', 300000);
	}
	text_add(json, "{}], \"after\": {\"x\": 1}}");
}

static void expect_same(const struct scanned *a, const struct scanned *b)
{
	assert_int_equal(a->status, 0);
	assert_string_equal(text_string(&a->seen.names), text_string(&b->seen.names));
	assert_string_equal(text_string(&a->seen.members), text_string(&b->seen.members));
	assert_int_equal(a->seen.args, b->seen.args);
	assert_int_equal(a->seen.us, b->seen.us);
	assert_int_equal(a->totals.events, b->totals.events);
	assert_int_equal(a->totals.damaged, b->totals.damaged);
	assert_int_equal(a->issues.count, b->issues.count);
	for (size_t i = 0; i < a->issues.count; i++) {
		assert_string_equal(a->issues.issue[i].code, b->issues.issue[i].code);
		assert_int_equal(a->issues.issue[i].count, b->issues.issue[i].count);
		assert_string_equal(a->issues.issue[i].place, b->issues.issue[i].place);
	}
}

static size_t pack(const struct text *plain, unsigned char *out, size_t room)
{
	z_stream z = {0};

	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)plain->data;
	z.avail_in = (uInt)plain->size;
	z.next_out = out;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

/* The same for any number of threads, of a file and of a stream. Each event but those with a brace
 * too many is there, with its three arguments. */
TEST(test_threads)
{
	struct text json;
	struct scanned plain, other;
	unsigned char *packed;
	size_t size;

	text_init(&json);
	add_many_cuts(&json);
	packed = malloc(json.size);
	assert_non_null(packed);
	size = pack(&json, packed, json.size);
	scan(&plain, json.data, json.size);
	assert_int_equal(plain.seen.count, 40000);
	assert_int_equal(plain.seen.args, 3 * 40000);
	assert_int_equal(issue_count(&plain.issues, "json-odd-value"), 40);
	assert_int_equal(issue_count(&plain.issues, "event-damaged"), 8);
	scan_in_threads(&other, (const char *)packed, size, 1);
	expect_same(&other, &plain);
	release(&other);
	for (size_t threads = 2; threads < 20; threads += threads < 4 ? 1 : 5) {
		scan_in_threads(&other, json.data, json.size, threads);
		expect_same(&other, &plain);
		release(&other);
		scan_in_threads(&other, (const char *)packed, size, threads);
		expect_same(&other, &plain);
		release(&other);
	}
	release(&plain);
	free(packed);
	text_release(&json);
}

TEST(test_long_event)
{
	struct text json;
	struct scanned s;

	text_init(&json);
	text_add(&json, "[{\"ph\":\"X\",\"name\":\"");
	text_add_repeat(&json, 'a', 700000);
	text_add(&json, "\"}," GOOD "]");
	scan(&s, json.data, json.size);
	assert_int_equal(s.status, 0);
	assert_int_equal(s.seen.count, 2);
	release(&s);
	text_clear(&json);
	text_add(&json, "[{\"ph\":\"X\",\"name\":\"");
	text_add_repeat(&json, 'a', 3000000);
	scan(&s, json.data, json.size);
	assert_int_equal(s.status, -1);
	assert_int_equal(s.err.kind, ERROR_LIMIT);
	release(&s);
	text_release(&json);
}

TEST(test_long_member)
{
	struct text json;
	struct scanned s;

	text_init(&json);
	text_add(&json, "{\"samples\":[");
	for (size_t i = 0; i < 300000; i++)
		text_add(&json, "{\"cpu\":0},");
	text_add(&json, "{}],\"traceEvents\":[" GOOD "]}");
	scan(&s, json.data, json.size);
	assert_int_equal(s.status, 0);
	assert_string_equal(text_string(&s.seen.names), "good|");
	assert_string_equal(text_string(&s.seen.members), "");
	release(&s);
	text_release(&json);
}

/* Cut anywhere: the events before the cut are read, and no more than those. */
TEST(test_cuts)
{
	struct text json, names;

	text_init(&json);
	text_init(&names);
	text_add(&json, "{\"traceEvents\":[");
	for (size_t i = 0; i < 12; i++)
		add_generated(&json, &names, i);
	for (size_t n = 16; n < json.size; n++) {
		struct scanned s;

		scan(&s, json.data, n);
		assert_int_equal(s.status, 0);
		assert_int_equal(
			strncmp(text_string(&names), text_string(&s.seen.names), s.seen.names.size),
			0);
		assert_int_equal(
			issue_count(&s.issues, "trace-cut") + issue_count(&s.issues, "trace-open"),
			1);
		release(&s);
	}
	text_release(&json);
	text_release(&names);
}

/* Brackets in each other, each of which could be the next event and breaks only behind 800 000
 * commas: 3 000 million entries when each is walked to its end. */
TEST(test_damage_in_linear_time)
{
	const int depth = 4000;
	struct text json;
	struct scanned s;
	clock_t begin;

	text_init(&json);
	text_add(&json, "[{\"ph\":\"X\",\"z\":");
	for (int i = 0; i < depth; i++)
		text_add(&json, "{\"a\":");
	text_add_char(&json, '[');
	text_add_repeat(&json, ',', 800000);
	text_add_char(&json, ']');
	for (int i = 0; i < depth; i++)
		text_add(&json, ":}");
	text_add(&json, ":}," GOOD "," GOOD "]");
	begin = clock();
	scan(&s, json.data, json.size);
	assert_true(clock() - begin < CLOCKS_PER_SEC);
	assert_int_equal(s.status, 0);
	assert_string_equal(text_string(&s.seen.names), "good|good|");
	assert_int_equal(issue_count(&s.issues, "event-damaged"), 1);
	release(&s);
	text_release(&json);
}
