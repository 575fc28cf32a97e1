"""OpenMetrics 1.0 text, read strictly by its grammar.

usage: openmetrics.py FILE...            prints families and samples of each; fails where the text is none
       openmetrics.py --peer FILE...     the same, and what PyPI's prometheus_client reads of it: the same
"""
import re
import sys

NAME = r'[a-zA-Z_:][a-zA-Z0-9_:]*'
ESCAPED = r'(?:[^\n"\\]|\\[n"\\])*'
DESCRIPTOR = re.compile(r'# (TYPE|UNIT|HELP) (%s) (%s)' % (NAME, ESCAPED))
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="(%s)"(,(?=.)|$)' % ESCAPED)
SAMPLE = re.compile(r'(%s)(?:\{(.*)\})? ([+-]?[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?)' % NAME)


def unescaped(text):
    return re.sub(r'\\(.)', lambda found: '\n' if found.group(1) == 'n' else found.group(1), text)


def labels_of(text):
    labels, at = {}, 0
    while at < len(text):
        found = LABEL.match(text, at)
        assert found and found.group(1) not in labels, text
        labels[found.group(1)] = unescaped(found.group(2))
        at = found.end()
    return labels


def read(data):
    """{family: ({TYPE, UNIT, HELP}, [(labels, value)])} of the bytes of a text."""
    text = data.decode('utf-8')
    assert text.endswith('# EOF\n') and '\r' not in text and '\0' not in text
    families, name = {}, None
    for line in text[:-len('# EOF\n')].split('\n')[:-1]:
        found = DESCRIPTOR.fullmatch(line)
        if found:
            key, name, value = found.groups()
            words, samples = families.setdefault(name, ({}, []))
            assert name == list(families)[-1] and not samples and key not in words, line  # whole, and before its samples
            words[key] = unescaped(value)
            continue
        found = SAMPLE.fullmatch(line)
        assert found and found.group(1) == name, line
        labels = labels_of(found.group(2) or '')
        assert all(labels != known for known, _ in families[name][1][-1:]), line
        families[name][1].append((labels, float(found.group(3))))
    for name, (words, samples) in families.items():
        assert words['TYPE'] == 'gauge' and samples, name
        assert 'UNIT' not in words or name.endswith('_' + words['UNIT']), name
        assert len({frozenset(labels.items()) for labels, _ in samples}) == len(samples), name
    return families


def of_peer(data):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
    return {family.name: ({key: value for key, value in (('TYPE', family.type), ('UNIT', family.unit), ('HELP', family.documentation)) if value},
                          [(sample.labels, sample.value) for sample in family.samples])
            for family in text_string_to_metric_families(data.decode('utf-8'))}


def main(words):
    peer = words[:1] == ['--peer']
    for path in words[peer:]:
        data = open(path, 'rb').read()
        families = read(data)
        assert not peer or families == of_peer(data), path
        print('%d families, %d samples' % (len(families), sum(len(samples) for _, samples in families.values())))


if __name__ == '__main__':
    main(sys.argv[1:])
