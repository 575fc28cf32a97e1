/* Workbooks by libxlsxwriter, which checks little: text is made UTF-8 that XML can hold before it
 * gets it, numbers are finite, each return is looked at, and the date in the file is fixed, so that
 * the same report is the same bytes. */
/* Its argument is const in later versions of the library: the one below takes either. */
#define lxw_tmpfile lxw_tmpfile_as_declared
#include "writers/xlsx.h"
#undef lxw_tmpfile

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xlsxwriter/utility.h>
#include "base/memory.h"
#include "base/platform.h"

#define CREATED 946684800 /* 2000-01-01: of every workbook; 0 would be now */

#define COLOR_HEADER 0xE3EEF9
#define COLOR_LINE 0x0A5CAD
#define COLOR_DARK 0x14181C
#define COLOR_DIM 0x5A6671

const struct xlsx_limits xlsx_limits_usual = {
	.rows = LXW_ROW_MAX, .columns = LXW_COL_MAX, .text = 32767};

void xlsx_check(struct xlsx_book *book, lxw_error error)
{
	if (error != LXW_NO_ERROR && book->failed == LXW_NO_ERROR)
		book->failed = error;
}

static int fail(struct error *err, const struct outfile *out, const char *why)
{
	return error_set(err, ERROR_OUTPUT, outfile_path(out), "cannot write: %s", why);
}

/* ---- formats ---- */

static void set_header(lxw_format *format)
{
	format_set_bold(format);
	format_set_bg_color(format, COLOR_HEADER);
	format_set_font_color(format, COLOR_DARK);
	format_set_bottom(format, LXW_BORDER_MEDIUM);
	format_set_bottom_color(format, COLOR_LINE);
	format_set_align(format, LXW_ALIGN_VERTICAL_CENTER);
}

static void set_style(lxw_format *format, enum xlsx_style style)
{
	static const char *const fixed[] = {
		"#,##0", "#,##0.0", "#,##0.00", "#,##0.000", "#,##0.0000"};

	if (style >= XLSX_FIXED && style < XLSX_HEADER) {
		format_set_num_format(format, fixed[style - XLSX_FIXED]);
		return;
	}
	switch (style) {
	case XLSX_PLAIN:
		format_set_num_format(format, "0");
		break;
	case XLSX_LEVEL:
		format_set_num_format(format, "[<0.001]\"<0.001\";0.000");
		break;
	case XLSX_HEADER:
		set_header(format);
		break;
	case XLSX_HEADER_NUMBER:
		set_header(format);
		format_set_align(format, LXW_ALIGN_RIGHT);
		break;
	case XLSX_TITLE:
		format_set_bold(format);
		format_set_font_size(format, 16);
		format_set_font_color(format, COLOR_LINE);
		break;
	case XLSX_STRONG:
		format_set_bold(format);
		format_set_text_wrap(format);
		format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
		break;
	case XLSX_LABEL:
		format_set_font_color(format, COLOR_DIM);
		format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
		break;
	case XLSX_WRAP:
		format_set_text_wrap(format);
		format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
		break;
	case XLSX_LINK:
		format_set_font_color(format, COLOR_LINE);
		format_set_underline(format, LXW_UNDERLINE_SINGLE);
		break;
	default:
		break;
	}
}

static lxw_format *new_format(struct xlsx_book *book)
{
	lxw_format *format = workbook_add_format(book->workbook);

	if (!format)
		xlsx_check(book, LXW_ERROR_MEMORY_MALLOC_FAILED);
	return format;
}

lxw_format *xlsx_format(struct xlsx_book *book, enum xlsx_style style, bool total)
{
	lxw_format **format = &book->format[style][total];

	if (*format)
		return *format;
	*format = new_format(book);
	if (!*format)
		return NULL;
	set_style(*format, style);
	if (total) {
		format_set_bold(*format);
		format_set_top(*format, LXW_BORDER_THIN);
		format_set_top_color(*format, COLOR_LINE);
	}
	return *format;
}

static lxw_format *color_format(struct xlsx_book *book, lxw_color_t font, lxw_color_t fill)
{
	lxw_format *format = new_format(book);

	if (!format)
		return NULL;
	format_set_font_color(format, font);
	format_set_bg_color(format, fill);
	return format;
}

/* ---- the file ---- */

static void release(struct xlsx_book *book)
{
	if (book->workbook)
		lxw_workbook_free(book->workbook);
	if (book->fd >= 0)
		close(book->fd);
	if (*book->folder) {
		unlink(text_string(&book->path));
		rmdir(book->folder);
	}
	text_release(&book->path);
	text_release(&book->said);
	text_release(&book->scratch);
	book->workbook = NULL;
	book->fd = -1;
}

/* The library writes by name alone, and prints what goes wrong with the name; so it gets memory
 * that has one, and the output is written as any other. Without /proc memory has no name: a folder
 * of its own has one while the library writes. */
static int choose_path(struct xlsx_book *book, const struct outfile *out, struct error *err)
{
	book->fd = platform_memory_file();
	text_printf(&book->path, "/proc/self/fd/%d", book->fd);
	if (book->fd >= 0 && access(text_string(&book->path), W_OK) == 0)
		return 0;
	if (book->fd >= 0)
		close(book->fd);
	book->fd = -1;
	memcpy(book->folder, "/tmp/stepstat-XXXXXX", sizeof(book->folder));
	if (!mkdtemp(book->folder)) {
		*book->folder = '\0';
		return fail(err, out, "a workbook needs /proc, or /tmp to write to");
	}
	text_clear(&book->path);
	text_printf(&book->path, "%s/workbook", book->folder);
	return 0;
}

int xlsx_book_open(struct xlsx_book *book, const struct xlsx_limits *limits, struct outfile *out,
	struct error *err)
{
	lxw_doc_properties properties = {
		.title = (char *)"stepstat", .author = (char *)"stepstat", .created = CREATED};
	int status;

	*book = (struct xlsx_book){.limits = *limits, .failed = LXW_NO_ERROR, .fd = -1};
	text_init(&book->path);
	text_init(&book->said);
	text_init(&book->scratch);
	status = choose_path(book, out, err);
	if (status == 0) {
		book->workbook = workbook_new(text_string(&book->path));
		if (!book->workbook)
			status = fail(err, out, strerror(ENOMEM));
	}
	if (status < 0) {
		release(book);
		return -1;
	}
	xlsx_check(book, workbook_set_properties(book->workbook, &properties));
	book->good = color_format(book, 0x0B5345, 0xDEF2EC);
	book->bad = color_format(book, 0x8A3606, 0xFCEBE2);
	book->odd = color_format(book, 0x4D5863, 0xE9EDF0);
	return 0;
}

/* Replacement of the library's own function, which makes a file on disk: the library does not check
 * whether the file could be written. Memory can be. */
FILE *lxw_tmpfile(const char *folder);
FILE *lxw_tmpfile(const char *folder)
{
	(void)folder;
	return platform_memory_stream();
}

static int copy_memory(struct xlsx_book *book, struct outfile *out, struct error *err)
{
	char buffer[1 << 14];
	ssize_t n;

	if (book->fd < 0)
		book->fd = open(text_string(&book->path), O_RDONLY | O_CLOEXEC);
	if (lseek(book->fd, 0, SEEK_SET) < 0)
		return fail(err, out, strerror(errno));
	while ((n = read(book->fd, buffer, sizeof(buffer))) != 0) {
		if (n < 0 && errno != EINTR)
			return fail(err, out, strerror(errno));
		if (n > 0)
			outfile_write(out, buffer, (size_t)n);
	}
	return 0;
}

int xlsx_book_write(struct xlsx_book *book, struct outfile *out, struct error *err)
{
	lxw_error closed;
	int status = 0;

	if (book->failed != LXW_NO_ERROR) {
		status = fail(err, out, lxw_strerror(book->failed));
	} else {
		/* The library prints what goes wrong; our message says it. */
		const int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		const int silent = before < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);

		if (silent >= 0)
			dup2(silent, STDERR_FILENO);
		closed = workbook_close(book->workbook);
		if (silent >= 0) {
			dup2(before, STDERR_FILENO);
			close(silent);
		}
		if (before >= 0)
			close(before);
		book->workbook = NULL;
		if (closed != LXW_NO_ERROR)
			status = fail(err, out, lxw_strerror(closed));
	}
	if (!status)
		status = copy_memory(book, out, err);
	release(book);
	return status;
}

lxw_worksheet *xlsx_sheet(struct xlsx_book *book, const char *name)
{
	lxw_worksheet *sheet = NULL;
	lxw_error error = workbook_validate_sheet_name(book->workbook, name);

	if (error == LXW_NO_ERROR)
		sheet = workbook_add_worksheet(book->workbook, name);
	if (!sheet)
		xlsx_check(book, error == LXW_NO_ERROR ? LXW_ERROR_MEMORY_MALLOC_FAILED : error);
	return sheet;
}

/* ---- cells ---- */

static bool is_hex(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* "_x0041_" is how these files write a character by its number; a name that has it is no number.
 */
static bool is_escape(const char *s)
{
	return s[0] == '_' && s[1] == 'x' && is_hex(s[2]) && is_hex(s[3]) && is_hex(s[4]) &&
	       is_hex(s[5]) && s[6] == '_';
}

/* Cuts at a whole character, so that "..." is the end of what fits. */
static bool cut_text(struct text *text, size_t most)
{
	static const char end[] = "...";
	size_t units = 0, fits = 0, i = 0;

	if (text->size <= most)
		return false;
	while (i < text->size) {
		size_t n = text_utf8_length(text->data + i, text->size - i);

		n = n ? n : 1;
		units += n == 4 ? 2 : 1;
		i += n;
		if (units + sizeof(end) - 1 <= most)
			fits = i;
		if (units > most)
			break;
	}
	if (units <= most)
		return false;
	text->size = fits;
	text->data[fits] = '\0';
	text_add(text, end);
	return true;
}

size_t xlsx_text(struct xlsx_book *book, const struct xlsx_place *place, const char *text)
{
	struct text *clean = &book->scratch;
	struct text visible;
	size_t width;

	if (!place->sheet)
		return 0;
	text_init(&visible);
	text_clear(clean);
	text_add_visible(&visible, text);
	for (const char *s = text_string(&visible); *s; s++) {
		if (is_escape(s))
			text_add(clean, "_x005F");
		text_add_char(clean, *s);
	}
	width = text_width(text_string(&visible));
	text_release(&visible);
	book->cut_texts += cut_text(clean, book->limits.text);
	xlsx_check(book, worksheet_write_string(place->sheet, place->row, place->column,
				 text_string(clean), place->format));
	return width;
}

void xlsx_number(struct xlsx_book *book, const struct xlsx_place *place, double value)
{
	if (place->sheet && isfinite(value))
		xlsx_check(book, worksheet_write_number(place->sheet, place->row, place->column,
					 value, place->format));
}

void xlsx_formula(
	struct xlsx_book *book, const struct xlsx_place *place, const char *formula, double value)
{
	if (place->sheet && isfinite(value))
		xlsx_check(book, worksheet_write_formula_num(place->sheet, place->row,
					 place->column, formula, place->format, value));
}

void xlsx_link(struct xlsx_book *book, const struct xlsx_place *place, const char *sheet)
{
	struct text *url = &book->scratch;

	if (!place->sheet)
		return;
	text_clear(url);
	text_printf(url, "internal:'%s'!A1", sheet);
	xlsx_check(book, worksheet_write_url_opt(place->sheet, place->row, place->column,
				 text_string(url), place->format, sheet, NULL));
}

void xlsx_width(struct xlsx_book *book, lxw_worksheet *sheet, lxw_col_t column, double width)
{
	if (sheet)
		xlsx_check(book, worksheet_set_column(sheet, column, column, width, NULL));
}

void xlsx_fold(struct xlsx_book *book, lxw_worksheet *sheet, lxw_col_t first, lxw_col_t last)
{
	lxw_row_col_options folded = {.hidden = true, .level = 1};
	lxw_row_col_options button = {.collapsed = true};

	if (!sheet || last < first)
		return;
	xlsx_check(book,
		worksheet_set_column_opt(sheet, first, last, LXW_DEF_COL_WIDTH, NULL, &folded));
	xlsx_check(book, worksheet_set_column_opt(
				 sheet, last + 1, last + 1, LXW_DEF_COL_WIDTH, NULL, &button));
}
