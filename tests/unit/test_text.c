/* Text: the buffer, UTF-8, hostile bytes, widths, shortening, nearest words and natural order. */
#include "base/text.h"
#include "tests/unit/test.h"

#define E_ACUTE "\xc3\xa9"
#define DOTS "\xe2\x80\xa6"
#define COMBINING_ACUTE "\xcc\x81"

TEST(buffer_grows)
{
	struct text t;

	text_init(&t);
	assert_string_equal(text_string(&t), "");
	text_add(&t, "");
	assert_string_equal(t.data, "");
	text_add(&t, "ab");
	text_add_char(&t, 'c');
	text_add_bytes(&t, "defg", 2);
	text_add_bytes(&t, NULL, 0);
	text_add_repeat(&t, '-', 3);
	text_add_repeat(&t, '+', 0);
	text_printf(&t, "%d|%s", -5, "x");
	assert_string_equal(text_string(&t), "abcde----5|x");
	assert_int_equal(t.size, 12);
	text_clear(&t);
	assert_int_equal(t.size, 0);
	assert_string_equal(text_string(&t), "");
	text_add_bytes(&t, "a\0b", 3);
	assert_int_equal(t.size, 3);
	assert_memory_equal(t.data, "a\0b", 4);
	text_release(&t);
	assert_string_equal(text_string(&t), "");
	text_clear(&t);
	text_release(&t);
}

TEST(buffer_at_every_size)
{
	char expected[301];
	struct text t;

	for (size_t n = 0; n <= 300; n++) {
		memset(expected, 'q', n);
		expected[n] = '\0';
		text_init(&t);
		text_add(&t, expected);
		assert_string_equal(text_string(&t), expected);
		text_clear(&t);
		text_printf(&t, "%s", expected);
		text_release(&t);
		text_init(&t);
		text_printf(&t, "%s", expected);
		assert_string_equal(text_string(&t), expected);
		assert_int_equal(t.size, n);
		text_release(&t);
		text_init(&t);
		for (size_t i = 0; i < n; i++)
			text_add_char(&t, 'q');
		assert_string_equal(text_string(&t), expected);
		text_release(&t);
		text_init(&t);
		text_add_repeat(&t, 'q', n);
		assert_string_equal(text_string(&t), expected);
		text_release(&t);
	}
}

struct bytes {
	const char *bytes;
	size_t n, length;
};

TEST(room_is_written_from_outside)
{
	struct text t;

	text_init(&t);
	for (size_t n = 1; n <= 200; n++) {
		char *to = text_room(&t, n);

		memset(to, 'x', n);
		text_extend(&t, n / 2);
		assert_int_equal(strlen(text_string(&t)), t.size);
	}
	assert_int_equal(t.size, 10000); /* 0 + 1 + 1 + 2 + 2 + ... + 99 + 99 + 100 */
	assert_int_equal(strspn(text_string(&t), "x"), 10000);
	text_release(&t);
}

/* The first and last of each length (RFC 3629, 3). */
TEST(characters_are_added)
{
	static const uint32_t codes[] = {0x01, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff};
	struct text t;

	text_init(&t);
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		text_add_character(&t, codes[i]);
	assert_string_equal(text_string(&t),
		"\x01\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
	text_release(&t);
}

static size_t drained;

static void drain(struct text *t)
{
	for (size_t i = 0; i < t->size; i++)
		assert_int_equal(t->data[i], 'a' + (int)(drained++ % 26));
}

TEST(text_is_cut_between_characters)
{
	assert_int_equal(text_cut("0123456789ab", 12, 12), 12);
	assert_int_equal(text_cut("0123456789abc", 13, 12), 12);
	assert_int_equal(text_cut("0123456789a\xc3\xa9", 13, 12), 11);
	assert_int_equal(text_cut("0123456789\xc3\xa9x", 13, 12), 12);
	assert_int_equal(text_cut("01234567\xf0\x9f\x98\x80x", 13, 11), 8);
	assert_int_equal(text_cut("", 0, 12), 0);
	assert_int_equal(text_cut("\x80\x80", 2, 1), 0);
}

TEST(text_goes_out_in_pieces)
{
	struct text t;

	text_init(&t);
	t.drain = drain;
	for (size_t i = 0; i < 200000; i++) {
		if (i % 3)
			text_add_char(&t, (char)('a' + i % 26));
		else
			text_printf(&t, "%c", (char)('a' + i % 26));
		assert_true(t.room < 200000);
	}
	assert_true(drained > 130000);
	drain(&t);
	assert_int_equal(drained, 200000);
	text_release(&t);
}

TEST(utf8_lengths)
{
	static const struct bytes list[] = {
		{"", 0, 0},
		{"\0", 1, 1},
		{"a", 1, 1},
		{"\x7f", 1, 1},
		{"\x80", 1, 0},
		{"\xbf\x80", 2, 0},
		{"\xc0\x80", 2, 0}, /* overlong */
		{"\xc1\xbf", 2, 0},
		{"\xc2\x80", 2, 2},
		{"\xdf\xbf", 2, 2},
		{"\xc3", 1, 0}, /* cut off */
		{"\xc3\x28", 2, 0},
		{"\xe0\x9f\xbf", 3, 0}, /* overlong */
		{"\xe0\xa0\x80", 3, 3},
		{"\xed\x9f\xbf", 3, 3},
		{"\xed\xa0\x80", 3, 0}, /* U+D800 */
		{"\xed\xbf\xbf", 3, 0},
		{"\xee\x80\x80", 3, 3},
		{"\xef\xbf\xbf", 3, 3},
		{"\xe2\x80\xa6xyz", 6, 3},
		{"\xe2\x80", 2, 0},
		{"\xe2\x80\x41", 3, 0},
		{"\xf0\x8f\xbf\xbf", 4, 0}, /* overlong */
		{"\xf0\x90\x80\x80", 4, 4},
		{"\xf4\x8f\xbf\xbf", 4, 4}, /* U+10FFFF */
		{"\xf4\x90\x80\x80", 4, 0},
		{"\xf5\x80\x80\x80", 4, 0},
		{"\xf0\x9f\x98", 3, 0},
		{"\xff", 1, 0},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (text_utf8_length(list[i].bytes, list[i].n) != list[i].length)
			fail_msg("case %zu: %zu", i, text_utf8_length(list[i].bytes, list[i].n));
}

static void check_visible(const char *s, const char *expected)
{
	struct text t;

	text_init(&t);
	text_add_visible(&t, s);
	assert_string_equal(t.data, expected);
	assert_int_equal(t.size, strlen(expected));
	text_release(&t);
}

TEST(visible_text)
{
	check_visible("", "");
	check_visible("unit_3_2/Conv2D", "unit_3_2/Conv2D");
	check_visible("a\\b\"c,<&|`=", "a\\b\"c,<&|`=");
	check_visible("tab\there\nline\r", "tab\\x09here\\x0aline\\x0d");
	check_visible("\x1b[31mred", "\\x1b[31mred");
	check_visible("\x01\x1f \x7e\x7f", "\\x01\\x1f ~\\x7f");
	check_visible("caf" E_ACUTE, "caf" E_ACUTE);
	check_visible("\xc2\x80\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x9f\xc2\xa0");
	check_visible("caf\xe9", "caf\\xe9");
	check_visible("\xff\xc3", "\\xff\\xc3");
	check_visible("\xe2\x80", "\\xe2\\x80");
	check_visible("\xed\xa0\x80", "\\xed\\xa0\\x80");
	check_visible("\xc3" E_ACUTE, "\\xc3" E_ACUTE);
	check_visible("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
	/* U+061C, U+200D (joiner, stays), U+200E, U+200F */
	check_visible("\xd8\x9c", "\\xd8\\x9c");
	check_visible("\xe2\x80\x8d", "\xe2\x80\x8d");
	check_visible("\xe2\x80\x8e\xe2\x80\x8f", "\\xe2\\x80\\x8e\\xe2\\x80\\x8f");
	/* U+2029, U+202A, U+202E, U+202F */
	check_visible("\xe2\x80\xa9", "\xe2\x80\xa9");
	check_visible("\xe2\x80\xaa\xe2\x80\xae", "\\xe2\\x80\\xaa\\xe2\\x80\\xae");
	check_visible("\xe2\x80\xaf", "\xe2\x80\xaf");
	/* U+2065, U+2066, U+2069, U+206A */
	check_visible("\xe2\x81\xa5", "\xe2\x81\xa5");
	check_visible("\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9");
	check_visible("\xe2\x81\xaa", "\xe2\x81\xaa");
	/* U+FFFD, U+FFFE, U+FFFF */
	check_visible("\xef\xbf\xbd", "\xef\xbf\xbd");
	check_visible("\xef\xbf\xbe\xef\xbf\xbf", "\\xef\\xbf\\xbe\\xef\\xbf\\xbf");
}

TEST(visible_is_added)
{
	struct text t;

	text_init(&t);
	text_add(&t, "<");
	text_add_visible(&t, "a\n");
	text_add_visible(&t, "");
	text_add(&t, ">");
	assert_string_equal(text_string(&t), "<a\\x0a>");
	text_release(&t);
}

/* U+200B, U+FEFF, U+00AD, U+E0041: nobody sees them; letters stay. */
TEST(invisible_characters_are_shown)
{
	struct text t;

	text_init(&t);
	text_add_shown(&t, "a\xe2\x80\x8b\xef\xbb\xbf\xc2\xad\xf3\xa0\x81\x81\xc3\xa9\n\x7f<");
	assert_string_equal(text_string(&t), "a\\xe2\\x80\\x8b\\xef\\xbb\\xbf\\xc2\\xad"
					     "\\xf3\\xa0\\x81\\x81\xc3\xa9\\x0a\\x7f<");
	text_release(&t);
}

static void check_disarmed(const char *line, const char *expected)
{
	struct text t;

	text_init(&t);
	text_add(&t, "::\n");
	text_add(&t, line);
	text_disarm(&t, 3);
	assert_string_equal(text_string(&t) + 3, expected);
	assert_memory_equal(text_string(&t), "::\n", 3);
	text_release(&t);
}

TEST(commands_are_disarmed)
{
	check_disarmed("", "");
	check_disarmed("::error::x", "\\x3a:error::x");
	check_disarmed("  ::x", "  \\x3a:x");
	check_disarmed("a::b ##c", "a::b ##c");
	check_disarmed("a ##[b]##vso[c", "a \\x23#[b]\\x23#vso[c");
}

TEST(widths)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("Conv2D"), 6);
	assert_int_equal(text_width("caf" E_ACUTE), 4);
	assert_int_equal(text_width("cafe" COMBINING_ACUTE), 4);
	assert_int_equal(text_width(DOTS), 1);
	assert_int_equal(text_width("\xc2\xb5s"), 2);
	assert_int_equal(text_width("\xc2\xad"), 1);		     /* soft hyphen */
	assert_int_equal(text_width("\xe6\x97\xa5\xe6\x9c\xac"), 4); /* two ideographs */
	assert_int_equal(text_width("\xed\x95\x9c"), 2);	     /* U+D55C Hangul */
	assert_int_equal(
		text_width("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"), 2); /* the same, in parts */
	assert_int_equal(text_width("\xef\xbc\xa1"), 2);		/* U+FF21 full width */
	assert_int_equal(text_width("\xef\xbe\x8a"), 1);		/* U+FF8A half width */
	assert_int_equal(text_width("\xf0\x9f\x98\x80"), 2);		/* U+1F600 */
	assert_int_equal(text_width("\xf0\xa0\x80\x80"), 2);		/* U+20000 */
	assert_int_equal(text_width("\xe2\x80\x8d\xef\xb8\x8f"), 0);	/* joiner, U+FE0F */
	assert_int_equal(text_width("\xe0\xb8\xb1"), 0); /* U+0E31 Thai vowel above */
	assert_int_equal(text_width("\xe0\xa4\xbf"), 0); /* U+093F joins its letter */
	assert_int_equal(text_width("\xcd\xb0"), 1);	 /* U+0370 after the marks */
	assert_int_equal(text_width("a\xff"
				    "b"),
		3);
}

static void check_shortened(const char *s, size_t width, const char *expected)
{
	struct text t;

	text_init(&t);
	text_add_shortened(&t, s, width);
	assert_string_equal(text_string(&t), expected);
	assert_true(text_width(text_string(&t)) <= width);
	assert_int_equal(text_fits(s, width), text_width(s) <= width);
	text_release(&t);
}

TEST(shortened_in_the_middle)
{
	check_shortened("", 3, "");
	check_shortened("abcdefghij", 10, "abcdefghij");
	check_shortened("abcdefghij", 9, "abcd" DOTS "ghij");
	check_shortened("abcdefghij", 6, "abc" DOTS "ij");
	check_shortened("abcdefghij", 5, "ab" DOTS "ij");
	check_shortened("abcdefghij", 3, "a" DOTS "j");
	/* wide characters are not halved */
	check_shortened("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x96\x87\xe5\xad\x97", 7,
		"\xe6\x97\xa5" DOTS "\xe5\xad\x97");
	/* marks stay with their letters */
	check_shortened("ab" COMBINING_ACUTE "cdefghij", 5, "ab" COMBINING_ACUTE DOTS "ij");
	check_shortened("abcdefg" COMBINING_ACUTE "hi", 5, "ab" DOTS "hi");
	check_shortened("abcdefgh" COMBINING_ACUTE "i", 5, "ab" DOTS "h" COMBINING_ACUTE "i");
	check_shortened("abcdefghi" COMBINING_ACUTE, 5, "ab" DOTS "hi" COMBINING_ACUTE);
	/* bytes that are no characters are a column each */
	check_shortened("abcdefgh\x81\x82", 6, "abc" DOTS "\x81\x82");
	check_shortened("abcdefg\xe2\x82z", 6, "abc" DOTS "\x82z");
}

TEST(shortened_between_parts)
{
	static const char name[] = "gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter";

	check_shortened(name, 62, name);
	check_shortened(name, 42, "gradients/unit_3_2/" DOTS "/Conv2DBackpropFilter");
	check_shortened(name, 41, "gradients/unit_3_2/" DOTS "/Conv2DBackpropFilter");
	check_shortened(name, 40, "gradients/" DOTS "/Conv2DBackpropFilter");
	check_shortened(name, 32, "gradients/" DOTS "/Conv2DBackpropFilter");
	check_shortened(name, 31, "gradients/unit_" DOTS "DBackpropFilter");
	check_shortened("a/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb/c", 20, "a/bbbbbbbb" DOTS "bbbbbbb/c");
	check_shortened("aaaaaaaaaaaaaaaaaaaa/", 6, "aaa" DOTS "a/");
	check_shortened("/aaaaaaaaaaaaaaaaaaaa", 6, "/aa" DOTS "aa");
}

TEST(nearest_word)
{
	static const char *const words[] = {"mean", "median", "min", "max", "stddev"};

	assert_int_equal(text_nearest("mean", words, 5), 0);
	assert_int_equal(text_nearest("MAX", words, 5), 3);
	assert_int_equal(text_nearest("maen", words, 5), 0);   /* transposed: one edit */
	assert_int_equal(text_nearest("mdeian", words, 5), 1); /* one edit */
	assert_int_equal(text_nearest("mn", words, 5), 2);
	assert_int_equal(text_nearest("mix", words, 5), 2); /* a tie: the first */
	assert_int_equal(text_nearest("stdev", words, 5), 4);
	assert_int_equal(text_nearest("sdtdve", words, 5), 4); /* two transpositions in 6 */
	assert_int_equal(text_nearest("xdtdxe", words, 5), -1);
	assert_int_equal(text_nearest("xyz", words, 5), -1);
	assert_int_equal(text_nearest("", words, 5), -1);
	assert_int_equal(text_nearest("mean", words, 0), -1);
}

/* The table of the definition, all of it: a swap counts one where both are next to each other. */
static size_t plain_distance(const char *a, const char *b)
{
	size_t d[10][10];

	for (size_t i = 0; i <= strlen(a); i++)
		for (size_t j = 0; j <= strlen(b); j++) {
			size_t least = i && j ? d[i - 1][j - 1] + (a[i - 1] != b[j - 1]) : i + j;

			if (i && j && d[i - 1][j] + 1 < least)
				least = d[i - 1][j] + 1;
			if (i && j && d[i][j - 1] + 1 < least)
				least = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				d[i - 2][j - 2] + 1 < least)
				least = d[i - 2][j - 2] + 1;
			d[i][j] = least;
		}
	return d[strlen(a)][strlen(b)];
}

/* Word number n of those of up to five letters out of a, b, c. */
static void make_word(size_t n, char *out)
{
	for (; n; n = (n - 1) / 3)
		*out++ = (char)('a' + (n - 1) % 3);
	*out = '\0';
}

#define LONG "0123456789abcdefghijklmnopqrstuvwxyz,.-;:_#+*/()=[]{}&%$!<>|@^~'0123456789"

TEST(distances)
{
	char a[8], b[8];

	assert_int_equal(text_distance("kitten", "sitting", 9), 3);
	assert_int_equal(text_distance("kitten", "sitting", 3), 3);
	assert_true(text_distance("kitten", "sitting", 2) == SIZE_MAX);
	assert_int_equal(text_distance("ca", "abc", 9), 3); /* no part is edited twice */
	assert_int_equal(text_distance("", "abc", SIZE_MAX), 3);
	assert_int_equal(text_distance("Conv2D", "cnov2d", 1), 1);
	assert_int_equal(text_distance("same", "same", 0), 0);
	/* 75 and 76 bytes without an end in common: more than fit into a word */
	assert_int_equal(text_distance(LONG "x", "y" LONG "z", SIZE_MAX), 2);
	assert_true(text_distance(LONG "x", "y" LONG "z", 1) == SIZE_MAX);
	assert_int_equal(text_distance(LONG "x", "y", SIZE_MAX), 74);
	for (size_t i = 0; i < 364; i++)
		for (size_t j = 0; j < 364; j++) { /* 3 + 9 + 27 + 81 + 243 and the empty one */
			make_word(i, a);
			make_word(j, b);
			assert_int_equal(text_distance(a, b, SIZE_MAX), plain_distance(a, b));
		}
}

/* The table of distances, cell by cell. */
static size_t table_distance(const char *a, size_t n, const char *b, size_t m)
{
	static size_t d[302][302];

	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[n][m];
}

/* Words of one, two and more machine words, unrelated and edited, with every kind of limit. */
TEST(distance_of_long_names)
{
	char a[302], b[302];
	uint64_t seed = 7;

	for (int round = 0; round < 600; round++) {
		size_t n, m, expected;

		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
		n = 1 + (size_t)(seed >> 33) % 300;
		m = round % 2 ? n : 1 + (size_t)(seed >> 13) % 300;
		for (size_t i = 0; i < n; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
			a[i] = (char)('a' + (seed >> 40) % (round % 7 + 2));
		}
		for (size_t i = 0; i < m; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
			bool kept = round % 2 && (seed >> 50) % 8;

			b[i] = kept ? a[i] : (char)('a' + (seed >> 40) % (round % 7 + 2));
			if (kept && i && (seed >> 55) % 16 == 0) { /* two in the wrong order */
				char c = b[i - 1];

				b[i - 1] = b[i];
				b[i] = c;
			}
		}
		a[n] = b[m] = '\0';
		expected = table_distance(a, n, b, m);
		assert_int_equal(text_distance(a, b, SIZE_MAX), expected);
		assert_int_equal(text_distance(a, b, expected), expected);
		if (expected)
			assert_true(text_distance(a, b, expected - 1) == SIZE_MAX);
		if (expected > 10)
			assert_true(text_distance(a, b, expected / 2) == SIZE_MAX);
	}
}

TEST(nearest_has_a_limit)
{
	static const char *const words[] = {"abcdefghi", "s"};

	assert_int_equal(text_nearest("abcdefxxx", words, 1), 0);    /* 3 of 9 */
	assert_int_equal(text_nearest("abcdexxxx", words, 1), -1);   /* 4 of 9 */
	assert_int_equal(text_nearest("abcdefghijkl", words, 1), 0); /* 3 of 12 */
	assert_int_equal(text_nearest("abcdef", words, 1), -1);	     /* 3 of 6 */
	assert_int_equal(text_nearest("xs", words, 2), 1);
	assert_int_equal(text_nearest("x", words, 2), -1); /* nothing in common */
	assert_int_equal(text_nearest("S", words, 2), 1);
}

TEST(nearest_few_words)
{
	static const char *const words[] = {
		"conv1/Conv2D", "Relu", "conv2d", "MatMul", "Conv2DBackpropFilter", "Conv3D", ""};
	size_t out[8];

	assert_int_equal(text_nearest_few("Conv2D", words, 7, out, 8), 4);
	assert_int_equal(out[0], 2); /* but for the case */
	assert_int_equal(out[1], 5); /* one edit */
	assert_int_equal(out[2], 0); /* contains it, 6 more */
	assert_int_equal(out[3], 4); /* contains it, 14 more */
	assert_int_equal(text_nearest_few("Conv2D", words, 7, out, 2), 2);
	assert_int_equal(out[0], 2);
	assert_int_equal(out[1], 5);
	assert_int_equal(text_nearest_few("tower_0/relu", words, 7, out, 8), 1);
	assert_int_equal(out[0], 1);
	assert_int_equal(text_nearest_few("nothing", words, 7, out, 8), 0);
	assert_int_equal(text_nearest_few("", words, 7, out, 8), 0);
	assert_int_equal(text_nearest_few("Relu", words, 7, out, 0), 0);
}

TEST(nearest_few_keeps_the_order_of_ties)
{
	static const char *const words[] = {"op_1x", "op_2", "op_3", "op_1", "op_4"};
	size_t out[3];

	assert_int_equal(text_nearest_few("op_1", words, 5, out, 3), 3);
	assert_int_equal(out[0], 3);
	assert_int_equal(out[1], 0);
	assert_int_equal(out[2], 1);
}

TEST(zeros_are_made_visible)
{
	struct text t;

	text_init(&t);
	assert_int_equal(text_add_zeros_visible(&t, "a\0b\0\0", 5), 3);
	assert_string_equal(text_string(&t), "a\\0b\\0\\0");
	text_clear(&t);
	assert_int_equal(text_add_zeros_visible(&t, "", 0), 0);
	assert_int_equal(text_add_zeros_visible(&t, "ab", 1), 0);
	assert_string_equal(text_string(&t), "a");
	text_release(&t);
}

TEST(small_comparisons)
{
	assert_true(text_equal("", ""));
	assert_false(text_equal("a", "A"));
	assert_true(text_starts("--unit=us", "--unit="));
	assert_true(text_starts("x", ""));
	assert_false(text_starts("--un", "--unit="));
	assert_true(text_ends("a.json.gz", ".gz"));
	assert_true(text_ends("a", ""));
	assert_false(text_ends("gz", ".gz"));
	assert_string_equal(text_base_name("a/b/c"), "c");
	assert_string_equal(text_base_name("c"), "c");
	assert_string_equal(text_base_name("/c"), "c");
	assert_string_equal(text_base_name("a/"), "");
	assert_string_equal(text_base_name(""), "");
}

/* Each stands before all that follow. */
TEST(natural_order)
{
	static const char *const sorted[] = {"", "2", "10", "a", "a0", "a00", "a01", "a1", "a1b",
		"a01c", "a2", "a9x", "a10", "a10b2", "a10b10", "a99999999999999999999998",
		"a99999999999999999999999", "a100000000000000000000000", "a:", "aa", "b", E_ACUTE};
	size_t count = sizeof(sorted) / sizeof(sorted[0]);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			int order = text_compare_natural(sorted[i], sorted[j]);

			if ((i < j && order >= 0) || (i == j && order != 0) ||
				(i > j && order <= 0))
				fail_msg("\"%s\" and \"%s\": %d", sorted[i], sorted[j], order);
		}
}

/* Each stands before all that follow. */
TEST(order_of_a_tree)
{
	static const char *const sorted[] = {
		"", "/", "a", "a/", "a/b", "a/b/c", "a/bc", "a-b", "a-b/c", "ab", "b", E_ACUTE};
	size_t count = sizeof(sorted) / sizeof(sorted[0]);

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < count; j++) {
			int order = text_compare_tree(sorted[i], sorted[j]);

			if ((i < j && order >= 0) || (i == j && order != 0) ||
				(i > j && order <= 0))
				fail_msg("\"%s\" and \"%s\": %d", sorted[i], sorted[j], order);
		}
}
