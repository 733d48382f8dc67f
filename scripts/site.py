# SPDX-License-Identifier: Apache-2.0
"""What mkdocs is told beyond mkdocs.yml, as its hooks; scripts/docs runs it.

Pages link as the repository browser wants it, to files outside docs/ too: these come along under project/, those in Markdown as
pages. UNKNOT_REFERENCES=FOLDER brings references of interfaces, FOLDER/PAGE/index.html for the page PAGE.md. The build fails where a
page is missing from the navigation, or where anything in the finished site, pictures and places within pages included, leads nowhere.
"""
import html.parser
import os
import pathlib
import posixpath
import re
import shutil
import tempfile
import urllib.parse

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ALONG = "project"  # folder of the site with files from outside docs/
REFERENCES = os.environ.get("UNKNOT_REFERENCES")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")

def root_of(config):
    return pathlib.Path(config["config_file_path"]).resolve().parent

def lies_at(source, link):
    """Path within the project of what `link` leads to, on the page that lies at `source` there; None for addresses."""
    if re.match(r"[a-z]+:", link) or link.startswith("/"):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))

def origin(uri, docs):
    """Path within the project of the page that the site has at `uri`."""
    return uri[len(ALONG) + 1:] if uri.startswith(ALONG + "/") else posixpath.join(docs, uri)

def heading_place(text, separator):
    """Name of a heading within its page, as the repository browser makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)

def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = heading_place
    return config

def on_files(files, config):
    """Adds the files outside docs/ that pages speak of, and what these speak of."""
    root, docs = root_of(config), os.path.relpath(config["docs_dir"], root_of(config))
    copies = config["unknot_copies"] = tempfile.mkdtemp()
    left, seen = [origin(page.src_uri, docs) for page in files.documentation_pages()], set()
    while left:
        source = left.pop()
        for link, _ in LINK.findall((root / source).read_text()):
            target = lies_at(source, link)
            if target is None or target in seen or target.startswith((docs + "/", "../")) or not (root / target).is_file():
                continue
            seen.add(target)
            place = pathlib.Path(copies, ALONG, target)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / target, place)
            files.append(File(f"{ALONG}/{target}", copies, config["site_dir"], config["use_directory_urls"]))
            if target.endswith(".md"):
                left.append(target)
    return files

def on_page_markdown(markdown, page, config, files):
    """Links as the site has them. What is a folder, or is not in the site, is not a link there."""
    root, docs = root_of(config), os.path.relpath(config["docs_dir"], root_of(config))
    here = page.file.src_uri

    def moved(match):
        target = lies_at(origin(here, docs), match[1])
        if target is None:
            return match[0]
        uri = target[len(docs) + 1:] if target.startswith(docs + "/") else f"{ALONG}/{target}"
        if files.get_file_from_path(uri) is None and (root / target).is_dir():
            return "]"  # brackets alone are text
        return f"]({posixpath.relpath(uri, posixpath.dirname(here) or '.')}{match[2] or ''})"

    markdown = LINK.sub(moved, markdown)
    name = here.removesuffix(".md")
    if REFERENCES and pathlib.Path(REFERENCES, name, "index.html").is_file():
        markdown += f'\n\n<a href="../reference/{name}/index.html">The reference of the whole interface</a>\n'
    return markdown

def on_nav(nav, config, files):
    """Refuses pages that no reader would find."""
    hidden = sorted(page.src_uri for page in files.documentation_pages() if page.page is None or page.page not in nav.pages)
    hidden = [page for page in hidden if not page.startswith(ALONG + "/")]
    if hidden:
        raise PluginError(f"not in the navigation of mkdocs.yml: {', '.join(hidden)}")

class Parts(html.parser.HTMLParser):
    """What a page of HTML leads to, and the places that others may lead to."""
    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.places.add(value)

def broken_links(site):
    """Sentences, one for each link of a site's pages that leads nowhere within it."""
    ours = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html" and site / "reference" not in path.parents]
    pages = {path: Parts(path.read_text()) for path in ours}
    found = []
    for path, parts in pages.items():
        for link in dict.fromkeys(parts.links):
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(address.path))) if address.path else path
            target = target / "index.html" if target.is_dir() else target
            place = urllib.parse.unquote(address.fragment)
            if not target.is_file():
                found.append(f"{path.relative_to(site)} leads to {link}, which is not there")
            elif place and target in pages and place not in pages[target].places:
                found.append(f"{path.relative_to(site)} leads to {link}, a place that the page does not have")
    return found

def on_post_build(config):
    shutil.rmtree(config["unknot_copies"])
    # Debian's theme has jQuery under the name of another version than its pages ask for.
    scripts = pathlib.Path(config["site_dir"], "js")
    wanted, there = scripts / "jquery-3.6.0.min.js", scripts / "jquery-2.1.1.min.js"
    if there.exists() and not wanted.exists():
        there.rename(wanted)
    if REFERENCES:
        shutil.copytree(REFERENCES, pathlib.Path(config["site_dir"], "reference"))
    found = broken_links(pathlib.Path(config["site_dir"]).resolve())
    if found:
        raise PluginError("\n".join(["the site has broken links:", *found]))
