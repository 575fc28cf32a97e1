/* Demangles by libiberty, which writes into a buffer of fixed size here: std::pair of pairs doubles
 * with each four bytes of the name (255 bytes are 1.1 GB), and libiberty itself does not stop. */
#include "base/names/demangled_name.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>
#include "base/text.h"

struct demangled {
	char bytes[DEMANGLED_MOST];
	size_t size;
	jmp_buf full;
};

/* Leaves the demangler where the buffer is full: it has nothing but its stack. */
static void add_part(const char *part, size_t n, void *context)
{
	struct demangled *d = context;

	if (n > sizeof(d->bytes) - d->size)
		longjmp(d->full, 1);
	memcpy(d->bytes + d->size, part, n);
	d->size += n;
}

const char *demangled_name(struct arena *arena, const char *name)
{
	struct demangled d;

	if (!text_starts(name, "_Z") || strnlen(name, MANGLED_MOST + 1) > MANGLED_MOST)
		return NULL;
	d.size = 0;
	if (setjmp(d.full))
		return NULL;
	if (!cplus_demangle_v3_callback(name, DMGL_PARAMS | DMGL_ANSI, add_part, &d))
		return NULL;
	return arena_strndup(arena, d.bytes, d.size);
}
