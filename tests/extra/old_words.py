#!/usr/bin/env python3
"""Command lines of old pages about tfprof (2016 to 2018), as they are typed there, on a new recording.

usage: old_words.py STEPSTAT     (a Python with TensorFlow 2, PyPI's tensorflow-cpu; else skipped)

The recording is made through compat.v1: graph.pbtxt, run_meta, tfprof_log, model.ckpt and profile_xx of a small model whose
scopes have the names of the pages (a ResNet; a function _add_seq2seq of seq2seq_attention_model.py). Each command line must end
with status 0, write the files that it names, refuse or ignore no word, and show the rows that the recording has. TAP.
"""
import os
import re
import socket
import subprocess
import sys
import tempfile

STEPSTAT = os.path.abspath(sys.argv[1])
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
try:
    import tensorflow.compat.v1 as tf
except ImportError:
    print("1..0 # SKIP old words of tfprof: this Python has no tensorflow (PyPI's tensorflow-cpu)")
    sys.exit(0)

MODEL = '''
def _conv(tf, name, x, size, out):
    with tf.variable_scope(name):
        weights = tf.get_variable("DW", [size, size, int(x.shape[3]), out])
        return tf.nn.relu(tf.nn.conv2d(x, weights, [1, 1, 1, 1], "SAME"))

def _add_seq2seq(tf):
    images = tf.random.uniform([4, 8, 8, 3])
    labels = tf.zeros([4], tf.int32)
    x = _conv(tf, "init/init_conv", images, 3, 16)
    with tf.variable_scope("unit_1_0/shared_activation/init_bn"):
        x = x * tf.get_variable("gamma", [16], initializer=tf.ones_initializer())
    for unit in ("unit_1_0", "unit_1_1", "unit_2_1"):
        for sub in ("sub1/conv1", "sub2/conv2"):
            x = _conv(tf, unit + "/" + sub, x, 3, 16)
    with tf.variable_scope("pool_logit"):
        weights = tf.get_variable("DW", [16, 10])
        biases = tf.get_variable("biases", [10])
        logits = tf.nn.xw_plus_b(tf.reduce_mean(x, [1, 2]), weights, biases)
    cost = tf.identity(tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)), name="cost")
    return tf.train.MomentumOptimizer(0.01, 0.9).minimize(cost)
'''


def record(folder):
    tf.disable_v2_behavior()
    names = {}
    exec(compile(MODEL, "seq2seq_attention_model.py", "exec"), names)
    graph = tf.Graph()
    with graph.as_default(), tf.Session() as session:
        train = names["_add_seq2seq"](tf)
        session.run(tf.global_variables_initializer())
        profiler = tf.profiler.Profiler(graph)
        for step in range(4):
            run_meta = tf.RunMetadata()
            session.run(train, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=run_meta)
            profiler.add_step(step, run_meta)
        tf.io.write_graph(graph, folder, "graph.pbtxt")
        write(folder + "/run_meta", run_meta.SerializeToString())
        tf.train.Saver().save(session, folder + "/model.ckpt", write_meta_graph=False)
        op_log = tf.profiler.OpLogProto()
        for name in ("pool_logit/DW", "pool_logit/biases"):
            op_log.log_entries.add(name=name).types.append("pool_logit")
        tf.profiler.write_op_log(graph, folder, op_log, run_meta)
        write(folder + "/train_dir/profile_xx", profiler.serialize_to_string())
    record_servers(folder + "/textsum")


def record_servers(folder):
    """Variables on two parameter servers, in this process."""
    ports = []
    for _ in range(3):
        with socket.socket() as s:
            s.bind(("localhost", 0))
            ports.append("localhost:%d" % s.getsockname()[1])
    cluster = tf.train.ClusterSpec({"ps": ports[:2], "worker": ports[2:]})
    servers = [tf.train.Server(cluster, job_name=job, task_index=task) for job, task in (("ps", 0), ("ps", 1), ("worker", 0))]
    graph = tf.Graph()
    with graph.as_default():
        total = 0.0
        for task in range(2):
            with tf.device("/job:ps/task:%d" % task):
                total += tf.reduce_sum(tf.get_variable("embedding_%d" % task, [100 * (task + 1), 10]))
        with tf.Session(servers[2].target) as session:
            session.run(tf.global_variables_initializer())
            run_meta = tf.RunMetadata()
            session.run(total, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=run_meta)
    tf.io.write_graph(graph, folder, "graph.pbtxt")
    write(folder + "/run_meta", run_meta.SerializeToString())


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


GRAPH = "bazel-bin/tensorflow/tools/tfprof/tfprof --graph_path=graph.pbtxt"
CHECKPOINT = GRAPH + " --checkpoint_path=model.ckpt"
ALL = GRAPH + " --run_meta_path=run_meta --op_log_path=tfprof_log --checkpoint_path=model.ckpt"
PROFILE = "bazel-bin/tensorflow/core/profiler/profiler --profile_path=train_dir/profile_xx"
TEXTSUM = "bazel-bin/tensorflow/tools/tfprof/tfprof --graph_path textsum/graph.pbtxt --run_meta_path textsum/run_meta"

# Start; lines typed at its prompt (None: a command that runs once) with a pattern that the answer has (None: any); a file that is written.
SESSIONS = [
    ("bazel-bin/tensorflow/tools/tfprof/tfprof help", [(None, r"To skip interactive mode")], None),
    ("bazel-bin/tensorflow/tools/tfprof/tfprof scope --graph_path=graph.pbtxt --max_depth=3", [(None, r"^  unit_1_0")], None),
    (GRAPH, [("", r"^-max_depth ")], None),
    (CHECKPOINT, [
        ("scope -show_name_regexes unit_1_0.*gamma -select tensor_value -max_depth 5", r"init_bn/gamma \(\)\n\["),
        ("scope -account_type_regexes _checkpoint_variables -select params -max_depth 4", r"init/init_conv/DW \(3x3x3x16, 432/864 params\)"),
    ], None),
    (GRAPH + " --run_meta_path=run_meta --checkpoint_path=model.ckpt", [
        ("graph -start_name_regexes cost.* -max_depth 100 -min_micros 1 -select micros -account_type_regexes .*", r"_TFProfRoot"),
        ("scope -start_name_regexes gradient.* -max_depth 100 -min_micros 1 -select micros -account_type_regexes .*", r"Conv2DBackpropFilter"),
    ], None),
    (ALL, [
        ("scope -min_float_ops 1 -max_depth 10 -select float_ops -account_type_regexes .*", r"init/init_conv/Conv2D \([\d.]+k/"),
        ("set -account_type_regexes _trainable_variables", None),
        ("scope -max_depth 4 -select params", r"pool_logit/DW \(16x10, 160/160 params\)"),
        ("set -account_type_regexes .*", None),
        ("scope -show_name_regexes unit_2_1.*DW -max_depth 100 -account_displayed_op_only", r"unit_2_1/sub1/conv1/DW"),
        ("scope -account_type_regexes Variable -max_depth 4 -select params", r"_TFProfRoot"),
        ("scope -account_type_regexes VariableV2 -max_depth 4 -select params", r"pool_logit/DW \(16x10, 160/320 params\)"),
        ("scope -account_type_regexes pool_logit -max_depth 4 -select params", r"_TFProfRoot \(--/170 params\)"),
        ("scope -min_float_ops 1 -select float_ops -account_displayed_op_only", r"flops"),
        ("code -show_name_regexes seq2seq_attention.* -max_depth 10 -select micros -order_by micros", r"seq2seq_attention_model.py:"),
        ("code -start_name_regexes .*_add_seq2seq.* -show_name_regexes seq2seq_attention.* -max_depth 10 -select micros -order_by micros",
         r"_add_seq2seq"),
        ("code  -max_depth 5 -select micros -order_by micros -start_name_regexes .*_add_seq2seq.* -min_micros 1", r"_add_seq2seq"),
        ("code -max_depth 1000 -show_name_regexes .*model_analyzer.*py.* -select micros -account_type_regexes .* -order_by micros", r"_TFProfRoot"),
        # The options that the page lists, with their values of 2017 and words that have gone.
        ("scope -order_by depth -select bytes,micros,params,float_ops,num_hidden_ops,tensor_value,device,op_types", r"unit_1_0"),
        ("scope -max_depth 4 -viz false -dump_to_file dump_of_a_line", None),
    ], "dump_of_a_line"),
    ("tfprof scope --graph_path=graph.pbtxt --max_depth=3 --dump_to_file=dump", [(None, None)], "dump"),
    (TEXTSUM, [
        ("scope -select device,params -account_type_regexes .*ps.*task:0.* -max_depth 1", r"_TFProfRoot \(--/1.00k params\)"),
        ("scope -select device,params -account_type_regexes .*ps.*task:1.* -max_depth 1", r"_TFProfRoot \(--/2.00k params\)"),
    ], None),
    (PROFILE, [
        ("op -select micros,bytes,occurrence -order_by micros", r"^Conv2D"),
        ("graph -step -1 -max_depth 100000 -output timeline:outfile=<filename>", r"Timeline file is written to <filename>_3"),
        ("op -select micros,occurrence -order_by micros", r"^Conv2D"),
        ("op -select micros,device -order_by micros", r"^Conv2D"),
        ("scope -max_depth 30 -select micros -min_micros 1 -order_by micros", r"^  unit"),
        ("advise", r"ExpensiveOperationChecker:"),
    ], "<filename>_3"),
]

number = 0


def check(name, problems):
    global number
    number += 1
    for line in problems:
        print("# " + line.replace("\n", "\n# ")[:2000])
    print("%sok %d - %s" % ("not " if problems else "", number, name), flush=True)


def run(start, lines, folder):
    words = start.split(" ")
    words[0] = os.path.join(folder, words[0])
    done = subprocess.run(words, input="".join(line + "\n" for line in lines), capture_output=True, text=True, cwd=folder)
    # What is repeated of the command line comes first.
    said = done.stderr.split("\n", len(words))[-1].splitlines()
    return done, [line for line in said if re.match("E: |ignored: |stepstat: |did you mean", line)]


def main():
    with tempfile.TemporaryDirectory() as folder:
        record(folder)
        for link in ("tfprof", "bazel-bin/tensorflow/tools/tfprof/tfprof", "bazel-bin/tensorflow/core/profiler/profiler"):
            os.makedirs(os.path.dirname(os.path.join(folder, link)), exist_ok=True)
            with open(os.path.join(folder, link), "w") as f:  # the page's path; the program is this one
                f.write('#!/bin/sh\nexec "%s" tfprof "$@"\n' % STEPSTAT)
            os.chmod(os.path.join(folder, link), 0o755)
        for start, lines, file in SESSIONS:
            before = []
            for line, pattern in lines:
                done, wrong = run(start, before + ([] if line is None else [line]), folder)
                problems = wrong + ([] if done.returncode == 0 else ["status %d" % done.returncode])
                if pattern and not re.search(pattern, done.stdout, re.M):
                    problems.append("no %r in\n%s" % (pattern, done.stdout[-1500:]))
                check(start if line is None else "%s: %s" % (start, line), problems)
                if line and line.startswith("set "):
                    before.append(line)
            if file:
                path = os.path.join(folder, file)
                check("%s is written" % file, [] if os.path.exists(path) and os.path.getsize(path) > 100 else ["it is not, or is empty"])
    print("1..%d" % number)


main()
