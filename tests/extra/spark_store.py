"""1,000 traces in a store of objects, ten of which cannot be used: a report and ten issues, by Spark with a store of S3's calls on loopback.

usage: spark_store.py STEPSTAT TOP    with Python's pyspark, pyarrow and pandas, and Java 17; skipped where one of them is missing
"""
import csv
import gzip
import http.server
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import urllib.parse

from spark_cluster import modules_of, pandas, pyarrow, pyspark

STEPSTAT, TOP = (os.path.abspath(word) for word in sys.argv[1:3])
RANKS = 1000
DENIED, GONE, BUSY = b"403", b"404", b"503"
# What ten ranks have in place of a trace, and what their issue says.
BAD = {7: (DENIED, "ACCESS_DENIED"), 70: (DENIED, "ACCESS_DENIED"), 170: (GONE, "cannot open"), 270: (GONE, "cannot open"), 370: (b"", "empty"),
       470: (b"PK\3\4 no trace", ""), 570: (b"<html></html>", ""), 670: (gzip.compress(b"x" * 9999)[:20], ""), 770: (b"\0" * 99, ""), 870: (BUSY, "503")}


def trace(rank):
    events = []
    for step in range(3):
        start = 1000000 + 1000 * step
        events += [{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": start, "dur": 900},
                   {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": start + 1, "dur": 500 + rank % 7},
                   {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": start + 600, "dur": 100}]
    return json.dumps({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": RANKS}, "traceEvents": events}).encode()


OBJECTS = {"run 17/rank%d.json" % rank: BAD[rank][0] if rank in BAD else trace(rank) for rank in range(RANKS)}


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.reply(status, b"<Error><Code>%s</Code></Error>" % code, Content_Type="application/xml")

    def do_GET(self):
        path, _, query = self.path.partition("?")
        bucket, _, key = urllib.parse.unquote(path).lstrip("/").partition("/")
        words = dict(urllib.parse.parse_qsl(query))
        if "list-type" in words:
            found = sorted(name for name in OBJECTS if name.startswith(words.get("prefix", "")))
            lines = "".join("<Contents><Key>%s</Key><Size>%d</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>" %
                            (name, len(OBJECTS[name])) for name in found)
            self.reply(200, ("<ListBucketResult><Name>%s</Name><KeyCount>%d</KeyCount><IsTruncated>false</IsTruncated>%s</ListBucketResult>" %
                             (bucket, len(found), lines)).encode(), Content_Type="application/xml")
            return
        body = OBJECTS.get(key, GONE)
        if body in (DENIED, GONE, BUSY):
            self.refuse(int(body), {DENIED: b"AccessDenied", GONE: b"NoSuchKey", BUSY: b"SlowDown"}[body])
            return
        asked = re.match(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        size = len(body)
        if asked:
            body = body[int(asked[1]):int(asked[2]) + 1]
        self.reply(206 if asked else 200, body, ETag='"x"', Last_Modified="Thu, 01 Jan 2026 00:00:00 GMT",
                   Content_Length=str(len(body) if asked else size))

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


def main():
    folder = tempfile.mkdtemp(prefix="spark-store-")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
    modules_of(STEPSTAT, TOP, folder)
    from pyspark.sql import SparkSession
    from stepstat import spark
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.local.dir", folder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    uri = "s3a://anonymous@bucket/run 17?scheme=http&region=x&endpoint_override=127.0.0.1:%d" % server.server_port
    try:
        made = spark.report(session, uri, os.path.join(folder, "out"), job="(run) ")
        with open(os.path.join(made.out, "issues.csv"), newline="", encoding="utf-8") as file:
            issues = list(csv.DictReader(file))
        assert len(issues) == len(made.issues) == len(BAD), made.issues
        for issue in issues:
            rank = int(re.search("rank([0-9]+)", issue["path"])[1])
            assert BAD[rank][1] in issue["message"] and "Traceback" not in issue["message"] and "\n" not in issue["message"].split("hint:")[0].strip(), issue
        with open(os.path.join(made.out, "report.json"), encoding="utf-8") as file:
            document = json.load(file)
        assert "%d ranks" % (RANKS - len(BAD)) in " ".join(document["heading"]), document["heading"]
        want = sum(500 + rank % 7 for rank in range(RANKS) if rank not in BAD) / (RANKS - len(BAD))
        (row,) = [row for row in document["rows"] if row["op"] == "aten::mm"]
        assert abs(row["time_mean_us"] / want - 1) < 1e-9, (row, want)
        server.shutdown()
        server.server_close()
        try:
            spark.report(session, uri, os.path.join(folder, "none"))
            raise AssertionError("a store that is down")
        except spark.Error as error:
            assert "endpoint_override" in error.hint and not os.path.exists(os.path.join(folder, "none")), error
        print("ok: %d traces, %d issues, pandas %s, pyarrow %s, Spark %s" % (RANKS, len(issues), pandas.__version__, pyarrow.__version__, pyspark.__version__))
    finally:
        session.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
