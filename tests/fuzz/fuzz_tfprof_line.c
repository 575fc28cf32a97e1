/* Arbitrary typed lines in a session of tfprof. The first byte picks the model: 'c' a small graph
 * with a checkpoint, else a profile of two steps; the lines begin behind the first line's end. No
 * line may write a file: outputs are made in full and then fail at a folder that is none. Every
 * refused line says why. The models are found where the source was built (FUZZ_DATA), so that it
 * runs in any folder and with any environment. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tfprof/options/old_words.h"
#include "tfprof/session.h"

#define LINES_MOST 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct tfprof_model *load(bool checkpoint, struct arena *arena)
{
	char *folder =
		arena_printf(arena, FUZZ_DATA "/tfprof-cli/%s", checkpoint ? "tf-2.0" : "synth");
	const char *run_meta = arena_printf(arena, "%s/run_meta", folder);
	struct tfprof_inputs inputs = {0};
	struct text out, err;
	int status;

	if (checkpoint) {
		inputs.graph_path = arena_printf(arena, "%s/graph.pbtxt", folder);
		inputs.op_log_path = arena_printf(arena, "%s/tfprof_log", folder);
		inputs.checkpoint_path = arena_printf(arena, "%s/ckpt", folder);
		inputs.run_meta_path = &run_meta;
		inputs.run_meta_count = 1;
	} else {
		inputs.profile_path = arena_printf(arena, "%s/profile_1", folder);
	}
	text_init(&out);
	text_init(&err);
	struct tfprof_model *model = tfprof_model_load(&inputs, &out, &err, &status);

	require(status < 0 && model->graph->node_count > 0);
	text_release(&out);
	text_release(&err);
	return model;
}

/* Loaded once: lines do not change a model. */
static struct tfprof_model *model_of(bool checkpoint)
{
	static struct tfprof_model *model[2];

	if (!model[checkpoint]) {
		struct arena *arena = arena_new();

		model[checkpoint] = load(checkpoint, arena);
		arena_free(arena);
	}
	return model[checkpoint];
}

#define NOWHERE "/dev/null/none"

/* What is written goes nowhere. */
static void redirect(struct tfprof_options *options, struct arena *arena)
{
	size_t count = options->output_option_count;
	void *copy = arena_array(arena, count, sizeof(*options->output_option));

	if (count > 0)
		memcpy(copy, options->output_option, count * sizeof(*options->output_option));
	options->output_option = copy;
	for (size_t i = 0; i < count; i++)
		options->output_option[i].value = NOWHERE;
	if (options->proto_out)
		options->proto_out = NOWHERE;
}

/* Has the command an output that a file may be named for? */
static bool may_write(enum tfprof_command command)
{
	return command >= COMMAND_SCOPE && command <= COMMAND_ADVISE;
}

static void run_line(struct tfprof_session *session, const char *line)
{
	struct tfprof_options options = session->options;
	struct arena *arena = arena_new();
	enum tfprof_command command;
	struct text out, messages;
	bool good;

	text_init(&out);
	text_init(&messages);
	good = tfprof_line_parse(line, arena, &command, &options, &messages);
	require(good == (messages.size == 0));
	text_clear(&messages);
	if (good && may_write(command)) {
		redirect(&options, arena);
		tfprof_session_run(session, command, &options, &out, &messages);
	} else {
		require(tfprof_session_line(session, line, &out, &messages) == good);
		require(good || messages.size > 0);
		if (!good)
			tfprof_hint_line(line, &messages);
	}
	text_release(&out);
	text_release(&messages);
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *at = size ? memchr(data, '\n', size) : NULL;
	struct arena *arena = arena_new();
	struct tfprof_options options;
	struct tfprof_session session;

	tfprof_options_init(&options, arena);
	tfprof_session_init(&session, model_of(size > 0 && data[0] == 'c'), &options);
	for (size_t lines = 0; at && at < end && lines < LINES_MOST; lines++) {
		const uint8_t *next;

		at++;
		next = memchr(at, '\n', (size_t)(end - at));
		run_line(&session,
			arena_strndup(arena, (const char *)at, (size_t)((next ? next : end) - at)));
		at = next;
	}
	tfprof_session_release(&session);
	arena_free(arena);
	return 0;
}
