"""Pages from the templates beside this file: what stands in them is escaped, but for pictures and the style sheet."""

import importlib.resources

import jinja2

HERE = importlib.resources.files(__package__)


def _read(name):
    return HERE.joinpath(name).read_text(encoding="utf-8")


def render(name, **values):
    """The page as a text; a name that a template has and nobody gives is an error."""
    pages = jinja2.Environment(loader=jinja2.FunctionLoader(_read), autoescape=True, undefined=jinja2.StrictUndefined,
                               trim_blocks=True, lstrip_blocks=True)
    return pages.get_template(name).render(css=_read("page.css"), **values)
