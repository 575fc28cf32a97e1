/* Files of cgroup v2. */
#include "ab/memory_group.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/number.h"
#include "base/temporary_file.h"
#include "base/text.h"

#define GROUPS "/sys/fs/cgroup"

struct memory_group {
	const char *procs, *peak, *folder, *procs_before;
};

/* At most 4095 bytes of the file, in the arena; NULL: it cannot be read. */
static char *read_some(const char *path, struct arena *arena)
{
	char *bytes = arena_alloc(arena, 4096);
	const int fd = file_open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, bytes, 4095);

	if (fd >= 0)
		close(fd);
	bytes[n > 0 ? n : 0] = '\0';
	return n < 0 ? NULL : bytes;
}

static bool move_to(const char *procs)
{
	const int fd = file_open(procs, O_WRONLY | O_CLOEXEC);
	const bool done = fd >= 0 && write(fd, "0\n", 2) == 2;

	if (fd >= 0)
		close(fd);
	return done;
}

/* The group of this process, "/user.slice/...", "" at the top; NULL: none of cgroup v2. */
static char *own_group(const char *root, struct arena *arena)
{
	char *text = read_some(arena_printf(arena, "%s/proc/self/cgroup", root), arena);
	char *own = !text ? NULL : text_starts(text, "0::/") ? text : strstr(text, "\n0::/");

	if (!own)
		return NULL;
	own = strchr(own, '/');
	own[strcspn(own, "\n")] = '\0';
	if (!own[1])
		*own = '\0';
	return own;
}

/* True if the group limits what is in it: what runs beside it would escape that. */
static bool is_limited(const char *root, const char *own, struct arena *arena)
{
	static const char *const limit[] = {
		"memory.max", "memory.high", "memory.swap.max", "cpu.max"};
	const char *text;

	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++) {
		text = read_some(
			arena_printf(arena, "%s" GROUPS "%s/%s", root, own, limit[i]), arena);
		if (text && !text_starts(text, "max"))
			return true;
	}
	text = read_some(arena_printf(arena, "%s" GROUPS "%s/cpuset.cpus", root, own), arena);
	return text && *text && *text != '\n';
}

struct memory_group *memory_group_find(const char *root, struct arena *arena)
{
	struct memory_group *group = arena_alloc(arena, sizeof(*group));
	char *own = own_group(root, arena);
	const char *before = own ? arena_strdup(arena, own) : NULL;

	/* A group with processes has no groups below it that count memory, but for the first one;
	 * mostly one beside it has to do. */
	for (int i = 0; own && i < 2; i++) {
		const char *folder = arena_printf(
			arena, "%s" GROUPS "%s/stepstat-%ld", root, own, (long)getpid());

		*group = (struct memory_group){.folder = folder,
			.procs = arena_printf(arena, "%s/cgroup.procs", folder),
			.peak = arena_printf(arena, "%s/memory.peak", folder),
			.procs_before =
				arena_printf(arena, "%s" GROUPS "%s/cgroup.procs", root, before)};
		if (memory_group_enter(group) && memory_group_leave(group) >= 0)
			return group;
		if (!*own || is_limited(root, own, arena))
			break;
		*strrchr(own, '/') = '\0';
	}
	return NULL;
}

static int64_t read_peak(const struct memory_group *group)
{
	struct arena *arena = arena_new();
	const char *text = read_some(group->peak, arena);
	int64_t peak = -1;

	if (!text || !number_parse_int(text, strcspn(text, "\n"), &peak))
		peak = -1;
	arena_free(arena);
	return peak;
}

bool memory_group_enter(const struct memory_group *group)
{
	mkdir(group->folder, 0755);
	/* One that was not removed has the peak of before. */
	if (read_peak(group) == 0 && access(group->procs_before, W_OK) == 0 &&
		move_to(group->procs))
		return true;
	memory_group_remove(group);
	return false;
}

int64_t memory_group_leave(const struct memory_group *group)
{
	const bool is_back = move_to(group->procs_before);
	const int64_t peak = is_back ? read_peak(group) : -1;

	memory_group_remove(group);
	return peak;
}

void memory_group_remove(const struct memory_group *group)
{
	rmdir(group->folder);
}
