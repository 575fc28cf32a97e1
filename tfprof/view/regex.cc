/* The one place where RE2 is called. */
#include "tfprof/view/regex.h"

#include <cstring>
#include <memory>
#include <vector>
#include <re2/re2.h>

struct regex_list {
	std::vector<std::unique_ptr<re2::RE2>> member;
	bool all;
};

/* RE2 prints its own line on standard error for a pattern that it refuses, as it did for tfprof. */
struct regex_list *regex_list_new(const struct word_list *words)
{
	struct regex_list *list = new regex_list;

	list->all = words->count == 1 && std::strcmp(words->word[0], ".*") == 0;
	for (size_t i = 0; i < words->count; i++)
		list->member.push_back(std::make_unique<re2::RE2>(words->word[i]));
	return list;
}

void regex_list_free(struct regex_list *list)
{
	delete list;
}

bool regex_list_is_all(const struct regex_list *list)
{
	return list->all;
}

bool regex_list_is_empty(const struct regex_list *list)
{
	return list->member.empty();
}

size_t regex_list_count(const struct regex_list *list)
{
	return list->member.size();
}

static bool matches(const re2::RE2 &pattern, const re2::StringPiece &text)
{
	return pattern.ok() && re2::RE2::FullMatch(text, pattern);
}

bool regex_list_matches_one(const struct regex_list *list, size_t index, const char *text)
{
	return matches(*list->member[index], text);
}

bool regex_list_matches_bytes(const struct regex_list *list, const char *text, size_t bytes)
{
	if (list->all)
		return true;
	for (const auto &pattern : list->member)
		if (matches(*pattern, re2::StringPiece(text, bytes)))
			return true;
	return false;
}

bool regex_list_matches(const struct regex_list *list, const char *text)
{
	return list->all || regex_list_matches_bytes(list, text, std::strlen(text));
}
