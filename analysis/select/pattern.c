/* Compiles and matches one regular expression. Patterns and names come from outside, so each match
 * runs under limits, and a limit that is reached is an error and never "no match". */
#include "analysis/select/pattern.h"

#include <string.h>
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

/* An op name is some hundred bytes. Honest patterns need a few thousand steps for one; these limits
 * end a hopeless match within some hundredths of a second, also without JIT. */
#define MATCH_LIMIT 2000000
#define DEPTH_LIMIT 250000
#define HEAP_LIMIT_KIB 65536
#define JIT_STACK_START (32 * 1024)
#define JIT_STACK_MOST (1024 * 1024)

#define SHOWN_WIDTH 100 /* columns of a pattern or a name in a message */

static void *allocate(PCRE2_SIZE size_bytes, void *unused)
{
	(void)unused;
	return memory_alloc(size_bytes);
}

static void release(void *p, void *unused)
{
	(void)unused;
	memory_free(p);
}

static void release_general(void *object)
{
	pcre2_general_context_free(object);
}

static void release_compiling(void *object)
{
	pcre2_compile_context_free(object);
}

static void release_matching(void *object)
{
	pcre2_match_context_free(object);
}

static void release_stack(void *object)
{
	pcre2_jit_stack_free(object);
}

static void release_data(void *object)
{
	struct matcher *matcher = object;

	pcre2_match_data_free(matcher->data);
}

static void release_code(void *object)
{
	pcre2_code_free(object);
}

struct matcher *matcher_new(struct arena *arena)
{
	struct matcher *matcher = arena_alloc(arena, sizeof(*matcher));

	/* These fail only for want of memory, and then `allocate` does not return. */
	matcher->arena = arena;
	matcher->general = pcre2_general_context_create(allocate, release, NULL);
	arena_defer(arena, release_general, matcher->general);
	matcher->compiling = pcre2_compile_context_create(matcher->general);
	arena_defer(arena, release_compiling, matcher->compiling);
	matcher->matching = pcre2_match_context_create(matcher->general);
	arena_defer(arena, release_matching, matcher->matching);
	pcre2_set_match_limit(matcher->matching, MATCH_LIMIT);
	pcre2_set_depth_limit(matcher->matching, DEPTH_LIMIT);
	pcre2_set_heap_limit(matcher->matching, HEAP_LIMIT_KIB);
	/* NULL where PCRE2 has no JIT; then the interpreter does the work. */
	pcre2_jit_stack *stack =
		pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MOST, matcher->general);
	if (stack) {
		arena_defer(arena, release_stack, stack);
		pcre2_jit_stack_assign(matcher->matching, NULL, stack);
	}
	matcher->data_pairs = 16;
	matcher->data = pcre2_match_data_create(matcher->data_pairs, matcher->general);
	arena_defer(arena, release_data, matcher);
	return matcher;
}

static pcre2_code *compile(struct matcher *matcher, const struct pattern *pattern, bool bytes,
	bool whole, struct pattern_problem *problem)
{
	int number;
	PCRE2_SIZE offset;
	/* Anchored at match time instead, JIT would not be used. */
	uint32_t options = pattern->options | (bytes ? PCRE2_NEVER_UTF : PCRE2_UTF) |
			   (whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0);
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern->regex, pattern->size, options,
		&number, &offset, matcher->compiling);

	if (!code) {
		problem->offset = offset <= pattern->size ? offset : pattern->size;
		pcre2_get_error_message(
			number, (PCRE2_UCHAR *)problem->message, sizeof(problem->message));
		return NULL;
	}
	arena_defer(matcher->arena, release_code, code);
	/* Where this fails (no executable memory, say) matching is slower, and right. */
	(void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	return code;
}

/* A regular expression that is the value of `option` itself, without rules and limits; in the
 * arena. NULL is ERROR_USAGE with the place. */
static pcre2_code *pattern_of_option(
	const char *option, const char *regex, struct arena *arena, struct error *err)
{
	PCRE2_SIZE offset;
	int number;
	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, 0, &number, &offset, NULL);

	if (!code) {
		PCRE2_UCHAR text[256];

		pcre2_get_error_message(number, text, sizeof(text));
		error_set(err, ERROR_USAGE, option, "in \"%s\" at character %zu: %s", regex,
			(size_t)offset + 1, (const char *)text);
		return NULL;
	}
	arena_defer(arena, release_code, code);
	return code;
}

/* Returns the number of groups that are set (1: no group but the whole), 0: the expression is not
 * found in the name, -1: PCRE2's limits were reached. `match` is of this code. */
static int pattern_of_option_match(const char *option, const pcre2_code *code, const char *name,
	pcre2_match_data *match, struct error *err)
{
	int groups = pcre2_match(code, (PCRE2_SPTR)name, strlen(name), 0, 0, match, NULL);

	if (groups == PCRE2_ERROR_NOMATCH)
		return 0;
	if (groups > 0)
		return groups;
	error_set(err, ERROR_USAGE, option,
		"the pattern cannot be matched against \"%.100s\" (PCRE2 error %d)", name, groups);
	return error_hint(err, "a pattern with fewer repetitions inside repetitions");
}

struct pattern *pattern_new(struct matcher *matcher, const struct rule *rule, const char *regex,
	size_t size, bool ignore_case, struct pattern_problem *problem)
{
	struct pattern *pattern = arena_alloc(matcher->arena, sizeof(*pattern));

	pattern->rule = rule;
	pattern->regex = arena_strndup(matcher->arena, regex, size);
	pattern->size = size;
	/* A name is one text and not lines: $ is its end, also after a newline. */
	pattern->options =
		PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | (ignore_case ? PCRE2_CASELESS : 0);
	pattern->code[0][0] = compile(matcher, pattern, false, false, problem);
	return pattern->code[0][0] ? pattern : NULL;
}

pcre2_match_data *pattern_data(struct matcher *matcher, const struct pattern *pattern)
{
	uint32_t groups = 0;

	(void)pcre2_pattern_info(pattern->code[0][0], PCRE2_INFO_CAPTURECOUNT, &groups);
	if (groups + 1 > matcher->data_pairs) {
		pcre2_match_data_free(matcher->data);
		matcher->data_pairs = groups + 1;
		matcher->data = pcre2_match_data_create(matcher->data_pairs, matcher->general);
	}
	return matcher->data;
}

bool pattern_not_utf8(int code)
{
	return code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21;
}

int pattern_match(struct matcher *matcher, struct pattern *pattern, const char *name, size_t size,
	bool whole, struct error *err)
{
	bool bytes = false;
	unsigned char bits = 0; /* of all bytes: PCRE2's own check costs as much as a match */

	for (size_t i = 0; i < size; i++)
		bits |= (unsigned char)name[i];

	uint32_t options = bits < 0x80 ? PCRE2_NO_UTF_CHECK : 0;

	for (;;) {
		const pcre2_code *code = pattern_code(matcher, pattern, bytes, whole, name, err);

		if (!code)
			return -1;
		int rc = pcre2_match(
			code, (PCRE2_SPTR)name, size, 0, options, matcher->data, matcher->matching);

		if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
			return rc >= 0;
		if (pattern_not_utf8(rc) && !bytes)
			bytes = true;
		else if (rc == PCRE2_ERROR_JIT_STACKLIMIT && !(options & PCRE2_NO_JIT))
			options |= PCRE2_NO_JIT;
		else
			return pattern_fail(pattern->rule, rc, name, err);
	}
}

static void add_shown(struct text *t, const char *s)
{
	struct text visible;

	text_init(&visible);
	text_add_visible(&visible, s);
	text_add_char(t, '"');
	text_add_shortened(t, text_string(&visible), SHOWN_WIDTH);
	text_add_char(t, '"');
	text_release(&visible);
}

/* Names that are no UTF-8 are matched byte by byte. PCRE2_MATCH_INVALID_UTF would not need this,
 * but with it PCRE2 10.42 is wrong: JIT misses valid characters (\D does not match U+0AE2), and
 * without JIT \z matches before a bad byte. */
const pcre2_code *pattern_code(struct matcher *matcher, struct pattern *pattern, bool bytes,
	bool whole, const char *name, struct error *err)
{
	pcre2_code **code = &pattern->code[bytes][whole];
	struct pattern_problem problem;
	struct text t;

	if (!*code)
		*code = compile(matcher, pattern, bytes, whole, &problem);
	if (*code)
		return *code;
	text_init(&t);
	text_printf(&t, "%s ", rule_noun(pattern->rule));
	add_shown(&t, pattern->rule->text);
	text_add(&t, " cannot be tried on op ");
	add_shown(&t, name);
	text_printf(&t, "%s: %s", bytes ? ", which is not UTF-8" : "", problem.message);
	error_set(err, ERROR_USAGE, pattern->rule->place, "%s", text_string(&t));
	text_release(&t);
	return NULL;
}

int pattern_fail(const struct rule *rule, int code, const char *name, struct error *err)
{
	struct text t;
	const char *limit = NULL;

	if (code == PCRE2_ERROR_MATCHLIMIT)
		limit = "match";
	else if (code == PCRE2_ERROR_DEPTHLIMIT)
		limit = "depth";
	else if (code == PCRE2_ERROR_HEAPLIMIT)
		limit = "memory";
	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);
	if (limit) {
		text_printf(&t, " reached the %s limit on op ", limit);
		add_shown(&t, name);
	} else {
		PCRE2_UCHAR words[256];

		text_add(&t, " failed on op ");
		add_shown(&t, name);
		pcre2_get_error_message(code, words, sizeof(words));
		text_printf(&t, ": %s", (const char *)words);
	}
	error_set(err, ERROR_USAGE, rule->place, "%s", text_string(&t));
	if (limit)
		error_hint(err, "write it so that each part of a name can match in one way only: "
				"(a+)+ tries them all, a+ does the same at once");
	text_release(&t);
	return -1;
}

int pattern_too_long(const struct rule *rule, size_t most, const char *name, struct error *err)
{
	struct text t;

	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);
	text_printf(&t, " makes a name of more than %zu bytes of op ", most);
	add_shown(&t, name);
	error_set(err, ERROR_USAGE, rule->place, "%s", text_string(&t));
	text_release(&t);
	return -1;
}

const char *rule_noun(const struct rule *rule)
{
	static const char *const nouns[] = {
		[RULE_INCLUDE] = "include pattern",
		[RULE_EXCLUDE] = "exclude pattern",
		[RULE_RENAME] = "rename",
		[RULE_TYPE] = "type pattern",
		[RULE_CLASS] = "class pattern",
		[RULE_MAP] = "pattern",
		[RULE_MAP_TYPE] = "type pattern",
		[RULE_POLICY] = "policy pattern",
		[RULE_WAIVER] = "waiver pattern",
	};

	return nouns[rule->kind];
}

int rule_wrong(const struct rule *rule, size_t offset, const char *message, struct error *err)
{
	struct text t;

	text_init(&t);
	text_printf(&t, "%s ", rule_noun(rule));
	add_shown(&t, rule->text);

	/* Characters of s before byte `offset`, plus 1; a byte that is not UTF-8 counts as one. */
	size_t count = 1;

	for (size_t i = 0; i < offset; count++) {
		size_t length = text_utf8_length(rule->text + i, offset - i);

		i += length ? length : 1;
	}
	error_set(err, ERROR_USAGE, rule->place, "%s: at character %zu: %s", text_string(&t), count,
		message);
	text_release(&t);
	return -1;
}

/* The names with their groups, sorted by name: two bytes of a number, then the name. */
struct name_table {
	PCRE2_SPTR entry;
	uint32_t count, entry_bytes;
};

static struct name_table names_of(const pcre2_code *code)
{
	struct name_table names = {0};

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names.count);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &names.entry_bytes);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &names.entry);
	return names;
}

static PCRE2_SPTR entry_at(const struct name_table *names, size_t i)
{
	return names->entry + i * names->entry_bytes;
}

struct log_pattern *log_pattern_new(const char *regex, struct arena *arena, struct error *err)
{
	struct log_pattern *pattern = arena_alloc(arena, sizeof(*pattern));
	struct name_table names;

	pattern->code = pattern_of_option("--log", regex, arena, err);
	if (!pattern->code)
		return NULL;
	names = names_of(pattern->code);
	if (!names.count) {
		error_set(err, ERROR_USAGE, "--log", "no named group in \"%s\"", regex);
		error_hint(err, "name each value and its unit: --log='step (?<step>[0-9]+).* took "
				"(?<time_ms>[0-9.]+)'");
		return NULL;
	}
	pattern->count = names.count;
	pattern->name = arena_array(arena, names.count, sizeof(*pattern->name));
	for (size_t i = 0; i < names.count; i++)
		pattern->name[i] = (const char *)entry_at(&names, i) + 2;
	pcre2_jit_compile(pattern->code, PCRE2_JIT_COMPLETE);
	return pattern;
}

int log_pattern_match(
	void *context, const char *line, const char **value, size_t *size, struct error *err)
{
	const struct log_pattern *pattern = context;
	const struct name_table names = names_of(pattern->code);
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	const int groups = pattern_of_option_match("--log", pattern->code, line, match, err);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);

	for (size_t i = 0; i < pattern->count && groups > 0; i++) {
		const size_t group = (size_t)entry_at(&names, i)[0] << 8 | entry_at(&names, i)[1];
		const bool is_set = group < (size_t)groups && at[2 * group] != PCRE2_UNSET;

		value[i] = is_set ? line + at[2 * group] : NULL;
		size[i] = is_set ? at[2 * group + 1] - at[2 * group] : 0;
	}
	pcre2_match_data_free(match);
	return groups < 0 ? -1 : groups > 0;
}

/* Matches the pattern of --step-marker against names. */

struct step_marker {
	pcre2_code *code;
};

struct step_marker *step_marker_new(const char *pattern, struct arena *arena, struct error *err)
{
	struct step_marker *marker = arena_alloc(arena, sizeof(*marker));

	if (!*pattern) {
		error_set(err, ERROR_USAGE, "--step-marker",
			"an empty pattern matches every name, so that nothing is left for an op");
		error_hint(err,
			"give the name of the slices that are steps: --step-marker='^train_step$'");
		return NULL;
	}
	marker->code = pattern_of_option("--step-marker", pattern, arena, err);
	if (!marker->code)
		return NULL;
	return marker;
}

int step_marker_match(
	void *marker, const char *name, bool *numbered, int64_t *number, struct error *err)
{
	const struct step_marker *m = marker;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(m->code, NULL);
	int groups = pattern_of_option_match("--step-marker", m->code, name, match, err);
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);

	*numbered = groups > 1 && at[2] != PCRE2_UNSET &&
		    number_parse_int(name + at[2], at[3] - at[2], number);
	pcre2_match_data_free(match);
	return groups < 0 ? -1 : groups > 0;
}

struct run_namer {
	pcre2_code *code;
	const char *option, *what;
};

const char *run_namer_name(void *namer, const char *path, struct arena *arena, struct error *err)
{
	const struct run_namer *n = namer;
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(n->code, NULL);
	const char *name = NULL;
	int groups = pcre2_match(n->code, (PCRE2_SPTR)path, strlen(path), 0, 0, match, NULL);
	PCRE2_SIZE *at = pcre2_get_ovector_pointer(match);
	int use = groups > 1 && at[2] != PCRE2_UNSET ? 1 : 0;

	if (groups > 0) {
		name = arena_strndup(arena, path + at[2 * use], at[2 * use + 1] - at[2 * use]);
	} else {
		error_set(err, ERROR_INPUT, n->option, "the pattern does not match %s", path);
		error_hint(err,
			"it must match every path; a capture group names the %s: %s='%s(\\d+)'",
			n->what, n->option, n->what);
	}
	pcre2_match_data_free(match);
	return name;
}

struct run_namer *run_namer_new(const char *option, const char *what, const char *pattern,
	struct arena *arena, struct error *err)
{
	struct run_namer *namer = arena_alloc(arena, sizeof(*namer));

	namer->option = option;
	namer->what = what;
	namer->code = pattern_of_option(option, pattern, arena, err);
	if (!namer->code)
		return NULL;
	return namer;
}

/* Frames by the file in their name: FILE(LINE): FUNCTION. */

/* Python's standard library, 3.8 to 3.14, its modules that are files. Without those whose names are
 * likely to be a user's (test). */
static const char standard_files[] =
	" __future__ _aix_support _bootsubprocess _collections_abc _compat_pickle _compression "
	"_markupbase _osx_support _py_abc _py_warnings _pydecimal _pyio _sitebuiltins _strptime "
	"_threading_local _weakrefset abc aifc annotationlib argparse ast asynchat asyncore base64 "
	"bdb bisect bz2 cProfile calendar cgi cgitb chunk cmd code codecs codeop colorsys "
	"compileall configparser contextlib contextvars copy copyreg crypt csv dataclasses "
	"datetime decimal difflib dis doctest enum filecmp fileinput fnmatch fractions ftplib "
	"functools genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac "
	"imaplib imghdr imp inspect io ipaddress keyword linecache locale lzma mailbox mailcap "
	"mimetypes modulefinder netrc nntplib ntpath nturl2path numbers opcode operator optparse "
	"os pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posixpath pprint "
	"profile pstats pty py_compile pyclbr pydoc queue quopri random re reprlib rlcompleter "
	"runpy sched secrets selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket "
	"socketserver sre_compile sre_constants sre_parse ssl stat statistics string stringprep "
	"struct subprocess sunau symtable sysconfig tabnanny tarfile telnetlib tempfile textwrap "
	"threading timeit token tokenize trace traceback tracemalloc tty types typing uu uuid "
	"warnings wave weakref webbrowser xdrlib zipapp zipfile zipimport ";

/* Standard modules that are folders. */
static const char standard_folders[] =
	" _pyrepl asyncio collections concurrent ctypes curses dbm distutils email encodings "
	"ensurepip html http importlib json logging multiprocessing pathlib pydoc_data re sqlite3 "
	"string sysconfig tkinter tomllib unittest urllib venv wsgiref xml xmlrpc zoneinfo ";

/* Packages around the training of models. Without those whose names are likely to be a folder of
 * the user's (datasets, evaluate). */
static const char packages[] =
	" IPython PIL _pytest absl accelerate apex attr attrs beartype bitsandbytes certifi "
	"charset_normalizer click cloudpickle colossalai cupy cv2 dask decorator deepspeed "
	"diffusers dill einops fastai fastcore fbgemm_gpu filelock flash_attn flashinfer flax "
	"fsspec functorch google gym gymnasium h5py huggingface_hub hydra idna ignite "
	"intel_extension_for_pytorch ipykernel jax jaxtyping jinja2 joblib jupyter_client keras "
	"kornia lightning lightning_fabric lightning_utilities lmdb loguru markupsafe matplotlib "
	"mlflow mmcv mmengine monai mpmath networkx nltk numba numpy nvtx omegaconf onnx "
	"onnxruntime open_clip optimum packaging pandas peft pip pkg_resources pluggy psutil "
	"pyarrow pydantic pynvml pytest pytorch_lightning ray regex requests rich safetensors "
	"scipy seaborn sentence_transformers setuptools sglang sklearn spacy sympy tensorboard "
	"tensorboardX tensorflow termcolor timm tokenizers torch torch_geometric torch_npu "
	"torch_scatter torch_sparse torch_xla torchao torchaudio torchdata torchgen torchmetrics "
	"torchrec torchtext torchtune torchvision tornado tqdm traitlets transformer_engine "
	"transformers triton trl typer urllib3 vllm wandb webdataset wrapt xformers yaml zmq ";

struct user_code {
	pcre2_code *code;
};

struct user_code *user_code_new(const char *pattern, struct arena *arena, struct error *err)
{
	struct user_code *user_code = arena_alloc(arena, sizeof(*user_code));

	if (!*pattern) {
		error_set(err, ERROR_USAGE, "user-code", "an empty pattern matches every frame");
		error_hint(err, "give the files that are yours: user-code: '^(train|model)'");
		return NULL;
	}
	user_code->code = pattern_of_option("user-code", pattern, arena, err);
	return user_code->code ? user_code : NULL;
}

/* True if it is one of the words, which have blanks around them. */
static bool has_word(const char *words, const char *word, size_t size)
{
	for (const char *at = words; (at = strchr(at, ' ')) && *++at;)
		if (strncmp(at, word, size) == 0 && at[size] == ' ')
			return true;
	return false;
}

/* Bytes of FILE in "FILE(LINE): FUNCTION"; 0: it is none. */
static size_t file_size(const char *name)
{
	for (const char *at = name; (at = strchr(at, '(')); at++) {
		const size_t digits = strspn(at + 1, "0123456789");

		if (digits && strncmp(at + 1 + digits, "): ", 3) == 0)
			return (size_t)(at - name);
	}
	return 0;
}

/* True if the folder at this place of a path has this name. */
static bool is_folder(const char *at, size_t size, const char *name)
{
	return strlen(name) == size && memcmp(at, name, size) == 0;
}

/* True if the frame is of PyTorch, of Python's standard library or of an installed package, a
 * built-in function, or code that Python made by itself (<frozen os>, <string>). PyTorch cuts the
 * folder of packages, like every other folder of sys.path, off the names. So a package is known by
 * its first folder, and one that is not in the list here passes for the user's. Names that are no
 * FILE(LINE): FUNCTION count as a library's. */
static bool user_code_is_known_library(const char *name)
{
	const char *end = name + file_size(name);
	size_t size = strcspn(name, "/\\");

	if (end == name)
		return true;
	/* The cells of a notebook, and what was typed. */
	if (*name == '<')
		return !text_starts(name, "<ipython-input-") && !text_starts(name, "<stdin>");
	if (name + size >= end) {
		size = (size_t)(end - name);
		size -= size > 3 && memcmp(end - 3, ".py", 3) == 0 ? 3 : 0;
		return has_word(standard_files, name, size) || has_word(packages, name, size);
	}
	if (has_word(standard_folders, name, size) || has_word(packages, name, size))
		return true;
	for (const char *at = name; at < end; at += size + 1) {
		size = strcspn(at, "/\\(");
		if (is_folder(at, size, "site-packages") || is_folder(at, size, "dist-packages") ||
			(size > 6 && memcmp(at, "python", 6) == 0 && at > name + 4 &&
				memcmp(at - 4, "lib", 3) == 0 && at[6] >= '2' && at[6] <= '9'))
			return true;
	}
	return false;
}

int user_code_match(void *user_code, const char *name, struct error *err)
{
	const struct user_code *u = user_code;
	pcre2_match_data *match;
	int found;

	if (!u)
		return !user_code_is_known_library(name);
	match = pcre2_match_data_create_from_pattern(u->code, NULL);
	found = pattern_of_option_match("user-code", u->code, name, match, err);
	pcre2_match_data_free(match);
	return found < 0 ? -1 : found > 0;
}
