/* Filling struct error. Every text is first made in a buffer of its own, so that a caller may use
 * the old message as an argument of the new one. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MOST (sizeof(((struct error *)0)->message))

/* Ends a text that lost its tail in "...", without half a UTF-8 character before it. */
static void cut_marked(char *text, size_t size)
{
	static const char mark[] = "...";
	size_t end = size - sizeof(mark);
	size_t start = end;

	/* A byte 10xxxxxx at the cut belongs to a character that began up to three bytes before. */
	while (end - start < 3 && start > 0 && ((unsigned char)text[start] & 0xc0) == 0x80)
		start--;
	if (((unsigned char)text[start] & 0xc0) == 0x80)
		start = end; /* no UTF-8 anyway */
	memcpy(text + start, mark, sizeof(mark));
}

static void format_cut(char *out, size_t size, const char *format, va_list args)
{
	int length = vsnprintf(out, size, format, args);

	if (length < 0)
		out[0] = '\0';
	else if ((size_t)length >= size)
		cut_marked(out, size);
}

static void copy_cut(char *out, size_t size, const char *text)
{
	size_t length = strlen(text);

	if (length < size) {
		memmove(out, text, length + 1);
		return;
	}
	memmove(out, text, size - 1);
	out[size - 1] = '\0';
	cut_marked(out, size);
}

int error_set(struct error *err, enum error_kind kind, const char *place, const char *format, ...)
{
	char message[TEXT_MOST];
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	format_cut(message, sizeof(message), format, args);
	va_end(args);
	err->kind = kind;
	copy_cut(err->place, sizeof(err->place), place ? place : "");
	copy_cut(err->message, sizeof(err->message), message);
	err->hint[0] = '\0';
	return -1;
}

int error_hint(struct error *err, const char *format, ...)
{
	char hint[sizeof(err->hint)];
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	format_cut(hint, sizeof(hint), format, args);
	va_end(args);
	copy_cut(err->hint, sizeof(err->hint), hint);
	return -1;
}

int error_context(struct error *err, const char *format, ...)
{
	char context[TEXT_MOST], whole[2 * TEXT_MOST + 2];
	va_list args;

	if (!err)
		return -1;
	va_start(args, format);
	format_cut(context, sizeof(context), format, args);
	va_end(args);
	snprintf(whole, sizeof(whole), "%s: %s", context, err->message);
	copy_cut(err->message, sizeof(err->message), whole);
	return -1;
}

const char *error_place_offset(
	char *out, unsigned long size, const char *file, unsigned long long offset)
{
	char position[40];

	/* The position is worth more than the end of a long path. */
	snprintf(position, sizeof(position), ":byte %llu", offset);
	size_t room = size > strlen(position) ? size - strlen(position) : 0;

	if (room >= sizeof("..."))
		copy_cut(out, room, file);
	else if (size)
		out[0] = '\0';
	size_t used = size ? strlen(out) : 0;

	if (size)
		snprintf(out + used, size - used, "%s", position);
	return out;
}
