/*
 * Frames by the file in their name: FILE(LINE): FUNCTION.
 */
#include "analysis/select/user_code.h"

#include <string.h>
#include "base/text.h"
#include "analysis/select/pattern.h"

#define OPTION "user-code"

/* Python's standard library, 3.8 to 3.14, its modules that are files. Without those whose names are
 * likely to be a user's (test). */
static const char standard_files[] =
	" __future__ _aix_support _bootsubprocess _collections_abc _compat_pickle _compression "
	"_markupbase _osx_support _py_abc _py_warnings _pydecimal _pyio _sitebuiltins _strptime "
	"_threading_local _weakrefset abc aifc annotationlib argparse ast asynchat asyncore "
	"base64 bdb bisect bz2 cProfile calendar cgi cgitb chunk cmd code codecs codeop colorsys "
	"compileall configparser contextlib contextvars copy copyreg crypt csv dataclasses "
	"datetime decimal difflib dis doctest enum filecmp fileinput fnmatch fractions ftplib "
	"functools genericpath getopt getpass gettext glob graphlib gzip hashlib heapq hmac "
	"imaplib imghdr imp inspect io ipaddress keyword linecache locale lzma mailbox mailcap "
	"mimetypes modulefinder netrc nntplib ntpath nturl2path numbers opcode operator optparse "
	"os pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posixpath "
	"pprint profile pstats pty py_compile pyclbr pydoc queue quopri random re reprlib "
	"rlcompleter runpy sched secrets selectors shelve shlex shutil signal site smtpd smtplib "
	"sndhdr socket socketserver sre_compile sre_constants sre_parse ssl stat statistics "
	"string stringprep struct subprocess sunau symtable sysconfig tabnanny tarfile telnetlib "
	"tempfile textwrap threading timeit token tokenize trace traceback tracemalloc tty types "
	"typing uu uuid warnings wave weakref webbrowser xdrlib zipapp zipfile zipimport ";

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
		error_set(err, ERROR_USAGE, OPTION, "an empty pattern matches every frame");
		error_hint(err, "give the files that are yours: user-code: '^(train|model)'");
		return NULL;
	}
	user_code->code = pattern_of_option(OPTION, pattern, arena, err);
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
	found = pattern_of_option_match(OPTION, u->code, name, match, err);
	pcre2_match_data_free(match);
	return found < 0 ? -1 : found > 0;
}
