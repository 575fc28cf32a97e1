/*
 * The inputs of the job, sorted by device and inode when first asked, and the outputs that are
 * open.
 */
#include "base/output/output_guard.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

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

/*
 * This is static because it belongs to the process as its open files do: an output that replaces an
 * input is wrong wherever it is opened. Only the main thread opens outputs.
 */
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
	if (text_equal(path, "-"))
		file_identity_of_descriptor(standard, out);
	else
		file_identity_of(path, out);
}

void output_guard_add(const char *path)
{
	struct file_identity id;

	identify(path, STDIN_FILENO, &id);
	if (id.kind == FILE_REGULAR)
		output_guard_add_file(path, id.device, id.inode);
}

static int compare(const void *a, const void *b)
{
	const struct guarded_input *x = a, *y = b;

	return ORDER(x->device, y->device) ?: ORDER(x->inode, y->inode);
}

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

static int is_input(const char *shown, const struct guarded_input *input, struct error *err)
{
	if (text_equal(input->path, "-"))
		error_set(err, ERROR_USAGE, shown,
			"is what standard input reads, and would be replaced by an output");
	else if (text_equal(shown, input->path))
		error_set(
			err, ERROR_USAGE, shown, "is an input, and would be replaced by an output");
	else
		error_set(err, ERROR_USAGE, shown,
			"is the input %s, and would be replaced by an output", input->path);
	return error_hint(err, "choose another name for the output");
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
	if (input)
		return is_input(shown, input, err);
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
