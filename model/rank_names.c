/* Names in order of what says most: what the source itself says, its host, numbers in the names of
 * its files. */
#include "model/rank_names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/intern.h"
#include "base/order.h"
#include "base/text.h"
#include "model/run/run_pieces.h"

/* A number in the name of a file, after one of the words. */
struct file_number {
	size_t begin, end;
	size_t word; /* 0: the one that says most */
};

#define NUMBERS_MOST 3 /* of a name; any further one stays as it is */

/* The numbers after "rank", "worker" or "host" in the name of a file; how many. */
static size_t find_numbers(const char *name, struct file_number number[NUMBERS_MOST])
{
	static const char *const word[] = {"rank", "worker", "host"};
	size_t count = 0;

	for (const char *at = name; *at && count < NUMBERS_MOST; at++)
		for (size_t w = 0; w < sizeof(word) / sizeof(*word); w++) {
			const size_t n = strlen(word[w]);
			const char *digit = at + n;

			if (strncasecmp(at, word[w], n) != 0)
				continue;
			digit += strspn(digit, "-_.= ");
			if (*digit < '0' || *digit > '9')
				continue;
			number[count].begin = (size_t)(digit - name);
			number[count].end = number[count].begin + strspn(digit, "0123456789");
			number[count].word = w;
			at = name + number[count++].end - 1;
			break;
		}
	return count;
}

/* Name of the rank that the source itself gives the profile. `of_steps`: it names the ranks of
 * steps. */
static const char *own_name(const struct profile *profile, bool *of_steps)
{
	static const char prefix[] = "rank ";
	const struct step *step = profile->step;

	*of_steps = false;
	for (size_t s = 0; s < profile->step_count; s++)
		*of_steps |= step[s].rank != NULL;
	if (*of_steps || !profile->run_is_rank || !profile->step_count || !step->run)
		return NULL;
	return text_starts(step->run, prefix) ? step->run + strlen(prefix) : step->run;
}

/* Files whose names differ in these numbers only. */
struct alike_files {
	const char *first[NUMBERS_MOST]; /* of the first of them */
	bool differ[NUMBERS_MOST];
	bool repeat[NUMBERS_MOST]; /* two of them have the same */
};

/* One file of them. */
struct named_file {
	const char *text[NUMBERS_MOST];
	struct file_number number[NUMBERS_MOST];
	size_t count;
	uint32_t alike;
};

static void compare_numbers(struct alike_files *alike, struct intern *values, struct arena *arena,
	const struct named_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		const char *value = arena_printf(arena, "%u %zu %s", file->alike, i, file->text[i]);
		uint32_t id;

		if (!alike->first[i])
			alike->first[i] = file->text[i];
		alike->differ[i] |= !text_equal(alike->first[i], file->text[i]);
		alike->repeat[i] |= intern_find(values, value, strlen(value), &id);
		intern_id(values, value, strlen(value));
	}
}

/* The number that alone tells the files apart, else all in which they differ; NULL: none. */
static const char *name_of_file(
	const struct alike_files *alike, const struct named_file *file, struct arena *arena)
{
	const char *all = NULL, *alone = NULL;
	size_t word = SIZE_MAX;

	for (size_t i = 0; i < file->count; i++) {
		if (!alike->differ[i])
			continue;
		all = all ? arena_printf(arena, "%s-%s", all, file->text[i]) : file->text[i];
		if (!alike->repeat[i] && file->number[i].word < word) {
			alone = file->text[i];
			word = file->number[i].word;
		}
	}
	return alone ? alone : all;
}

static void name_by_files(struct profile *const *profiles, size_t count, struct arena *arena,
	const bool *asked, const char **out)
{
	struct intern *keys = intern_new(arena), *values = intern_new(arena);
	struct alike_files *alike = arena_array(arena, count, sizeof(*alike));
	struct named_file *file = arena_array(arena, count, sizeof(*file));

	for (size_t p = 0; p < count; p++) {
		if (!asked[p])
			continue;
		file[p].count = find_numbers(text_base_name(profiles[p]->path), file[p].number);
		if (!file[p].count)
			continue;

		const char *name = text_base_name(profiles[p]->path), *group = profiles[p]->group,
			   *text;
		size_t from = 0;

		text = arena_printf(arena, "%s\n", group ? group : "");
		for (size_t i = 0; i < file[p].count; i++) {
			const struct file_number *number = &file[p].number[i];

			file[p].text[i] = arena_strndup(
				arena, name + number->begin, number->end - number->begin);
			text = arena_printf(
				arena, "%s%.*s#", text, (int)(number->begin - from), name + from);
			from = number->end;
		}
		text = arena_printf(arena, "%s%s", text, name + from);
		file[p].alike = intern_id(keys, text, strlen(text));
		compare_numbers(&alike[file[p].alike], values, arena, &file[p]);
	}
	for (size_t p = 0; p < count; p++)
		if (file[p].count)
			out[p] = name_of_file(&alike[file[p].alike], &file[p], arena);
}

/* The name of a file up to its first point: "worker3" of "worker3.pt.trace.json.gz". */
static const char *stem(const struct profile *profile, struct arena *arena)
{
	const char *base = text_base_name(profile->path);
	const size_t n = strcspn(base, ".");

	return n ? arena_strndup(arena, base, n) : base;
}

/* Name of one file of a job, without looking at the others: the number in it whose word says most,
 * else the name itself. */
static const char *name_alone(const struct profile *profile, struct arena *arena)
{
	const char *base = text_base_name(profile->path);
	struct file_number number[NUMBERS_MOST];
	const size_t count = find_numbers(base, number);
	size_t best = 0;

	if (profile->host_is_rank && profile->facts.host)
		return profile->facts.host;
	if (!count)
		return stem(profile, arena);
	for (size_t i = 1; i < count; i++)
		if (number[i].word < number[best].word)
			best = i;
	return arena_strndup(
		arena, base + number[best].begin, number[best].end - number[best].begin);
}

/* Hosts of one recording: where there are several, each is a rank. */
static void name_by_hosts(
	struct profile *const *profiles, size_t count, struct arena *arena, const char **out)
{
	struct intern *folders = intern_new(arena);
	const char **host = arena_array(arena, count, sizeof(*host));
	bool *differ = arena_array(arena, count, sizeof(*differ));

	for (int named = 0; named < 2; named++)
		for (size_t p = 0; p < count; p++) {
			const struct profile *profile = profiles[p];
			uint32_t folder;

			if (!profile->host_is_rank)
				continue;
			folder = intern_id(folders, profile->path,
				(size_t)(text_base_name(profile->path) - profile->path));
			if (!host[folder])
				host[folder] = profile->facts.host;
			differ[folder] |= !text_equal(host[folder], profile->facts.host);
			if (named && differ[folder] && !out[p])
				out[p] = profile->facts.host;
		}
}

/* ---- processes recorded at one time ---- */

/* A recording of one process, and how its process differs from those recorded at the same time. */
struct process_recording {
	size_t profile;
	uint32_t folder, process;
	int64_t start_ns, end_ns; /* since 1970, or of the machine's clock */
	bool is_rank;		  /* another one of its folder was recorded then */
};

/* Signs that tell the ranks of a folder apart. */
struct rank_signs {
	bool hosts, numbers, starts;
	bool several_files; /* else the file of several says all of it */
};

const char *recording_folder(const struct profile *profile, struct arena *arena)
{
	const char *path = profile->input	   ? profile->input
			   : profile->host_is_rank ? profile->group
						   : NULL;

	if (!path)
		return profile->group ? profile->group : "";

	const size_t n = (size_t)(text_base_name(path) - path);

	return arena_strndup(arena, path, n > 1 ? n - 1 : n);
}

/* A process of a file of several that is known by its number alone. */
static bool is_part_without_rank(const struct profile *profile)
{
	return profile->input && profile->run_is_rank && !profile->facts.rank;
}

ORDERED(compare_recordings, struct process_recording,
	ORDER(x->folder, y->folder)
		?: ORDER(x->start_ns, y->start_ns)
		?: ORDER(x->profile, y->profile));

/* True if all of the profile is a recording of one process with times that recordings of its clock
 * share. A source that says that its job has one process is believed. */
static bool find_recording(struct profile *const *profiles, size_t p, const char **clock,
	struct process_recording *recording)
{
	const struct profile *profile = profiles[p];

	recording->profile = p;
	*clock = "";
	recording->start_ns = INT64_MAX;
	recording->end_ns = INT64_MIN;
	for (size_t s = 0; s < profile->step_count; s++) {
		const struct run_piece piece = {.profile = (uint32_t)p, .step = (uint32_t)s};
		const char *run = profile->step[s].run, *first = profile->step[0].run;
		int64_t start, end;

		if ((run != first && !(run && first && text_equal(run, first))) ||
			!run_piece_times(profiles, &piece, &start, &end))
			return false;
		/* The starts of processes are of the clock of their machine (ROCm). */
		if (!run_piece_base_ns(profiles, &piece))
			*clock = profile->facts.process ? profile->facts.host : NULL;
		if (!*clock)
			return false;
		recording->start_ns = start < recording->start_ns ? start : recording->start_ns;
		recording->end_ns = end > recording->end_ns ? end : recording->end_ns;
	}
	return profile->step_count && !profile->is_average && !profile->benchmarks &&
	       !(profile->step_count == 1 && profile->is_file_a_step) &&
	       profile->facts.world_size != 1;
}

static bool texts_differ(const char *a, const char *b)
{
	return a && b && !text_equal(a, b);
}

/* How both processes differ, as far as their sources say; false: they may be one. Recordings of
 * different profilers may be of one process, to which containers give two numbers. */
static bool find_signs(const struct profile *a, const struct profile *b, struct rank_signs *signs)
{
	const struct facts *x = &a->facts, *y = &b->facts;
	const bool hosts = texts_differ(x->host, y->host),
		   numbers = x->pid && y->pid && x->pid != y->pid,
		   starts = texts_differ(x->process, y->process);

	if (!text_equal(a->format, b->format) || !(hosts || numbers || starts))
		return false;
	signs->hosts |= hosts;
	signs->numbers |= !hosts && numbers;
	signs->starts |= !hosts && !numbers;
	signs->several_files |= !a->input || !b->input || !text_equal(a->input, b->input);
	return true;
}

static bool is_same_process(const struct profile *a, const struct profile *b)
{
	const struct facts *x = &a->facts, *y = &b->facts;
	struct rank_signs signs = {0};

	return text_equal(a->format, b->format) && x->pid == y->pid && !x->process == !y->process &&
	       !x->host == !y->host && !find_signs(a, b, &signs);
}

/* "node7", "pid 4242", "node7, pid 4242": as much as tells the ranks of its folder apart. */
static const char *name_of_process(
	const struct facts *facts, const struct rank_signs *signs, struct arena *arena)
{
	const bool has_host = signs->hosts && facts->host;
	const char *process = signs->starts && facts->process
				      ? arena_printf(arena, "process %s", facts->process)
			      : facts->pid ? arena_printf(arena, "pid %lld", (long long)facts->pid)
					   : NULL;

	if (has_host && process && (signs->numbers || signs->starts))
		return arena_printf(arena, "%s, %s", facts->host, process);
	return has_host ? facts->host : process;
}

/* Numbers the processes from 0; how many. */
static uint32_t number_processes(
	struct profile *const *profiles, struct process_recording *recording, size_t n)
{
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		while (k > 0 && recording[k - 1].folder == recording[i].folder &&
			!is_same_process(
				profiles[recording[k - 1].profile], profiles[recording[i].profile]))
			k--;
		recording[i].process = k > 0 && recording[k - 1].folder == recording[i].folder
					       ? recording[k - 1].process
					       : count++;
	}
	return count;
}

/* True if there is a time at which all processes of a set had begun and none had ended. */
static bool overlap_in_common(const struct process_recording *set, size_t n, struct arena *arena)
{
	int64_t *start = arena_array(arena, n, sizeof(*start)),
		*end = arena_array(arena, n, sizeof(*end)), latest = INT64_MIN,
		earliest = INT64_MAX;
	struct intern *processes = intern_new(arena);

	for (size_t i = 0; i < n; i++) {
		const size_t known = intern_count(processes);
		const uint32_t at =
			intern_id(processes, (const char *)&set[i].process, sizeof(set[i].process));

		start[at] = at < known && start[at] < set[i].start_ns ? start[at] : set[i].start_ns;
		end[at] = at < known && end[at] > set[i].end_ns ? end[at] : set[i].end_ns;
	}
	for (size_t i = 0; i < intern_count(processes); i++) {
		latest = start[i] > latest ? start[i] : latest;
		earliest = end[i] < earliest ? end[i] : earliest;
	}
	return latest <= earliest;
}

/* Recordings of a folder of which another one was made at the same time. Clocks of hosts differ:
 * only on one host must those of a set, which follow each other without a gap, overlap in common.
 * Runs of which a few overlap by chance are no ranks. */
static void keep_ranks(
	struct process_recording *recording, size_t n, bool hosts, struct arena *arena)
{
	size_t ranks = 0;

	for (size_t i = 0, end; i < n; i = end) {
		int64_t last = recording[i].end_ns;
		bool are_ranks;

		for (end = i + 1; end < n && recording[end].start_ns <= last; end++)
			last = recording[end].end_ns > last ? recording[end].end_ns : last;
		are_ranks = hosts || overlap_in_common(recording + i, end - i, arena);
		for (size_t k = i; k < end; k++)
			recording[k].is_rank &= are_ranks;
	}
	/* A further window of a rank may have been recorded alone. */
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n && !recording[i].is_rank; k++)
			recording[i].is_rank = recording[k].is_rank &&
					       recording[k].process == recording[i].process;
		ranks += recording[i].is_rank;
	}
	for (size_t i = 0; i < n && ranks <= n / 2; i++)
		recording[i].is_rank = false;
}

/* Processes of one folder that were recorded at the same time are taken for the ranks of a job,
 * since what runs at one time is no replicate. */
static void name_by_processes(struct profile *const *profiles, size_t count, struct arena *arena,
	const bool *asked, struct rank_names *out)
{
	struct intern *folders = intern_new(arena);
	struct process_recording *recording = arena_array(arena, count, sizeof(*recording)), *a, *b;
	struct rank_signs *signs;
	bool *counted;
	size_t n = 0;

	for (size_t p = 0; p < count; p++) {
		const char *clock, *folder;

		if (!asked[p] || !find_recording(profiles, p, &clock, &recording[n]))
			continue;
		folder = arena_printf(arena, "%s\n%s", recording_folder(profiles[p], arena), clock);
		recording[n++].folder = intern_id(folders, folder, strlen(folder));
	}
	if (n)
		qsort(recording, n, sizeof(*recording), compare_recordings);
	signs = arena_array(arena, n + 1, sizeof(*signs));
	counted =
		arena_array(arena, number_processes(profiles, recording, n) + 1, sizeof(*counted));
	for (a = recording; a < recording + n; a++)
		for (b = a + 1;
			b < recording + n && b->folder == a->folder && b->start_ns <= a->end_ns;
			b++)
			if (find_signs(
				    profiles[a->profile], profiles[b->profile], &signs[a->folder]))
				a->is_rank = b->is_rank = true;
	for (a = recording; a < recording + n; a = b) {
		for (b = a; b < recording + n && b->folder == a->folder;)
			b++;
		keep_ranks(a, (size_t)(b - a), signs[a->folder].hosts, arena);
	}
	for (a = recording; a < recording + n; a++)
		if (a->is_rank && signs[a->folder].several_files) {
			out->name[a->profile] = name_of_process(
				&profiles[a->profile]->facts, &signs[a->folder], arena);
			out->folder[a->profile] = recording_folder(profiles[a->profile], arena);
			out->assumed += !counted[a->process];
			counted[a->process] = true;
		}
}

int rank_names_find(struct profile *const *profiles, size_t count, const struct merge_options *opt,
	struct arena *arena, struct rank_names *out, struct error *err)
{
	const char **name = arena_array(arena, count, sizeof(*name));
	bool *asked = arena_array(arena, count, sizeof(*asked));

	out->name = name;
	out->folder = arena_array(arena, count, sizeof(*out->folder));
	for (size_t p = 0; p < count; p++) {
		bool of_steps;

		out->folder[p] = profiles[p]->group ? profiles[p]->group : "";
		if (profiles[p]->job) {
			name[p] = profiles[p]->path;
			continue;
		}
		if (opt->ranks == RANKS_NAMED) {
			name[p] = opt->name_rank(opt->rank_context, profiles[p]->path, arena, err);
			if (!name[p])
				return -1;
			continue;
		}
		name[p] = own_name(profiles[p], &of_steps);
		if (opt->one_job && !name[p] && !of_steps)
			name[p] = name_alone(profiles[p], arena);
		asked[p] = !name[p] && !of_steps && opt->ranks == RANKS_AUTO;
	}
	if (opt->ranks == RANKS_AUTO)
		name_by_hosts(profiles, count, arena, name);
	for (size_t p = 0; p < count; p++)
		asked[p] &= !name[p];
	name_by_files(profiles, count, arena, asked, name);
	/* The number of a process alone is no rank of a file of several. */
	for (size_t p = 0; p < count; p++)
		asked[p] = opt->ranks == RANKS_AUTO && !opt->one_job &&
			   !profiles[p]->host_is_rank &&
			   (asked[p] ? !name[p] : is_part_without_rank(profiles[p]));
	name_by_processes(profiles, count, arena, asked, out);
	return 0;
}
