/* Arbitrary words through the command line: a word a line. Inputs of several formats are in the
 * folder; no word leaves it; --follow, which does not end, and ab, which runs words, are left
 * out. */
#include "tests/fuzz/run_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
	const char *name, *text;
} inputs[] = {
	{"a.csv", "run,step,op,type,device,time_us,requested_bytes\n"
		  "r1,1,net/conv,Conv2D,cpu:0,10,4096\nr1,1,net/mm,MatMul,cpu:0,5.5,\n"
		  "r1,2,net/conv,Conv2D,cpu:0,11,4096\nr1,2,net/mm,MatMul,cpu:0,5,64\n"
		  "r2,1,net/conv,Conv2D,cpu:0,12,4096\nr2,2,net/conv,Conv2D,cpu:0,9,4096\n"},
	{"b.csv", "run,step,op,type,device,time_us,requested_bytes\n"
		  "r1,1,net/conv,Conv2D,cpu:0,30,4096\nr1,2,net/conv,Conv2D,cpu:0,31,4096\n"
		  "r2,1,net/conv,Conv2D,cpu:0,32,4096\nr2,2,net/conv,Conv2D,cpu:0,29,4096\n"},
	{"ranks.csv", "run,rank,group,step,op,measure,value,unit\n"
		      "job,0,x,1,mm,time,10,us\njob,1,x,1,mm,time,14,us\njob,0,x,2,mm,time,9,us\n"
		      "job,1,x,2,mm,time,26,us\njob,2,y,1,add,time,3,us\n"},
	{"t.json", "{\"schemaVersion\":1,\"traceEvents\":["
		   "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\","
		   "\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":90},"
		   "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,"
		   "\"ts\":5,\"dur\":20,\"args\":{\"External id\":7}},"
		   "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":"
		   "30,\"dur\":40,\"args\":{\"External id\":7,\"device\":0,\"stream\":7}}]}"},
	{"printed.txt", "Profile:\nnode name | total execution time\n"
			"_TFProfRoot (--/9us)\n  conv (4us/4us)\n  mm (5us/5us)\n"},
	{"rules.yaml", "select:\n  - include: net\nrename:\n  - s/net/n/\n"},
	{"stepstat.txt", "margin: 3%\n"},
	{"map.txt", "both s/net/n/\n"},
	{"group.csv", "rank,group\n0,a\n1,b\n"},
};

/* A word may name no other folder, nothing may run for ever, and no output is named as files that
 * are not complete. */
static bool is_left_out(const char *word)
{
	return strchr(word, '/') || strstr(word, "..") || strstr(word, "follow") ||
	       strstr(word, ".tmp-") || strcmp(word, "ab") == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[RUN_WORDS_MOST + 1], program[] = "stepstat";
	const char *at = (const char *)data, *end = at + size;
	int count = 1;

	run_program_start();
	for (size_t i = run_program.kept_count; i < sizeof(inputs) / sizeof(*inputs); i++)
		run_program_keep(inputs[i].name, inputs[i].text, strlen(inputs[i].text));
	words[0] = program;
	while (at < end && count < RUN_WORDS_MOST) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);

		words[count] = strndup(at, length);
		require(words[count]);
		if (is_left_out(words[count]))
			free(words[count]);
		else
			count++;
		at += length + 1;
	}
	words[count] = NULL;
	run_program_words(count, words);
	run_program_tidy();
	for (int i = 1; i < count; i++)
		free(words[i]);
	return 0;
}
