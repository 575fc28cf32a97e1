/* Names of the host tracer, and a pass over its executions with stacks of open ones. */
#include "tfprof/graph/host_trace.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

#define ITERATOR "Iterator"
/* chains of iterators that are open together; what is beyond is in none */
#define CHAINS_MOST 256
#define NO_SPAN SIZE_MAX

static bool ends(const char *name, size_t n, const char *end)
{
	size_t size = strlen(end);

	if (n < size)
		return false;
	for (size_t i = 0; i < size; i++) {
		char c = name[n - size + i];

		if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != end[i])
			return false;
	}
	return true;
}

bool device_is_host_trace(const char *name, size_t n)
{
	return ends(name, n, "/host:cpu") || ends(name, n, "/host:cpu compute");
}

size_t host_trace_name(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (name[i] != ':')
			continue;
		if (i + 1 < n && name[i + 1] == ':') {
			while (i + 1 < n && name[i + 1] == ':')
				i++;
			continue;
		}
		if (i + 1 == n || name[i + 1] != ' ')
			return i;
	}
	return n;
}

static bool is_iterator(const char *name, size_t n)
{
	size_t word = strlen(ITERATOR);

	return n >= word && memcmp(name, ITERATOR, word) == 0 &&
	       (n == word || (n > word + 2 && name[word] == ':' && name[word + 1] == ':'));
}

/* Start of the last part of an iterator's name. */
static size_t last_part(const char *name, size_t n)
{
	for (size_t i = n; i >= 2; i--)
		if (name[i - 1] == ':' && name[i - 2] == ':')
			return i;
	return 0;
}

/* "ParallelInterleave[3]" without its number. */
static size_t before_index(const char *part, size_t n)
{
	const char *index = n ? memchr(part, '[', n) : NULL;

	return index ? (size_t)(index - part) : n;
}

void host_trace_type(const char *name, size_t n, struct text *type)
{
	size_t size = host_trace_name(name, n), part;

	text_clear(type);
	if (size < n) {
		text_add_bytes(type, name + size + 1, n - size - 1);
	} else if (is_iterator(name, n)) {
		part = last_part(name, n);
		text_add(type, part ? ITERATOR "::" : "");
		text_add_bytes(type, name + part, before_index(name + part, n - part));
	}
}

/* ---- which is above which, by name ---- */

/* Datasets whose iterators ask for their input on threads of their own. */
static bool has_threads(const char *part, size_t n)
{
	static const char *const words[] = {
		"Prefetch", "ParallelMap", "ParallelInterleave", "MapAndBatch", "ParallelBatch"};

	n = before_index(part, n);
	if (n > 2 && part[n - 2] == 'V' && part[n - 1] >= '2' && part[n - 1] <= '9')
		n -= 2;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (n == strlen(words[i]) && memcmp(part, words[i], n) == 0)
			return true;
	return false;
}

/* True if `above` calls `below` on its own thread, as far as names show. */
static bool calls(const struct host_span *above, const struct host_span *below)
{
	size_t n = above->name_size, end = last_part(below->name, below->name_size);

	if (n >= end || memcmp(above->name, below->name, n) != 0 ||
		(below->name[n] != '[' && below->name[n] != ':'))
		return false;
	for (size_t at = last_part(above->name, n); at < end;) {
		size_t next = at;

		while (next < end && below->name[next] != ':')
			next++;
		if (has_threads(below->name + at, next - at))
			return false;
		at = next + 2;
	}
	return true;
}

/* ---- the pass ---- */

struct nesting {
	struct host_span *span;
	size_t *around; /* of each open span: the one around it, or NO_SPAN */
	int64_t tick;
	size_t top[CHAINS_MOST]; /* innermost of each chain */
	size_t chains;
};

static int64_t end_of(const struct host_span *span)
{
	return span->start + span->dur;
}

static int compare_spans(const void *a, const void *b)
{
	const struct host_span *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->dur != y->dur)
		return x->dur > y->dur ? -1 : 1;
	if (x->name_size != y->name_size) /* what is above has the shorter name */
		return x->name_size < y->name_size ? -1 : 1;
	int order = x->name_size ? memcmp(x->name, y->name, x->name_size) : 0;

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static bool contains(const struct nesting *n, size_t outer, size_t inner)
{
	int64_t end;

	return __builtin_add_overflow(end_of(&n->span[outer]), n->tick, &end) ||
	       end_of(&n->span[inner]) <= end;
}

/* Takes the inner one's time off the outer one's. */
static void put_into(struct nesting *n, size_t outer, size_t inner)
{
	const struct host_span *in = &n->span[inner];
	struct host_span *out = &n->span[outer];
	int64_t end = end_of(in) < end_of(out) ? end_of(in) : end_of(out);

	out->own -= end - in->start;
	if (out->own < 0)
		out->own = 0;
	n->around[inner] = outer;
}

static size_t still_open(const struct nesting *n, size_t top, int64_t time)
{
	while (top != NO_SPAN && end_of(&n->span[top]) <= time)
		top = n->around[top];
	return top;
}

static void nest_iterator(struct nesting *n, size_t i)
{
	/* The chain that the iterator continues; `chains` when there is none. */
	size_t chain = n->chains;

	for (size_t c = 0; c < n->chains; c++) {
		size_t top = n->top[c];

		if (contains(n, top, i) && calls(&n->span[top], &n->span[i]) &&
			(chain == n->chains ||
				n->span[top].name_size >= n->span[n->top[chain]].name_size))
			chain = c;
	}

	if (chain < n->chains)
		put_into(n, n->top[chain], i);
	else if (n->chains < CHAINS_MOST)
		n->chains++;
	else
		return;
	n->top[chain] = i;
}

static void nest_by_names(struct nesting *n, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct host_span *span = &n->span[i];

		n->around[i] = NO_SPAN;

		size_t kept = 0;

		for (size_t c = 0; c < n->chains; c++) {
			size_t top = still_open(n, n->top[c], span->start);

			if (top != NO_SPAN)
				n->top[kept++] = top;
		}
		n->chains = kept;
		if (is_iterator(span->name, span->name_size))
			nest_iterator(n, i);
		else if (n->chains == 1 && contains(n, n->top[0], i))
			put_into(n, n->top[0], i);
	}
}

void host_trace_nest(struct host_span *span, size_t count, bool threads, int64_t tick)
{
	struct nesting n = {.span = span, .tick = tick};

	if (!count)
		return;
	for (size_t i = 0; i < count; i++) {
		span[i].own = span[i].dur;
		span[i].thread = threads ? span[i].thread : 0;
	}
	qsort(span, count, sizeof(*span), compare_spans);
	n.around = memory_alloc(memory_product(count, sizeof(*n.around)));
	if (threads) {
		size_t top = NO_SPAN;

		for (size_t i = 0; i < count; i++) {
			if (i > 0 && n.span[i].thread != n.span[i - 1].thread)
				top = NO_SPAN;
			top = still_open(&n, top, n.span[i].start);
			while (top != NO_SPAN && !contains(&n, top, i))
				top = n.around[top];
			n.around[i] = NO_SPAN;
			if (top != NO_SPAN)
				put_into(&n, top, i);
			top = i;
		}
	} else
		nest_by_names(&n, count);
	memory_free(n.around);
}
