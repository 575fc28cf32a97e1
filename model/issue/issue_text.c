/* Issues in words that can be read back. */
#include "model/issue/issue_text.h"

#include <string.h>
#include "base/number.h"
#include "model/issue/issue.h"

#define FIRST " (first: "
#define EFFECT " [effect "
#define LOST " [lost "

static const char *const severity_words[] = {
	[ISSUE_INFO] = "info ",
	[ISSUE_LOSS] = "loss ",
	[ISSUE_ERROR] = "error ",
};

static void add_bound(struct text *out, int64_t bound)
{
	if (bound == EFFECT_UNKNOWN)
		text_add(out, " -");
	else
		text_printf(out, " %lld", (long long)bound);
}

void issue_text_add(struct text *out, const struct issue *issue)
{
	text_printf(out, "%s%s %zu x %s", severity_words[issue->severity], issue->code,
		issue->count, issue->text);
	if (issue->place && *issue->place)
		text_printf(out, FIRST "%s)", issue->place);
	/* " [lost 19 of 20 launches]". */
	if (issue->loss.kind != LOSS_NONE)
		text_printf(out, LOST "%lld of %lld %s]", (long long)issue->loss.lost,
			(long long)issue->loss.all, issue_loss_word(issue->loss.kind));
	/* " [effect ps LOW HIGH RECORDED STEPS of ROW]"; "-" is not known. */
	if (issue->effect.unit == EFFECT_NONE)
		return;
	text_printf(out, EFFECT "%s", issue_effect_unit(issue->effect.unit));
	add_bound(out, issue->effect.low);
	add_bound(out, issue->effect.high);
	add_bound(out, issue->effect.recorded);
	text_printf(out, " %s of %s]",
		issue->effect.steps && *issue->effect.steps ? issue->effect.steps : "-",
		issue->effect.row);
}

/* The next word, which ends at a blank. */
static bool next_word(const char **at, const char **word, size_t *n)
{
	*word = *at;
	*n = strcspn(*at, " ");
	*at += *n + ((*at)[*n] == ' ');
	return *n > 0;
}

static bool parse_bound(const char **at, int64_t *bound)
{
	const char *word;
	size_t n;

	if (!next_word(at, &word, &n))
		return false;
	*bound = EFFECT_UNKNOWN;
	return (n == 1 && *word == '-') || (number_parse_int(word, n, bound) && *bound >= 0);
}

static bool parse_unit(const char **at, enum effect_unit *unit)
{
	const char *word;
	size_t n;

	if (!next_word(at, &word, &n))
		return false;
	for (*unit = EFFECT_PS; *unit <= EFFECT_EVENTS; ++*unit)
		if (strlen(issue_effect_unit(*unit)) == n &&
			!memcmp(word, issue_effect_unit(*unit), n))
			return true;
	return false;
}

/* Parses the text after EFFECT, up to the "]" at its end. */
static bool parse_effect(const char *at, struct arena *arena, struct issue_effect *effect)
{
	const char *of = strstr(at, " of ");
	size_t n;

	if (!of || !parse_unit(&at, &effect->unit) || !parse_bound(&at, &effect->low) ||
		!parse_bound(&at, &effect->high) || !parse_bound(&at, &effect->recorded) ||
		at >= of)
		return false;
	n = (size_t)(of - at);
	effect->steps = n == 1 && *at == '-' ? "" : arena_strndup(arena, at, n);
	of += strlen(" of ");
	effect->row = arena_strndup(arena, of, strlen(of) - 1);
	return true;
}

/* The text without its effect, which is read. */
static const char *take_effect(const char *text, struct arena *arena, struct issue_effect *effect)
{
	if (!text_ends(text, "]"))
		return text;
	for (const char *at = text; (at = strstr(at, EFFECT)); at++)
		if (parse_effect(at + strlen(EFFECT), arena, effect))
			return arena_strndup(arena, text, (size_t)(at - text));
	effect->unit = EFFECT_NONE;
	return text;
}

/* The same of its loss, which stands before the effect. */
static const char *take_loss(const char *text, struct arena *arena, struct issue_loss *loss)
{
	const char *at = NULL, *of, *word;

	for (const char *next = text; (next = strstr(next, LOST)); next++)
		at = next;
	of = at ? strstr(at, " of ") : NULL;
	word = of ? strchr(of + strlen(" of "), ' ') : NULL;
	if (!word || !text_ends(text, "]") ||
		!number_parse_int(
			at + strlen(LOST), (size_t)(of - at) - strlen(LOST), &loss->lost) ||
		!number_parse_int(
			of + strlen(" of "), (size_t)(word - of) - strlen(" of "), &loss->all) ||
		loss->lost < 0 || loss->lost > loss->all)
		return text;
	for (loss->kind = LOSS_KINDS - 1; loss->kind > LOSS_NONE; loss->kind--)
		if (text_starts(word + 1, issue_loss_word(loss->kind)) &&
			word[1 + strlen(issue_loss_word(loss->kind))] == ']')
			return arena_strndup(arena, text, (size_t)(at - text));
	return text;
}

bool issue_text_parse(const char *text, struct issue_list *list)
{
	const char *code = NULL, *count, *words, *first, *place = "";
	enum issue_severity severity = ISSUE_INFO;
	struct issue_effect effect = {.unit = EFFECT_NONE};
	struct issue_loss loss = {.kind = LOSS_NONE};
	int64_t n;

	for (size_t i = 0; i < sizeof(severity_words) / sizeof(severity_words[0]) && !code; i++)
		if (text_starts(text, severity_words[i])) {
			severity = (enum issue_severity)i;
			code = text + strlen(severity_words[i]);
		}
	count = code ? strchr(code, ' ') : NULL;
	words = count ? strstr(count, " x ") : NULL;
	if (!words || count == code || !words[3] ||
		!number_parse_int(count + 1, (size_t)(words - count - 1), &n) || n < 1)
		return false;
	words = take_effect(words + 3, list->arena, &effect);
	words = take_loss(words, list->arena, &loss);
	first = strstr(words, FIRST);
	if (first && text_ends(first, ")"))
		place = arena_strndup(
			list->arena, first + strlen(FIRST), strlen(first) - strlen(FIRST) - 1);
	else
		first = words + strlen(words);
	code = arena_strndup(list->arena, code, (size_t)(count - code));
	issue_add(list, severity, code, arena_strndup(list->arena, words, (size_t)(first - words)),
		(size_t)n, place);
	issue_set_effect(list, code, &effect);
	issue_set_loss(list, code, &loss);
	return true;
}

/* Issues in sentences. A text is a sentence ("the trace has no steps") or begins with what was
 * counted, in the plural ("executions without a
 * start time"). */

/* the counted noun is among the first words: "bytes", "device events", "last steps" */
#define HEAD_WORDS 3

static bool is_one_of(const char *word, size_t n, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == n && !memcmp(word, *list, n))
			return true;
	return false;
}

static bool ends_noun(const char *word, size_t n)
{
	static const char *const others[] = {"as", "has", "is", "its", "less", "this", "was", NULL};

	return n > 2 && word[n - 1] == 's' && !strchr("s'", word[n - 2]) &&
	       !is_one_of(word, n, others);
}

/* The end of the counted noun, NULL in a sentence. */
static const char *noun_end(const char *text)
{
	static const char *const stops[] = {"a", "an", "between", "each", "for", "in", "no", "not",
		"of", "on", "that", "the", "to", "which", "whose", "with", "without", NULL};

	static const char *const verbs[] = {"holds", "has", "is", "was", NULL};

	for (int i = 0; i < HEAD_WORDS && *text; i++) {
		size_t n = strcspn(text, " ,:;(");
		const char *next = text + n + (text[n] == ' ');

		if (*text == '-' || text[n] == ':' || is_one_of(text, n, stops) ||
			is_one_of(next, strcspn(next, " ,:;("), verbs))
			return NULL;
		if (ends_noun(text, n))
			return text + n;
		if (text[n] != ' ')
			return NULL;
		text = next;
	}
	return NULL;
}

/* True if a word after the noun agrees with its plural ("events that are", "steps ... their"). */
static bool agrees_with_plural(const char *rest)
{
	static const char *const plural[] = {"are", "as", "do", "each", "have", "others", "them",
		"these", "they", "their", "those", "were", NULL};

	while (*rest) {
		size_t n = strcspn(rest, " ,:;()");
		const char *next = rest + n + strspn(rest + n, " ,:;()");

		if (is_one_of(rest, n, plural))
			return true;
		if ((n == 4 && !memcmp(rest, "that", 4)) || (n == 5 && !memcmp(rest, "which", 5))) {
			if (!text_starts(next, "is ") && !text_starts(next, "has "))
				return true;
		}
		rest = next;
	}
	return false;
}

void issue_add_count(struct text *out, const struct issue *issue)
{
	const char *end = noun_end(issue->text);

	if (!end && issue->count == 1) {
		text_add(out, issue->text);
	} else if (!end) {
		text_printf(out, "%s (%zu times)", issue->text, issue->count);
	} else if (issue->count > 1) {
		text_printf(out, "%zu %s", issue->count, issue->text);
	} else if (agrees_with_plural(end)) {
		text_printf(out, "1 case: %s", issue->text);
	} else {
		text_add(out, "1 ");

		size_t n = (size_t)(end - issue->text);
		bool y = n > 3 && !memcmp(end - 3, "ies", 3);
		bool es = n > 4 && (!memcmp(end - 4, "ches", 4) || !memcmp(end - 4, "shes", 4));

		text_add_bytes(out, issue->text, n - (y ? 3 : es ? 2 : 1));
		text_add(out, y ? "y" : "");
		text_add(out, end);
	}
}

static void add_with_place(struct text *out, const struct issue *issue)
{
	bool placed = issue->place && *issue->place;

	if (placed && issue->count > 1 && !noun_end(issue->text)) {
		text_printf(
			out, "%s (%zu times, first: %s)", issue->text, issue->count, issue->place);
		return;
	}
	issue_add_count(out, issue);

	/* ", 97 % of the device time"; nothing where it is all, which the text says. */
	const double part = 100 * issue_lost_part(&issue->loss);
	char number[NUMBER_TEXT_SIZE];

	if (part > 0 && part < 100)
		text_printf(out, ", %s %% of the %s",
			number_format_fixed(number, part, part < 10 || part > 99 ? 1 : 0),
			issue_loss_word(issue->loss.kind));
	if (placed)
		text_printf(out, " (%s%s)", issue->count == 1 ? "" : "first: ", issue->place);
}

void issue_add_sentence(struct text *out, const struct issue *issue)
{
	struct text effect;

	add_with_place(out, issue);
	text_init(&effect);
	issue_add_effect(&effect, &issue->effect);
	if (effect.size &&
		(issue->loss.kind == LOSS_NONE || issue->effect.recorded != EFFECT_UNKNOWN))
		text_printf(out, "; %s", text_string(&effect));
	text_release(&effect);
}

int issue_list_refuse_losses(const struct issue_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->issue[i].severity != ISSUE_INFO) {
			struct text text;

			text_init(&text);
			issue_add_count(&text, &list->issue[i]);
			error_set(err, ERROR_INPUT, list->issue[i].place, "%s", text_string(&text));
			text_release(&text);
			return error_hint(
				err, "without --strict this is a note, and the rest is used");
		}
	return 0;
}
