"""A plain reading of PyTorch traces for the tests beside this file: json, lists sorted by thread and time, bisection.

Events with their category and times in picoseconds, calls by the work that they launch, steps, labels by which rows are made (ops,
shapes, annotations, modules, phases, frames), and which op of the forward pass made each function of the backward pass.
"""
import bisect
import collections
import decimal
import gzip
import json
import math
import re
import sys

DEVICE = re.compile(r"kernel|gpu_memcpy|gpu_memset|memcpy|memset|collective_comm|mtia_insight|.*_kernel|.*_memcpy|.*_memset")
CALL = re.compile(r"(.*_)?(runtime|driver)")
# Neither work nor open on a thread: drawn beside the work of devices, waits, the profiler itself.
OTHER = re.compile(r".*_user_annotation|.*_profiler_range|.*_scope_profiler|cuda_sync|cuda_event|.*_sync|overhead|mtia_ccp_events|trace"
                   r"|hardware_counters")
SERVING = re.compile(r"execute_\d*_?context_.*|step\[.*\].*")
BATCH = re.compile(r"execute_\d+_context_")
NOWHERE = "[not attributed]"
LIBRARIES = set(sys.stdlib_module_names) - {"test"} | {"torch", "torchvision", "transformers", "tqdm", "numpy", "scipy", "PIL", "triton", "vllm"}  # of these traces
FRAMES = r"^(?!nn\.Module: |torch/|<)"


def is_users(event):
    """A frame of the user's code: file.py(line): function, where the file is none of PyTorch, a package or Python."""
    found = re.fullmatch(r"([^<].*)\((\d+)\): (.+)", event.name)
    if event.category != "python_function" or not found or event.name.startswith("nn.Module: "):
        return False
    parts = re.sub(r"\.py$", "", found[1]).split("/")
    return parts[0] not in LIBRARIES and not {"site-packages", "dist-packages"} & set(parts)


def picoseconds(value):
    return int(decimal.Decimal(value or 0) * 1000000)


class Event:
    def __init__(self, fields):
        self.name, self.type, self.args = fields["name"], fields.get("cat", ""), fields.get("args", {})
        self.category = self.type.lower()
        self.process = str(fields.get("pid"))
        self.thread = (self.process, str(fields.get("tid")))
        self.start = picoseconds(fields["ts"])
        self.duration = picoseconds(fields.get("dur"))
        self.end = self.start + self.duration

    def number(self, *keys):
        found = [self.args[key] for key in keys if str(self.args.get(key, "")).isdigit()]
        return int(found[0]) if found else 0

    def id(self):
        """Numbers of ops, and those of frames, are in the order in which they begin."""
        return self.number("External id", "external id", "Python id")


def is_op(event):
    return event.category in ("cpu_op", "operator") and not event.name.startswith("ProfilerStep#")


def shaped(event):
    """The row of --by=shape: the name and the shapes without blanks and without the empty ones at the end; None without shapes."""
    shapes = event.args.get("Input Dims")
    if not is_op(event) or not isinstance(shapes, list):
        return None
    while shapes and shapes[-1] == []:
        shapes = shapes[:-1]
    return event.name + (" " + json.dumps(shapes, separators=(",", ":")) if shapes else "")


def is_annotation(event):
    return ((event.category == "user_annotation" or (event.category == "operator" and "#" in event.name))
            and not event.name.startswith("ProfilerStep#"))


def phase(event):
    """The phase, and whether it holds for all that is in the event."""
    if event.category == "python_function":
        return ("forward" if event.name.startswith("nn.Module: ") else None), False
    for start, name, holds in (("autograd::engine::evaluate_function", "backward", True),
                               ("torch::autograd::", "backward", True), ("Optimizer.step#", "optimiser", False),
                               ("Optimizer.zero_grad#", "optimiser", True), ("enumerate(DataLoader)", "input", True),
                               ("execute_context_", "forward", False), ("step[", "forward", False)):
        if event.name.startswith(start):
            return name, holds
    if is_annotation(event):
        for word in ("forward", "backward"):
            if re.search(r"(?<![A-Za-z_])%s(?![A-Za-z_])" % word, event.name):
                return word, False
        return None, False
    if event.number("Fwd thread id") > 0 or re.fullmatch(r"[A-Z]\w*Backward\d*", event.name):
        return "backward", True
    return ("forward" if str(event.args.get("Sequence number", "")).isdigit() else None), False


def guess_forward(events):
    """Ops of the framework, where a file has a backward pass and no word of the forward pass."""
    phases = {phase(event)[0] for event in events}
    return [event for event in events if not phase(event)[0] and event.category != "python_function" and not is_annotation(event)
            and event.name.startswith("aten::")] if "backward" in phases and "forward" not in phases else []


class Threads:
    """Events of each thread by start."""

    def __init__(self, events):
        self.of = collections.defaultdict(list)
        for event in events:
            self.of[event.thread].append(event)
        self.starts, self.last_end = {}, {}
        for thread, own in self.of.items():
            own.sort(key=lambda e: (e.start, -e.duration, e.id()))
            self.starts[thread] = [event.start for event in own]
            ends, most = [], None
            for event in own:
                most = event.end if most is None else max(most, event.end)
                ends.append(most)
            self.last_end[thread] = ends

    def around(self, thread, time, of_event=False):
        """The events that are open then, the innermost first; of an event that begins then also those without a duration."""
        found = []
        own = self.of.get(thread, [])
        i = bisect.bisect_right(self.starts.get(thread, []), time) - 1
        while i >= 0 and (self.last_end[thread][i] > time or (of_event and own[i].start == time)):
            if own[i].end > time or (of_event and own[i].start == time):
                found.append(own[i])
            i -= 1
        return found


def chosen(by, event):
    """True if the event is a label of these rows."""
    return {"launcher": is_op, "shape": lambda e: shaped(e) is not None, "annotation": is_annotation,
            "module": lambda e: e.category == "python_function" and e.name.startswith("nn.Module: "), "stack": is_users,
            "stack of": lambda e: e.category == "python_function" and re.search(FRAMES, e.name)}[by](event)


def rows_of(by, around):
    """The row of what is in these lists of labels, and those of all of them: the innermost list and label first. Only labels of one list
    make a stack together."""
    if by.startswith("stack"):
        deep = int(by.split(":")[1])
        return [";".join(event.name for event in reversed(own[i:i + deep])) for own in around for i in range(len(own))] or [NOWHERE]
    around = [event for own in around for event in own]
    if by == "shape":
        return [shaped(event) for event in around] or [NOWHERE]
    if by != "phase":
        return [event.name for event in around] or [NOWHERE]
    named = [phase(event) for event in around]
    named = [(name, holds) for name, holds in named if name]
    holding = [i for i, (name, holds) in enumerate(named) if holds]
    if holding:
        named = named[holding[-1]:]
    return [name for name, holds in named] or ["forward" if around else "other"]


def is_before(label, event):
    """True if a label that begins with the event is around it, or is it: events of equal times are numbered from the outermost on."""
    if label.start < event.start or label is event:
        return True
    if label.start > event.start or label.duration != event.duration:
        return label.start == event.start and label.duration > event.duration
    return label.category == "python_function" or label.id() <= event.id()


def serving_steps(events):
    """The marks of a server's steps: batches only where there are no others."""
    marks = sorted((e for e in events if e.category == "user_annotation" and SERVING.fullmatch(e.name)), key=lambda e: e.start)
    return [e for e in marks if not BATCH.match(e.name)] or marks


class Trace:
    def __init__(self, path):
        raw = open(path, "rb").read()
        raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        content = json.loads(raw.decode("utf-8", "replace"), parse_float=str, strict=False)
        content = content["traceEvents"] if isinstance(content, dict) else content
        self.events = [Event(e) for e in content
                       if e.get("ph") == "X" and isinstance(e.get("args", {}), dict) and str(e.get("ts")) != ""]
        self.marks = sorted((e for e in self.events if re.fullmatch(r"ProfilerStep#\d+", e.name) and not e.category.startswith("gpu")
                             and e.category != "python_function"), key=lambda e: e.start)
        self.steps = [(e.start, e.end, int(e.name.split("#")[1])) for e in self.marks]
        self.serving = [] if self.marks else serving_steps(self.events)
        marks = set(self.marks)
        self.host = [e for e in self.events if not DEVICE.fullmatch(e.category) and not OTHER.fullmatch(e.category) and e not in marks]
        self.launch = {}
        for e in self.events:
            link = e.number("correlation")
            if CALL.fullmatch(e.category) and link and (link not in self.launch or e.start < self.launch[link].start):
                self.launch[link] = e
        if self.serving:
            self.find_serving_steps()
        self.find_passes()

    def find_serving_steps(self):
        """Where more than a fifth of what a mark launches runs after it, it is only the launch: such steps are from start to start."""
        starts, all_work, after = [e.start for e in self.serving], 0, 0
        for event in self.events:
            launch = self.launch.get(event.number("correlation")) if DEVICE.fullmatch(event.category) else None
            i = bisect.bisect_right(starts, launch.start) - 1 if launch else -1
            if i >= 0 and launch.start < self.serving[i].end:
                all_work += event.duration
                after += max(0, event.end - max(event.start, self.serving[i].end))
        ends = starts[1:] + [math.inf] if 5 * after > all_work else [e.end for e in self.serving]
        self.steps = [(start, end, i) for i, (start, end) in enumerate(zip(starts, ends))]

    def step(self, time):
        if not self.steps:
            return ""
        i = bisect.bisect_right(self.steps, (time, float("inf"), 0)) - 1
        return self.steps[i][2] if i >= 0 and time < self.steps[i][1] else None

    # ---- the forward and the backward pass ----

    def find_passes(self):
        """Ops with a number in the sequence of autograd: those of the backward pass name the thread of the forward pass."""
        numbered = [e for e in self.host if str(e.args.get("Sequence number", "")).isdigit() and e.category != "python_function"
                    and not CALL.fullmatch(e.category)]
        self.backward = Threads([e for e in numbered if e.number("Fwd thread id") > 0])
        self.forward = collections.defaultdict(list)
        for e in sorted(numbered, key=lambda e: e.start):
            if e.number("Fwd thread id") == 0:
                self.forward[e.process, e.number("Sequence number")].append(e)

    def forward_of(self, event):
        """The op that made the function of the backward pass: the last before it with its number; None where threads share the number."""
        before = [e for e in self.forward[event.process, event.number("Sequence number")] if e.start < event.start]
        return before[-1] if before and len({e.thread for e in before}) == 1 else None

    def passes_around(self, thread, time):
        return [e for e in self.backward.around(thread, time) if self.forward_of(e)]

    def around(self, threads, by, thread, time, event=None):
        """Lists of labels that are open, of the innermost first; of modules and frames those of the forward op first."""
        labels = [e for e in threads.around(thread, time, event is not None) if event is None or is_before(e, event)]
        if not by.startswith(("module", "stack")):
            return [labels]
        lists = []
        for backward in self.passes_around(thread, time):
            if event is not None and not is_before(backward, event):
                continue
            lists.append([e for e in labels if not is_before(e, backward)] + self.chain(threads, backward))
            labels = [e for e in labels if is_before(e, backward)]
        return [own for own in lists + [labels] if own]

    def chain(self, threads, backward):
        """Labels around the forward op; where that ran in a backward pass (recomputed) those in it, and those of its own forward op."""
        forward = self.forward_of(backward)
        labels = threads.around(forward.thread, forward.start)
        outer = self.backward.around(forward.thread, forward.start)
        if not outer:
            return labels
        inner = [e for e in labels if not is_before(e, outer[0])]
        return inner + (self.chain(threads, outer[0]) if self.forward_of(outer[0]) else [])
