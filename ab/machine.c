/* Files of Linux in /sys about its processors. */
#include "ab/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/number.h"
#include "base/temporary_file.h"
#include "base/text.h"

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%ld/"
#define LINE_SIZE 64

/* The first line of the file; false: there is none. */
static bool read_file(const char *path, char line[LINE_SIZE])
{
	const int fd = file_open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, line, LINE_SIZE - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return n > 0;
}

static bool read_of_cpu(const char *root, long cpu, const char *name, char line[LINE_SIZE])
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" CPU_FOLDER "%s", root, cpu, name);
	return read_file(path, line);
}

/* Sum over the processors that have the file; *count of them. */
static double sum_of(const char *root, const char *name, size_t *count)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	double sum = 0;
	char line[LINE_SIZE];

	*count = 0;
	for (long cpu = 0; cpu < cpus; cpu++) {
		int64_t number;

		if (!read_of_cpu(root, cpu, name, line) ||
			!number_parse_int(line, strlen(line), &number))
			continue;
		sum += (double)number;
		++*count;
	}
	return sum;
}

double machine_load(void)
{
	double load;

	return getloadavg(&load, 1) == 1 ? load : NAN;
}

double machine_clock_mhz(const char *root)
{
	size_t count;
	const double sum_khz = sum_of(root, "cpufreq/scaling_cur_freq", &count);

	return count ? sum_khz / 1000 / (double)count : NAN;
}

int64_t machine_processors(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t machine_throttled(const char *root)
{
	size_t count;

	return (int64_t)sum_of(root, "thermal_throttle/core_throttle_count", &count);
}

const char *machine_governor(const char *root, struct arena *arena)
{
	char line[LINE_SIZE];

	return read_of_cpu(root, 0, "cpufreq/scaling_governor", line) ? arena_strdup(arena, line)
								      : NULL;
}

/* True if a descriptor of the process is this file, as far as it may be known. */
static bool has_open(const char *root, const char *pid, const char *file)
{
	char path[PATH_MAX], target[64];
	const struct dirent *entry;
	bool has = false;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/proc/%s/fd", root, pid);
	folder = opendir(path);
	while (folder && !has && (entry = readdir(folder)) != NULL) {
		const ssize_t n =
			readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);

		target[n > 0 ? n : 0] = '\0';
		has = text_equal(target, file);
	}
	if (folder)
		closedir(folder);
	return has;
}

int64_t machine_device_users(const char *root)
{
	char path[PATH_MAX];
	const struct dirent *entry;
	int64_t users = 0, pid;
	bool has_nvidia;
	DIR *folder;

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia", root);
	has_nvidia = access(path, F_OK) == 0;
	snprintf(path, sizeof(path), "%s/proc", root);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)) != NULL) {
		if (!number_parse_int(entry->d_name, strlen(entry->d_name), &pid) ||
			pid == getpid())
			continue;
		snprintf(path, sizeof(path), "%s/sys/class/kfd/kfd/proc/%s", root, entry->d_name);
		users += access(path, F_OK) == 0 ||
			 (has_nvidia && has_open(root, entry->d_name, "/dev/nvidia-uvm"));
	}
	if (folder)
		closedir(folder);
	return users;
}

int64_t machine_device_busy(const char *root)
{
	char path[PATH_MAX], line[LINE_SIZE];
	int64_t busiest = 0, busy;
	glob_t found;

	snprintf(path, sizeof(path), "%s/sys/class/drm/card*/device/gpu_busy_percent", root);
	if (glob(path, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (read_file(found.gl_pathv[i], line) &&
			number_parse_int(line, strlen(line), &busy) && busy > busiest)
			busiest = busy;
	globfree(&found);
	return busiest < 100 ? busiest : 100;
}

/* ---- key of the machine ---- */

/* The value of the first line of the file that begins with `name`, behind its colon, in the arena;
 * NULL: there is none. */
static const char *value_in(const char *path, const char *name, struct arena *arena)
{
	FILE *file = fopen(path, "re");
	char line[256];
	const char *value = NULL;

	while (file && !value && fgets(line, sizeof(line), file)) {
		char *at = strchr(line, ':');
		size_t n;

		if (!at || !text_starts(line, name))
			continue;
		at += 1 + strspn(at + 1, " \t");
		for (n = strcspn(at, "\n"); n > 0 && at[n - 1] == ' ';)
			n--;
		value = arena_strndup(arena, at, n);
	}
	if (file)
		fclose(file);
	return value;
}

int64_t machine_memory_gb(int64_t kilobytes)
{
	const int64_t gb_kilobytes = INT64_C(1) << 20;
	int64_t part = 1; /* of 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 ... GB */

	while (kilobytes > 8 * part * gb_kilobytes && part < INT64_C(1) << 30)
		part *= 2;
	return (kilobytes + part * gb_kilobytes - 1) / (part * gb_kilobytes) * part;
}

/* "2 x NVIDIA A100", of each model. */
static void add_devices(const char *root, struct text *key, struct arena *arena)
{
	char path[PATH_MAX];
	const char *last = NULL;
	size_t count = 0;
	glob_t found;

	snprintf(path, sizeof(path), "%s/proc/driver/nvidia/gpus/*/information", root);
	if (glob(path, 0, NULL, &found) != 0)
		return;
	for (size_t i = 0; i <= found.gl_pathc; i++) {
		const char *model =
			i < found.gl_pathc ? value_in(found.gl_pathv[i], "Model", arena) : NULL;

		if (count && (!model || !text_equal(model, last))) {
			text_printf(key, ", %zu x %s", count, last);
			count = 0;
		}
		count += model != NULL;
		last = model;
	}
	globfree(&found);
}

const char *machine_key(const char *root, struct arena *arena)
{
	char path[PATH_MAX];
	const char *model, *part, *memory;
	int64_t kilobytes;
	struct text key;

	text_init(&key);
	snprintf(path, sizeof(path), "%s/proc/cpuinfo", root);
	model = value_in(path, "model name", arena);
	if (model)
		text_add_visible(&key, model);
	else if ((model = value_in(path, "CPU implementer", arena)) &&
		 (part = value_in(path, "CPU part", arena)))
		text_printf(&key, "CPU %s:%s", model, part); /* Arm */
	else
		text_add(&key, "unknown CPU");
	text_printf(&key, ", %ld processors", sysconf(_SC_NPROCESSORS_CONF));
	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	memory = value_in(path, "MemTotal", arena);
	if (memory && number_parse_int(memory, strspn(memory, "0123456789"), &kilobytes))
		text_printf(&key, ", %lld GB", (long long)machine_memory_gb(kilobytes));
	add_devices(root, &key, arena);

	const char *out = arena_strdup(arena, text_string(&key));

	text_release(&key);
	return out;
}
