/* Points in time against Python's datetime.fromisoformat(...).timestamp(), and texts that are
 * none. */
#include "base/day.h"
#include "tests/unit/test.h"

struct known {
	const char *text;
	int64_t ns;
};

static const struct known known[] = {
	{"2026-11-28T03:40:16Z", 1795837216000000000},
	{"2026-11-28 03:40:16", 1795837216000000000},
	{"2026-11-28t03:40:16.5+01:00", 1795833616500000000},
	{"2026-11-28T03:40:16,25-0530", 1795857016250000000},
	{"2026-11-28T03:40+05", 1795819200000000000},
	{"2026-11-28", 1795824000000000000},
	{"20260428-110159", 1777374119000000000},
	{"20260428T110159.5Z", 1777374119500000000},
	{"20260428 130159+02:00", 1777374119000000000},
	{"20260428_110159", 1777374119000000000},
	{"2026-02-28T23:59:59.123456789Z", 1772323199123456789},
	{"2024-02-29T00:00:00.1234567891Z", 1709164800123456789},
	{"1970-01-01T00:00:00Z", 0},
	{"1969-12-31T23:59:59.5Z", -500000000},
	{"1795837216", 1795837216000000000},
	{"1795837216.5", 1795837216500000000},
	{"1795837216123", 1795837216123000000},
	{"1795837216123456", 1795837216123456000},
	{"1795837216123456789", 1795837216123456789},
	{"1.795837216e9", 1795837216000000000},
	{"946684800", NS_YEAR_2000},
};

static const char *const none[] = {"", "12", "0", "-1795837216", "946684799", "2026", "20261128",
	"2026-11", "2026-02-29", "2026-11-28T", "2026-11-28T03", "2026-11-28T24:00:00",
	"2026-11-28T03:60", "2026-11-28T03:40:61", "2026-11-28T03:40:16.", "2026-11-28T03:40:16 Z",
	"2026-11-28T03:40:16+1", "2026-11-28T03:40:16Zx", "2026-11-28x03:40",
	"9999-12-31T00:00:00Z", "20260428-11015", "20260428-1101599", "20260428x110159",
	"20261328-110159", "20260428-110159Zx", "1e300", "nan", "yesterday", "2026-11-28T+3:40"};

TEST(texts)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		int64_t ns = 7;

		if (!moment_from_text(known[i].text, strlen(known[i].text), &ns) ||
			ns != known[i].ns)
			fail_msg("%s: %lld", known[i].text, (long long)ns);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		int64_t ns = 7;

		if (moment_from_text(none[i], strlen(none[i]), &ns) || ns != 7)
			fail_msg("%s: %lld", none[i], (long long)ns);
	}
}

TEST(written)
{
	char text[MOMENT_TEXT_SIZE];
	int64_t ns;

	assert_string_equal(
		moment_to_text(text, 1795837216000000001), "2026-11-28T03:40:16.000000001Z");
	assert_string_equal(moment_to_text(text, -500000000), "1969-12-31T23:59:59.500000000Z");
	assert_true(moment_from_text(text, strlen(text), &ns));
	assert_int_equal(ns, -500000000);
	assert_string_equal(moment_to_text(text, INT64_MAX), "2262-04-11T23:47:16.854775807Z");
	assert_string_equal(moment_to_text(text, INT64_MIN), "1677-09-21T00:12:43.145224192Z");
}
