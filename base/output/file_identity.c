/* Files are distinguished by device and inode; a file that does not exist, by folder and name. */
#include "base/output/file_identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

#define LINKS_MOST 40 /* as the kernel follows */

static char *copy_bytes(const char *s, size_t n)
{
	char *copy = memory_alloc(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

/* The folder part of path with its last '/', as a length; 0 is the current folder. */
static size_t folder_length(const char *path)
{
	return (size_t)(text_base_name(path) - path);
}

/* Target of the link at path, as a path from here; NULL with errno when it cannot be read. */
static char *read_link(const char *path)
{
	char link[PATH_MAX];
	ssize_t size = readlink(path, link, sizeof(link));
	struct text target;

	if (size < 0)
		return NULL;
	if ((size_t)size == sizeof(link)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	text_init(&target);
	if (link[0] != '/')
		text_add_bytes(&target, path, folder_length(path));
	text_add_bytes(&target, link, (size_t)size);
	return target.data;
}

char *file_follow_links(const char *path)
{
	char *target = copy_bytes(path, strlen(path));
	struct stat status;

	for (int links = 0; lstat(target, &status) == 0 && S_ISLNK(status.st_mode); links++) {
		char *next = NULL;

		if (links == LINKS_MOST)
			errno = ELOOP;
		else
			next = read_link(target);
		memory_free(target);
		if (!next)
			return NULL;
		target = next;
	}
	return target;
}

static void fill(const struct stat *status, struct file_identity *out)
{
	out->device = status->st_dev;
	out->inode = status->st_ino;
	out->kind = S_ISREG(status->st_mode)   ? FILE_REGULAR
		    : S_ISDIR(status->st_mode) ? FILE_FOLDER
					       : FILE_STREAM;
}

static void of_missing(const char *target, struct file_identity *out)
{
	const char *name = text_base_name(target);
	size_t length = folder_length(target);
	char *folder = length ? copy_bytes(target, length) : copy_bytes(".", 1);
	struct stat status;

	if (*name && strlen(name) <= NAME_MAX && stat(folder, &status) == 0) {
		out->kind = FILE_MISSING;
		out->device = status.st_dev;
		out->inode = status.st_ino;
		memcpy(out->name, name, strlen(name) + 1);
	}
	memory_free(folder);
}

void file_identity_of(const char *path, struct file_identity *out)
{
	struct stat status;
	char *trimmed, *target;

	memset(out, 0, sizeof(*out));
	trimmed = copy_bytes(path, text_path_size(path));
	if (stat(trimmed, &status) == 0) {
		fill(&status, out);
	} else {
		target = file_follow_links(trimmed);
		if (target)
			of_missing(target, out);
		memory_free(target);
	}
	memory_free(trimmed);
}

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return a->kind == b->kind && a->kind != FILE_UNKNOWN && a->kind != FILE_STREAM &&
	       a->device == b->device && a->inode == b->inode && text_equal(a->name, b->name);
}

/* The inputs of the job, sorted by device and inode when first asked, and the outputs that are
 * open. */

struct guarded_input {
	dev_t device;
	ino_t inode;
	char *path;
};

struct guarded_output {
	bool used;
	bool standard; /* a copy of a descriptor: two of them share one place in the file */
	struct file_identity identity;
	char *path;
};

/* This is static because it belongs to the process as its open files do: an output that replaces an
 * input is wrong wherever it is opened. Only the main thread opens outputs. */
static struct {
	struct guarded_input *input;
	size_t count, room;
	bool sorted;
	struct guarded_output *output;
	size_t output_room;
} guard;

static char *copy_string(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(memory_alloc(size), s, size);
}

void output_guard_add_file(const char *path, dev_t device, ino_t inode)
{
	guard.input =
		memory_make_room(guard.input, &guard.room, guard.count + 1, sizeof(*guard.input));
	guard.input[guard.count++] = (struct guarded_input){device, inode, copy_string(path)};
	guard.sorted = false;
}

void output_guard_forget_inputs(void)
{
	for (size_t i = 0; i < guard.count; i++)
		memory_free(guard.input[i].path);
	guard.count = 0;
}

static bool is_standard(const char *path)
{
	return text_equal(path, "-") || text_equal(path, "/dev/stdout") ||
	       text_equal(path, "/dev/stderr");
}

static void identify(const char *path, int standard, struct file_identity *out)
{
	if (text_equal(path, "-")) {
		struct stat status;

		memset(out, 0, sizeof(*out));
		if (fstat(standard, &status) == 0)
			fill(&status, out);
	} else
		file_identity_of(path, out);
}

void output_guard_add(const char *path)
{
	struct file_identity id;

	identify(path, STDIN_FILENO, &id);
	if (id.kind == FILE_REGULAR)
		output_guard_add_file(path, id.device, id.inode);
}

ORDERED(compare, struct guarded_input, ORDER(x->device, y->device) ?: ORDER(x->inode, y->inode));

static const struct guarded_input *find_input(dev_t device, ino_t inode)
{
	const struct guarded_input key = {device, inode, NULL};

	if (!guard.count)
		return NULL;
	if (!guard.sorted)
		qsort(guard.input, guard.count, sizeof(*guard.input), compare);
	guard.sorted = true;
	return bsearch(&key, guard.input, guard.count, sizeof(*guard.input), compare);
}

static const char *noun(const char *path, const char *standard)
{
	return text_equal(path, "-") ? standard : path;
}

static bool clashes(
	const char *path, const struct file_identity *id, const struct guarded_output *open)
{
	if (is_standard(path) && open->standard)
		return text_equal(path, open->path);
	return file_identity_equal(id, &open->identity);
}

int output_guard_check(const char *path, struct error *err)
{
	const char *shown = noun(path, "standard output");
	struct file_identity id;
	const struct guarded_input *input = NULL;

	identify(path, STDOUT_FILENO, &id);
	if (id.kind == FILE_REGULAR)
		input = find_input(id.device, id.inode);
	if (input) {
		if (text_equal(input->path, "-"))
			error_set(err, ERROR_USAGE, shown,
				"is what standard input reads, and would be replaced by an output");
		else if (text_equal(shown, input->path))
			error_set(err, ERROR_USAGE, shown,
				"is an input, and would be replaced by an output");
		else
			error_set(err, ERROR_USAGE, shown,
				"is the input %s, and would be replaced by an output", input->path);
		return error_hint(err, "choose another name for the output");
	}
	for (size_t i = 0; i < guard.output_room; i++) {
		const struct guarded_output *o = &guard.output[i];

		if (!o->used || !clashes(path, &id, o))
			continue;
		if (text_equal(path, o->path))
			error_set(err, ERROR_USAGE, shown, "is given as an output twice");
		else
			error_set(err, ERROR_USAGE, shown, "is the same output as %s",
				noun(o->path, "standard output"));
		return error_hint(err, "each output needs its own file");
	}
	return 0;
}

int output_guard_check_member(
	const char *shown, const char *name, dev_t device, ino_t inode, struct error *err)
{
	if (!find_input(device, inode))
		return 0;
	error_set(err, ERROR_USAGE, shown,
		"the folder holds \"%s\", which is an input, and would be replaced as a whole",
		name);
	return error_hint(err, "name a new folder");
}

int output_guard_open(const char *path)
{
	struct file_identity id;
	size_t i = 0;

	identify(path, STDOUT_FILENO, &id);
	if (id.kind == FILE_UNKNOWN)
		return -1;
	while (i < guard.output_room && guard.output[i].used)
		i++;
	guard.output = memory_make_room_zeroed(
		guard.output, &guard.output_room, i + 1, sizeof(*guard.output));
	guard.output[i] = (struct guarded_output){true, is_standard(path), id, copy_string(path)};
	return (int)i;
}

void output_guard_close(int number)
{
	if (number < 0)
		return;
	guard.output[number].used = false;
	memory_free(guard.output[number].path);
	guard.output[number].path = NULL;
}
