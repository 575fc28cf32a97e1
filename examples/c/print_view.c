/*
 * Prints a view of a profile as lines of tab-separated columns: depth, name, then for each chosen number the row's own
 * value and that with everything below.
 *
 * usage: print_view PROFILE LINE [NUMBER]...
 *        print_view --graph GRAPH OP_LOG STEP=RUN_META... -- LINE [NUMBER]...
 *
 *	cc print_view.c $(pkg-config --static --cflags --libs stepstat) -o print_view
 *	./print_view profile_14 'op -step 5 -order_by micros' micros bytes
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stepstat.h>

/* The numbers that are printed. */
struct columns {
	enum stepstat_quantity quantity[STEPSTAT_QUANTITIES];
	size_t count;
};

static int choose(struct columns *columns, int count, char **word)
{
	for (int i = 0; i < count && i < STEPSTAT_QUANTITIES; i++) {
		int q = 0;

		while (q < STEPSTAT_QUANTITIES &&
			strcmp(stepstat_quantity_name((enum stepstat_quantity)q), word[i]) != 0)
			q++;
		if (q == STEPSTAT_QUANTITIES) {
			fprintf(stderr, "print_view: no number \"%s\"\n", word[i]);
			return -1;
		}
		columns->quantity[columns->count++] = (enum stepstat_quantity)q;
	}
	return 0;
}

/* One step: the number. Several: the mean and the CV in percent. */
static void print_value(
	const struct stepstat_view *view, const int64_t *values, enum stepstat_quantity quantity)
{
	if (stepstat_view_slots(view) == 1)
		printf("\t%" PRId64, values[quantity]);
	else
		printf("\t%.10g\t%.10g", stepstat_mean(view, values, quantity),
			100 * stepstat_cv(view, values, quantity));
}

static void print_node(const struct stepstat_view *view, const struct stepstat_node *node,
	const struct columns *columns, int depth)
{
	printf("%d\t%s", depth, node->name);
	for (size_t i = 0; i < columns->count; i++) {
		print_value(view, node->self, columns->quantity[i]);
		print_value(view, node->total, columns->quantity[i]);
	}
	putchar('\n');
	for (size_t i = 0; i < node->child_count; i++)
		print_node(view, node->child[i], columns, depth + 1);
}

/* Adds "STEP=FILE". */
static int add_step(struct stepstat_model *model, const char *word, struct stepstat_error *error)
{
	char *end;
	int64_t step = strtoll(word, &end, 10);

	if (*end == '=')
		return stepstat_add_step(model, step, end + 1, error);
	error->kind = STEPSTAT_BAD_CALL;
	snprintf(error->text, sizeof(error->text), "\"%s\": expected STEP=FILE", word);
	return -1;
}

/* The model, and in *used how many words named it. */
static struct stepstat_model *open_model(int argc, char **argv, int *used, struct stepstat_error *error)
{
	struct stepstat_model *model;
	int i = 4;

	*used = 2;
	if (argc < 5 || strcmp(argv[1], "--graph") != 0)
		return stepstat_open_profile(argv[1], error);
	model = stepstat_open_graph(argv[2], argv[3], error);
	for (; model && i < argc && strcmp(argv[i], "--") != 0; i++)
		if (add_step(model, argv[i], error)) {
			stepstat_model_free(model);
			model = NULL;
		}
	*used = i + 1;
	return model;
}

int main(int argc, char **argv)
{
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	struct stepstat_model *model = NULL;
	struct stepstat_view *view = NULL;
	struct columns columns = {{STEPSTAT_MICROS}, 0};
	const char *note;
	int used = 2;

	if (argc < 3) {
		fputs("usage: print_view PROFILE LINE [NUMBER]...\n", stderr);
		return 2;
	}
	model = open_model(argc, argv, &used, &error);
	if (model && used < argc && choose(&columns, argc - used - 1, argv + used + 1) == 0)
		view = stepstat_run(model, argv[used], &error);
	if (view) {
		print_node(view, stepstat_view_root(view), &columns, 0);
		fputs(stepstat_view_messages(view), stderr);
	} else if (error.kind != STEPSTAT_NO_ERROR) {
		fprintf(stderr, "print_view: %s\n", error.text);
	}
	for (size_t i = 0; model && (note = stepstat_model_note(model, i)); i++)
		fprintf(stderr, "note: %s\n", note);
	stepstat_view_free(view);
	stepstat_model_free(model);
	return view ? 0 : 1;
}
