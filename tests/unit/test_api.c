/* The library's handles: steps that are added, files that are refused, views that outlast a step.
 * Numbers are from tests/data/models/expected/resnet_tower. */
#include <math.h>
#include <unistd.h>
#include "tfprof/api/stepstat.h"
#include "tests/unit/encode.h"
#include "tests/unit/test.h"

#define TOWER "models/resnet_tower/"

static struct stepstat_model *open_profile(const char *name)
{
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	char path[1024];
	struct stepstat_model *model =
		stepstat_open_profile(data_path(path, sizeof(path), name), &error);

	if (!model)
		print_message("%s\n", error.text);
	assert_non_null(model);
	assert_int_equal(error.kind, STEPSTAT_NO_ERROR);
	return model;
}

static int add_step(
	struct stepstat_model *model, int64_t step, const char *name, struct stepstat_error *error)
{
	char path[1024];

	return stepstat_add_step(model, step, data_path(path, sizeof(path), name), error);
}

static const struct stepstat_node *find(const struct stepstat_node *parent, const char *name)
{
	for (size_t i = 0; i < parent->child_count; i++)
		if (text_equal(parent->child[i]->name, name))
			return parent->child[i];
	return NULL;
}

/* Own micros of a type in a step (by its number), and -1 where there is none. */
static int64_t micros_of(struct stepstat_model *model, int64_t step, const char *type)
{
	char line[80];
	int64_t micros = -1;

	snprintf(line, sizeof(line), "op -step %lld -max_depth 1000", (long long)step);
	struct stepstat_view *view = stepstat_run(model, line, NULL);

	assert_non_null(view);
	assert_int_equal(stepstat_view_slots(view), 1);
	if (step >= 0)
		assert_int_equal(*stepstat_view_steps(view), step);
	else
		assert_null(stepstat_view_steps(view));
	const struct stepstat_node *node = find(stepstat_view_root(view), type);

	if (node)
		micros = stepstat_self(view, node, STEPSTAT_MICROS, 0);
	stepstat_view_free(view);
	return micros;
}

/* op.csv.gz: AddN and ApplyMomentum in steps 3 and 4. */
TEST(steps_are_added_to_a_profile)
{
	struct stepstat_model *model = open_profile(TOWER "steps/profile_3.gz");
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	size_t count;

	assert_int_equal(stepstat_model_steps(model, &count)[0], 3);
	assert_int_equal(count, 1);
	assert_int_equal(micros_of(model, 3, "ApplyMomentum"), 38);
	struct stepstat_view *before = stepstat_run(model, "scope -step 3 -max_depth 100", NULL);

	assert_int_equal(add_step(model, 4, TOWER "run_meta/run_meta_4.gz", &error), 0);
	assert_int_equal(error.kind, STEPSTAT_NO_ERROR);
	assert_int_equal(stepstat_model_steps(model, &count)[1], 4);
	assert_int_equal(count, 2);
	assert_int_equal(micros_of(model, 3, "ApplyMomentum"), 38);
	assert_int_equal(micros_of(model, 4, "AddN"), 37);
	/* A view is good as long as its model. */
	assert_string_equal(stepstat_view_root(before)->name, "_TFProfRoot");
	assert_non_null(find(stepstat_view_root(before), "v"));
	assert_int_equal(
		stepstat_total(before, stepstat_view_root(before), STEPSTAT_MICROS, 0), 20307);
	stepstat_view_free(before);
	stepstat_model_free(model);
}

static void write_part(const char *name, const char *to, size_t most)
{
	char path[1024], buffer[4096];
	FILE *in = fopen(data_path(path, sizeof(path), name), "rb"), *out = fopen(to, "wb");
	size_t n = fread(buffer, 1, most < sizeof(buffer) ? most : sizeof(buffer), in);

	assert_int_equal(fwrite(buffer, 1, n, out), n);
	fclose(in);
	fclose(out);
}

TEST(a_step_that_is_refused_changes_nothing)
{
	struct stepstat_model *model = open_profile("tfprof-cli/synth/profile_1");
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	size_t count;

	struct stepstat_view *view = stepstat_run(model, "graph -max_depth 100", NULL);
	int64_t nodes = stepstat_total(view, stepstat_view_root(view), STEPSTAT_DEFINITIONS, 0);

	stepstat_view_free(view);
	write_part("tfprof-cli/synth/run_meta_0", "damaged_run_meta", 300);
	assert_int_equal(stepstat_add_step(model, 7, "damaged_run_meta", &error), -1);
	unlink("damaged_run_meta");
	assert_int_equal(error.kind, STEPSTAT_BAD_INPUT);
	assert_true(text_starts(error.text, "damaged_run_meta:byte "));
	assert_int_equal(add_step(model, 0, "tfprof-cli/synth/run_meta_0", &error), -1);
	assert_int_equal(error.kind, STEPSTAT_BAD_CALL);
	assert_string_equal(error.text, "step 0 is in the model already");
	assert_int_equal(add_step(model, -2, "tfprof-cli/synth/run_meta_0", &error), -1);
	assert_string_equal(error.text, "step -2: expected a number of 0 or more");
	assert_int_equal(add_step(model, 7, "tfprof-cli/synth/missing", NULL), -1);
	assert_int_equal(add_step(model, 7, "tfprof-cli/synth/op_log", &error), -1);
	stepstat_model_steps(model, &count);
	assert_int_equal(count, 2);
	view = stepstat_run(model, "graph -max_depth 100", &error);
	assert_int_equal(
		stepstat_total(view, stepstat_view_root(view), STEPSTAT_DEFINITIONS, 0), nodes);
	stepstat_view_free(view);
	assert_int_equal(add_step(model, 7, "tfprof-cli/synth/run_meta_0", &error), 0);
	stepstat_model_free(model);
}

TEST(missing_arguments_are_reported)
{
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	struct stepstat_model *empty = stepstat_open_graph(NULL, NULL, &error);
	size_t count = 9;

	assert_non_null(empty);
	stepstat_model_steps(empty, &count);
	assert_int_equal(count, 0);
	assert_null(stepstat_open_profile(NULL, NULL));
	assert_null(stepstat_run(NULL, "op", &error));
	assert_string_equal(error.text, "no model");
	assert_null(stepstat_run(empty, NULL, &error));
	assert_string_equal(error.text, "no line");
	assert_int_equal(stepstat_add_step(empty, 0, NULL, &error), -1);
	assert_null(stepstat_run(empty, "code", &error));
	assert_string_equal(error.text, "No code trace information");
	struct stepstat_view *view = stepstat_run(empty, "scope", &error);

	assert_int_equal(stepstat_view_root(view)->child_count, 0);
	stepstat_view_free(view);
	/* Eager execution: nodes are those that run. */
	assert_int_equal(add_step(empty, 0, TOWER "run_meta/run_meta_4.gz", &error), 0);
	assert_true(micros_of(empty, 0, "v/tower_0/cg/conv0/conv2d/Conv2D") > 0);
	stepstat_model_free(empty);
	stepstat_model_free(NULL);
	stepstat_view_free(NULL);
}

/* op.csv.gz has Conv2D in steps 3 and 4; the statistics of two values are by hand. */
TEST(several_steps_are_slots)
{
	struct stepstat_model *model = open_profile(TOWER "profile_8.gz");
	struct stepstat_view *view = stepstat_run(model, "op -step 3:4 -max_depth 1000", NULL);

	assert_int_equal(stepstat_view_slots(view), 2);
	assert_int_equal(stepstat_view_steps(view)[1], 4);
	const struct stepstat_node *node = find(stepstat_view_root(view), "Conv2D");
	double a = (double)stepstat_self(view, node, STEPSTAT_MICROS, 0);
	double b = (double)stepstat_self(view, node, STEPSTAT_MICROS, 1);

	assert_true(a == 1328 && b == 1405);
	assert_true(stepstat_mean(view, node->self, STEPSTAT_MICROS) == (a + b) / 2);
	/* Of two values the sample standard deviation is their distance by the root of 2. */
	double cv = fabs(a - b) / sqrt(2) / ((a + b) / 2);

	assert_true(fabs(stepstat_cv(view, node->self, STEPSTAT_MICROS) / cv - 1) < 1e-14);
	assert_true(stepstat_cv(view, node->self, STEPSTAT_ACCELERATOR_MICROS) == 0);
	assert_int_equal(stepstat_self(view, node, STEPSTAT_MICROS, 2), 0);
	assert_int_equal(stepstat_self(view, node, STEPSTAT_QUANTITIES, 0), 0);
	stepstat_view_free(view);
	view = stepstat_run(model, "op -step 3", NULL);
	const struct stepstat_node *root = stepstat_view_root(view);

	assert_true(stepstat_mean(view, root->total, STEPSTAT_MICROS) == 20307);
	assert_true(isnan(stepstat_cv(view, root->total, STEPSTAT_MICROS)));
	stepstat_view_free(view);
	stepstat_model_free(model);
}

TEST(names_are_words_of_options)
{
	assert_string_equal(stepstat_quantity_name(STEPSTAT_REQUESTED_BYTES), "bytes");
	assert_string_equal(stepstat_quantity_name(STEPSTAT_FLOAT_OPS), "float_ops");
	assert_string_equal(stepstat_quantity_name(STEPSTAT_RUNS), "occurrence");
	assert_null(stepstat_quantity_name(STEPSTAT_QUANTITIES));
}

TEST(rows_know_their_nodes)
{
	struct stepstat_model *model = open_profile(TOWER "profile_8.gz");
	struct stepstat_view *view = stepstat_run(model,
		"scope -step 3 -max_depth 100 -account_type_regexes Conv2D -show_name_regexes "
		".*/Conv2D",
		NULL);
	const struct stepstat_node *root = stepstat_view_root(view);

	assert_int_equal(root->child_count, 6);
	for (size_t i = 0; i < root->child_count; i++) {
		assert_string_equal(root->child[i]->op, "Conv2D");
		assert_non_null(strstr(root->child[i]->device, "device:cpu:"));
		assert_true(root->child[i]->counted);
	}
	assert_string_equal(root->op, "");
	stepstat_view_free(view);
	stepstat_model_free(model);
	model = open_profile("models/odd/shapes");
	assert_null(stepstat_model_note(model, 1000));
	stepstat_model_free(model);
}

TEST(reports_are_texts)
{
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	char path[1024];
	const char *paths[] = {data_path(path, sizeof(path), TOWER "profile_8.gz")};
	char *report = stepstat_report(paths, 1, "csv", &error);

	assert_non_null(report);
	assert_int_equal(error.kind, STEPSTAT_NO_ERROR);
	assert_int_equal(strncmp(report, "run,op,type,", 12), 0);
	assert_non_null(strstr(report, "Conv2D"));
	stepstat_report_free(report);
	report = stepstat_report(paths, 1, "json", &error);
	assert_non_null(report);
	assert_int_equal(*report, '{');
	stepstat_report_free(report);
}

TEST(reports_are_refused)
{
	struct stepstat_error error = {STEPSTAT_NO_ERROR, ""};
	const char *none[] = {"no such file"}, *input[] = {"-"};

	assert_null(stepstat_report(none, 1, "junit", &error));
	assert_int_equal(error.kind, STEPSTAT_BAD_CALL);
	assert_null(stepstat_report(none, 0, "csv", NULL));
	assert_null(stepstat_report(input, 1, "csv", NULL));
	assert_null(stepstat_report(none, 1, "csv", &error));
	assert_int_equal(error.kind, STEPSTAT_BAD_INPUT);
	assert_non_null(strstr(error.text, "no such file"));
	stepstat_report_free(NULL);
}
