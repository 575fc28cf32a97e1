/* A list of files beside the list that find.c makes: both are in the natural order of paths. */
#include "ingest/profile_cache.h"

#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/platform.h"
#include "base/text.h"

struct profile_cache *profile_cache_new(const struct profile_cache_options *options)
{
	struct profile_cache *cache = memory_alloc(sizeof(*cache));

	cache->options = *options;
	return cache;
}

/* The contents that a report of it shows. */
static bool is_shown(const struct cached_file *file)
{
	return file->profile_count || file->broken;
}

static void forget(struct profile_cache *cache, struct cached_file *file)
{
	cache->changed |= is_shown(file);
	cache->profiles -= file->profile_count;
	for (size_t i = 0; i < file->profile_count; i++)
		profile_free(file->profile[i]);
	memory_free(file->profile);
	memory_free(file->reason);
	file->profile = NULL;
	file->reason = NULL;
	file->profile_count = 0;
	file->known = file->companion = file->broken = file->said = false;
}

static void remove_file(struct profile_cache *cache, struct cached_file *file)
{
	forget(cache, file);
	memory_free((char *)file->as_read.path);
}

void profile_cache_free(struct profile_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->count; i++)
		remove_file(cache, &cache->file[i]);
	memory_free(cache->file);
	memory_free(cache);
}

static void drop_no_inputs(const struct profile_cache *cache, struct vec *found)
{
	struct found_file *file = found->data;
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++)
		if (cache->options.is_input(cache->options.context, &file[i]))
			file[kept++] = file[i];
	found->count = kept;
}

void profile_cache_list(struct profile_cache *cache, struct vec *found)
{
	struct cached_file *old = cache->file, *file;
	size_t next = 0;

	drop_no_inputs(cache, found);
	file = memory_alloc(memory_product(found->count + 1, sizeof(*file)));
	for (size_t i = 0; i < found->count; i++) {
		const char *path = ((const struct found_file *)vec_at(found, i))->path;

		while (next < cache->count &&
			text_compare_natural(old[next].as_read.path, path) < 0)
			remove_file(cache, &old[next++]);
		if (next < cache->count && text_equal(old[next].as_read.path, path))
			file[i] = old[next++];
		else
			file[i].as_read.path = memory_string(path);
	}
	while (next < cache->count)
		remove_file(cache, &old[next++]);
	memory_free(old);
	cache->file = file;
	cache->count = found->count;
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_same(const struct found_file *a, const struct found_file *b)
{
	return a->device == b->device && a->inode == b->inode && a->size_bytes == b->size_bytes &&
	       is_same_time(&a->modified, &b->modified) && is_same_time(&a->changed, &b->changed);
}

bool profile_cache_wants(
	const struct profile_cache *cache, size_t i, const struct found_file *found)
{
	const struct cached_file *file = &cache->file[i];

	return !(file->known && is_same(&file->as_read, found)) &&
	       cache->options.is_whole(cache->options.context, found);
}

bool profile_cache_is_same(const struct profile_cache *cache, const struct found_file *found)
{
	struct found_file now = {0};
	struct stat status;

	if (stat(found->path, &status) != 0)
		return false;
	now.device = status.st_dev;
	now.inode = status.st_ino;
	now.size_bytes = status.st_size > 0 ? (uint64_t)status.st_size : 0;
	now.modified = status.st_mtim;
	now.changed = status.st_ctim;
	return is_same(&now, found) && cache->options.is_whole(cache->options.context, found);
}

static struct cached_file *replace(
	struct profile_cache *cache, size_t i, const struct found_file *found)
{
	struct cached_file *file = &cache->file[i];
	const char *path = file->as_read.path;

	forget(cache, file);
	file->as_read = *found;
	file->as_read.path = path;
	file->as_read.name = file->as_read.group = NULL;
	file->known = true;
	cache->reads++;
	return file;
}

void profile_cache_put(struct profile_cache *cache, size_t i, const struct found_file *found,
	struct profile *const *profile, size_t count)
{
	struct cached_file *file = replace(cache, i, found);

	file->profile = memory_alloc(memory_product(count + 1, sizeof(struct profile *)));
	for (size_t k = 0; k < count; k++) {
		file->profile[k] = profile[k];
		profile[k]->is_kept = true;
		if (profile[k]->totals)
			profile[k]->totals->is_kept = true;
	}
	file->profile_count = count;
	cache->profiles += count;
	cache->changed = true;
}

void profile_cache_put_skipped(struct profile_cache *cache, size_t i,
	const struct found_file *found, const struct skipped_file *skipped)
{
	struct cached_file *file = replace(cache, i, found);

	file->reason = memory_string(skipped->reason);
	file->companion = skipped->companion;
	file->broken = skipped->broken;
	cache->changed |= is_shown(file);
}
