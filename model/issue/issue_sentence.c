/*
 * Issues in sentences. A text is a sentence ("the trace has no steps") or begins with what was
 * counted, in the plural
 * ("executions without a start time").
 */
#include "model/issue/issue.h"

#include <string.h>
#include "base/number.h"

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

static void add_singular(struct text *out, const char *text, const char *end)
{
	size_t n = (size_t)(end - text);
	bool y = n > 3 && !memcmp(end - 3, "ies", 3);
	bool es = n > 4 && (!memcmp(end - 4, "ches", 4) || !memcmp(end - 4, "shes", 4));

	text_add_bytes(out, text, n - (y ? 3 : es ? 2 : 1));
	text_add(out, y ? "y" : "");
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
		add_singular(out, issue->text, end);
		text_add(out, end);
	}
}

/* ", 97 % of the device time"; nothing where it is all, which the text says. */
static void add_part(struct text *out, const struct issue_loss *loss)
{
	const double part = 100 * issue_lost_part(loss);
	char number[NUMBER_TEXT_SIZE];

	if (part > 0 && part < 100)
		text_printf(out, ", %s %% of the %s",
			number_format_fixed(number, part, part < 10 || part > 99 ? 1 : 0),
			issue_loss_word(loss->kind));
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
	add_part(out, &issue->loss);
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

static int set_error(const struct issue *issue, struct error *err)
{
	struct text text;

	text_init(&text);
	issue_add_count(&text, issue);
	error_set(err, ERROR_INPUT, issue->place, "%s", text_string(&text));
	text_release(&text);
	return error_hint(err, "without --strict this is a note, and the rest is used");
}

int issue_list_refuse_losses(const struct issue_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->issue[i].severity != ISSUE_INFO)
			return set_error(&list->issue[i], err);
	return 0;
}
