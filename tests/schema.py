"""Validates JSON documents against a schema: schema.py SCHEMA FILE... Exit status 77: the jsonschema module is missing."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)
schema = json.load(open(sys.argv[1], encoding='utf-8'))
for path in sys.argv[2:]:
    document = json.load(open(path, encoding='utf-8'), parse_constant=lambda word: sys.exit(path + ': ' + word))
    problems = [e.message for e in jsonschema.Draft7Validator(schema).iter_errors(document)]
    print(path, len(document['rows']), 'rows', problems[:3] or 'valid')
    if problems:
        sys.exit(1)
