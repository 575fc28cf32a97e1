/*
 * Files of Linux in /sys about its processors.
 */
#include "ab/machine.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/number.h"
#include "base/temporary_file.h"

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%ld/"

/* The first line of a file of this processor; false: there is none. */
static bool read_line(long cpu, const char *name, char line[64])
{
	char path[128];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), CPU_FOLDER "%s", cpu, name);
	fd = file_open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, line, 63);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return n > 0;
}

/* Sum over the processors that have the file; *count of them. */
static double sum_of(const char *name, size_t *count)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	double sum = 0;
	char line[64];

	*count = 0;
	for (long cpu = 0; cpu < cpus; cpu++) {
		int64_t number;

		if (!read_line(cpu, name, line) || !number_parse_int(line, strlen(line), &number))
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

double machine_clock_mhz(void)
{
	size_t count;
	const double sum_khz = sum_of("cpufreq/scaling_cur_freq", &count);

	return count ? sum_khz / 1000 / (double)count : NAN;
}

int64_t machine_processors(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t machine_throttled(void)
{
	size_t count;

	return (int64_t)sum_of("thermal_throttle/core_throttle_count", &count);
}

const char *machine_governor(struct arena *arena)
{
	char line[64];

	return read_line(0, "cpufreq/scaling_governor", line) ? arena_strdup(arena, line) : NULL;
}
