/* Rules by name. The numbers of processes and lines say nothing: the host was 501 in 2023 and is
 * 701 since. */
#include "ingest/trace/xla_rules.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

#define TEXT(words) ((struct xla_text){words, sizeof(words) - 1})

static bool begins(struct xla_text name, const char *with)
{
	return text_begins(name.at, name.size, with);
}

static bool ends(struct xla_text name, const char *with)
{
	size_t size = strlen(with);

	return name.size >= size && memcmp(name.at + name.size - size, with, size) == 0;
}

bool xla_text_is(struct xla_text text, const char *word)
{
	return text_is(text.at, text.size, word);
}

/* ---- processes and lines ---- */

enum xla_plane xla_plane_of(const char *process)
{
	const char *device = strstr(process, "/device:");

	if (device && !text_starts(device, "/device:CPU:"))
		return XLA_PLANE_DEVICE;
	if (device || strstr(process, "/host:"))
		return XLA_PLANE_HOST;
	return text_starts(process, "#Chip") ? XLA_PLANE_DEVICE : XLA_PLANE_UNKNOWN;
}

bool xla_is_programs_plane(const char *plane)
{
	return text_equal(plane, "/host:metadata");
}

bool xla_is_steps_line(const char *line)
{
	return text_equal(line, "Steps");
}

bool xla_is_modules_line(const char *line)
{
	return text_equal(line, "XLA Modules");
}

bool xla_is_device_line(const char *line)
{
	return text_equal(line, "XLA Ops") || xla_is_modules_line(line) ||
	       xla_is_steps_line(line) || text_starts(line, "Stream #");
}

bool xla_is_derived(const char *process, const char *line)
{
	static const char *const derived[] = {"Steps", "XLA Modules", "XLA TraceMe", "XLA Overhead",
		"Async XLA Ops", "Framework", "TensorFlow", "Source", "Launch Stats", "Overlay"};
	const char *device = strstr(process, "/device:");

	process = device ? device : process;
	if (!line[0] || text_is_digit(line[0]))
		return false; /* its name is not known, or not yet */
	if (text_starts(process, "/device:GPU:"))
		return !text_starts(line, "Stream #");
	if (text_starts(process, "/device:TPU:"))
		return !text_equal(line, "XLA Ops") && !text_equal(line, "Sparse Core Ops");
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		if (text_starts(line, derived[i]))
			return true;
	return false;
}

void xla_read_host(struct profile *p, const char *process)
{
	const char *plane = strstr(process, "/device:");

	if (!plane)
		plane = strstr(process, "/host:");
	if (plane > process + 1 && plane[-1] == ' ')
		facts_add(&p->facts, p->arena, FACT_HOST, process, (size_t)(plane - process) - 1);
}

void xla_read_host_of_path(struct profile *p, const char *ending)
{
	static const char *const above[] = {"profile", "plugins"};
	const char *name = text_base_name(p->path), *after = strstr(name, ending);
	size_t end = (size_t)(name - p->path);

	if (!after || after == name || end == 0)
		return;
	for (size_t i = 0; i <= sizeof(above) / sizeof(above[0]); i++) {
		size_t start;

		if (end == 0)
			return;
		for (start = --end; start > 0 && p->path[start - 1] != '/'; start--)
			continue;
		if (i > 0 && (end - start != strlen(above[i - 1]) ||
				     memcmp(p->path + start, above[i - 1], end - start) != 0))
			return;
		end = start;
	}
	if (!p->facts.host)
		facts_set(&p->facts, p->arena, FACT_HOST, name, (size_t)(after - name));
	p->host_is_rank = p->facts.host != NULL;
}

/* ---- events ---- */

static bool is_wait(struct xla_text name)
{
	return ends(name, "(wait for completion)") || ends(name, "::Await") ||
	       begins(name, "Wait for ");
}

enum xla_host_event xla_host_event_of(struct xla_text name)
{
	if (begins(name, "$"))
		return XLA_HOST_FRAME;
	if (begins(name, "end: "))
		return XLA_HOST_END;
	if (xla_text_is(name, "MemoryAllocation"))
		return XLA_HOST_ALLOCATED;
	if (is_wait(name))
		return XLA_HOST_WAIT;
	return xla_text_is(name, "MemoryDeallocation") ? XLA_HOST_FREED : XLA_HOST_OP;
}

struct xla_text xla_device_type(struct xla_text name, bool is_hlo)
{
	if (is_hlo)
		return TEXT("hlo");
	if (begins(name, "Memcpy"))
		return TEXT("gpu_memcpy");
	return begins(name, "Memset") ? TEXT("gpu_memset") : TEXT("kernel");
}

static bool tensorflow_type(struct xla_text name, struct xla_text *type)
{
	size_t i = name.size;

	while (i > 0 && name.at[i - 1] != ':')
		i--;
	if (i < 2 || i == name.size || name.at[i - 2] == ':' ||
		!((name.at[i] >= 'A' && name.at[i] <= 'Z') || name.at[i] == '_'))
		return false;
	*type = (struct xla_text){name.at + i, name.size - i};
	return true;
}

struct xla_text xla_host_type(struct xla_text name, bool is_hlo)
{
	struct xla_text type = TEXT("host");

	if (is_hlo)
		return TEXT("hlo");
	tensorflow_type(name, &type);
	return type;
}

bool xla_name_launches(struct xla_text name)
{
	struct xla_text type;

	return begins(name, "PjitFunction(") || tensorflow_type(name, &type);
}

struct xla_text xla_last_op(struct xla_text hlo_op)
{
	for (size_t i = hlo_op.size; i >= 2; i--)
		if (hlo_op.at[i - 1] == ':' && hlo_op.at[i - 2] == ':')
			return (struct xla_text){hlo_op.at + i, hlo_op.size - i};
	return hlo_op;
}

bool xla_is_step_name(struct xla_text name, int64_t *number)
{
	for (size_t i = 0; i < name.size; i++)
		if (name.at[i] < '0' || name.at[i] > '9')
			return false;
	return name.size > 0 && number_parse_int(name.at, name.size, number);
}
