"""Each script once per page, and none that points to another host.

The theme's parts register some scripts twice (a second MathJax or a second `const` is an error in the
browser), and one of them names a public server for running cells in the browser, which this book does not
offer.
"""

from __future__ import annotations

from typing import Any

UNWANTED = ("thebe", "://")


def tidy(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    seen, kept = set(), []
    for script in context.get("script_files", []):
        name, body = str(getattr(script, "filename", script) or ""), script_body(script)
        key = (name.split("?")[0].removeprefix("_static/"), body)
        if key in seen or any(word in f"{name} {body}".lower() for word in UNWANTED):
            continue
        seen.add(key)
        kept.append(script)
    context["script_files"] = kept


def script_body(script: Any) -> str:
    return str(getattr(script, "attributes", {}).get("body") or "")


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", tidy, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
