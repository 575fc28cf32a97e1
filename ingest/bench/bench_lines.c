/*
 * Lines and words of texts.
 */
#include "ingest/bench/bench_lines.h"

#include "base/number.h"
#include "ingest/input/text_lines.h"
#include <string.h>

#define PROBE_LINE 1024 /* longer lines are none of a terminal */

static int fill(struct bench *b, struct error *err)
{
	const struct bench_lines *lines = b->opt->source;
	void *state = arena_alloc(b->arena, lines->state_bytes ? lines->state_bytes : 1);
	struct line_reader reader;
	const char *line;
	size_t size;
	int got;

	b->facts.of[BENCH_FRAMEWORK] = lines->framework;
	b->repeats = lines->repeats;
	line_reader_init(&reader, b->in, b->opt->max_record_bytes);
	while ((got = line_reader_next(&reader, &line, &size, err)) > 0)
		if (lines->line(b, state, line, err) < 0) {
			got = -1;
			break;
		}
	if (got == 0 && reader.unended)
		issue_add(&b->out->issues, ISSUE_INFO, "line-unended",
			"texts whose last line has no end: its last value may be cut", 1,
			input_path(b->in));
	line_reader_release(&reader);
	return got < 0 ? -1 : lines->end ? lines->end(b, state, err) : 0;
}

int bench_read_lines(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read(in, out, opt, fill, err);
}

struct bench_word bench_word_next(const char **at)
{
	struct bench_word word;

	word.at = *at + strspn(*at, " \t\r");
	word.size = strcspn(word.at, " \t\r");
	*at = word.at + word.size;
	return word;
}

bool bench_word_is(const struct bench_word *word, const char *text)
{
	return word->size == strlen(text) && memcmp(word->at, text, word->size) == 0;
}

const char *bench_word_text(struct bench *b, const struct bench_word *word)
{
	return bench_visible(b, word->at, word->size);
}

const char *bench_word_number(struct bench *b, const struct bench_word *word)
{
	char *text = arena_strndup(b->arena, word->at, word->size), *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	return text;
}

bool bench_word_is_number(const struct bench_word *word)
{
	char digits[NUMBER_TEXT_SIZE];
	size_t n = 0;
	double number;

	for (size_t i = 0; i < word->size; i++)
		if (word->at[i] != ',') {
			if (n == sizeof(digits))
				return false;
			digits[n++] = word->at[i];
		}
	return number_parse_real(digits, n, &number);
}

const char *bench_trimmed(struct bench *b, const char *at, size_t size)
{
	while (size && strchr(" \t\r", at[size - 1]))
		size--;
	while (size && strchr(" \t\r", *at)) {
		at++;
		size--;
	}
	return bench_visible(b, at, size);
}

bool bench_probe_lines(const struct probe *p, bool (*is_one)(const char *line))
{
	const char *at = (const char *)p->bytes, *end = at + p->size;
	char line[PROBE_LINE];

	if (memchr(p->bytes, 0, p->size))
		return false;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const size_t size = (size_t)((stop ? stop : end) - at);

		if (size < sizeof(line)) {
			memcpy(line, at, size);
			line[size] = '\0';
			if (is_one(line))
				return true;
		}
		at += size + 1;
	}
	return false;
}
