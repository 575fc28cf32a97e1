/* Which frames of Python are the user's code. */
#include "analysis/select/pattern.h"
#include "tests/unit/test.h"

TEST(libraries_are_known_by_their_file)
{
	static const char *const libraries[] = {
		"torch/nn/modules/linear.py(10): forward",
		"torch\\nn\\modules\\linear.py(10): forward",
		"transformers/models/bert/modeling_bert.py(364): forward",
		"threading.py(1032): _bootstrap",
		"multiprocessing/spawn.py(117): spawn_main",
		"/opt/venv/lib/python3.11/site-packages/mine/a.py(1): f",
		"/usr/lib/python3/dist-packages/mine/a.py(1): f",
		"/usr/local/lib/python3.12/threading.py(1032): run",
		"C:\\venv\\Lib\\site-packages\\mine\\a.py(1): f",
		"<built-in function linear>",
		"<built-in method f of type object at 0x7f0e0217af70>",
		"<frozen os>(77): getenv",
		"<string>(1): <module>",
		"six.moves",
		"",
		"nn.Module: Linear_0",
	};
	static const char *const users[] = {
		"train.py(12): step",
		"torch_train.py(12): step",
		"nets/torch/model.py(7): forward",
		"/home/me/threading_of_mine.py(1): run",
		"/home/me/pythonic/train.py(1): run",
		"threading/run.py(3): go",
		"test.py(3): main",
		"datasets/coco.py(3): load",
		"os/path.py(3): load",
		"a (copy)/train(2).py(12): <lambda>",
		"<ipython-input-3-0123abc>(1): <module>",
		"/tmp/ipykernel_4/123.py(1): <module>",
		"<stdin>(1): <module>",
	};
	struct error err;

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		assert_int_equal(user_code_match(NULL, libraries[i], &err), 0);
	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++)
		assert_int_equal(user_code_match(NULL, users[i], &err), 1);
}

TEST(a_pattern_says_otherwise)
{
	struct arena *arena = arena_new();
	struct error err;
	struct user_code *u = user_code_new("^(torch|<built)", arena, &err);

	assert_non_null(u);
	assert_int_equal(user_code_match(u, "torch/nn/modules/linear.py(10): forward", &err), 1);
	assert_int_equal(user_code_match(u, "<built-in function linear>", &err), 1);
	assert_int_equal(user_code_match(u, "train.py(12): step", &err), 0);
	assert_null(user_code_new("", arena, &err));
	assert_null(user_code_new("(", arena, &err));
	u = user_code_new("^(a+)+$", arena, &err);
	assert_int_equal(
		user_code_match(u, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", &err), -1);
	arena_free(arena);
}
