"""The JSON of comments, for comment.sh.

usage: comments.py body NAME <TEXT      the text with its mark, as the request that writes it
       comments.py find NAME SELF <LIST   of a page of comments: the number of the one with the mark,
                                        `none`, or `more` when the next page must be asked for
SELF is what the server says of the token's owner, {} where it does not say.
"""
import json
import re
import sys

PAGE = 100  # comments that a full page has


def mark(name):
    """The line that nobody sees; `--` would end it."""
    return "<!-- stepstat gate: %s -->" % re.sub(r"[^A-Za-z0-9_.]+", "-", name)[:60]


def is_own(comment, owner):
    """Others may write the mark, too; their comments are left alone. A job's token has no name, but is a bot."""
    author = comment.get("user") or comment.get("author") or {}
    login = owner.get("login") or owner.get("username")
    if login:
        return login in (author.get("login"), author.get("username"))
    return author.get("type") == "Bot"


def main():
    name = sys.argv[2]
    if sys.argv[1] == "body":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
        json.dump({"body": mark(name) + "\n" + text}, sys.stdout)
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        owner = json.load(file)
    comments = json.load(sys.stdin)
    for comment in comments:
        if (comment.get("body") or "").startswith(mark(name)) and is_own(comment, owner):
            print(int(comment["id"]))
            return
    print("none" if len(comments) < PAGE else "more")


main()
