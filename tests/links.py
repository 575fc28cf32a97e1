#!/usr/bin/env python3
"""Links of a site's pages: each file and each heading is there, and no page loads anything from elsewhere.

usage: links.py FOLDER    prints what is wrong; the last line counts pages and links
"""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.update(attrs[key] for key in ("id", "name") if attrs.get(key))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        elif tag in ("link", "script", "img", "iframe") and (attrs.get("href") or attrs.get("src")):
            self.loads.append(attrs.get("href") or attrs.get("src"))


def main(folder):
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.endswith(".html")]
    pages = {os.path.normpath(path): Page(path) for path in paths if os.path.basename(path) != "404.html"}
    wrong = count = 0
    for path, page in sorted(pages.items()):
        for link in page.links + page.loads:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loads and url.scheme != "data":
                    print(f"{path}: loads {link}")
                    wrong += 1
                continue
            count += 1
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            if os.path.isdir(target):
                target = os.path.join(target, "index.html")
            if not os.path.exists(target) or (url.fragment and target in pages and urllib.parse.unquote(url.fragment) not in pages[target].ids):
                print(f"{path}: no {link}")
                wrong += 1
    print(f"{len(pages)} pages, {count} links, {wrong} wrong")
    return 1 if wrong or not pages else 0


sys.exit(main(sys.argv[1]))
