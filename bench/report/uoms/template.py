"""Pages from the templates in this folder: values are escaped, except for pictures and the style sheet."""

import importlib.resources

import jinja2

HERE = importlib.resources.files(__package__)


def _read(name):
    return HERE.joinpath(name).read_text(encoding="utf-8")


def render(name, **values):
    """The page as text; a name in the template without a value is an error."""
    pages = jinja2.Environment(loader=jinja2.FunctionLoader(_read), autoescape=True, undefined=jinja2.StrictUndefined,
                               trim_blocks=True, lstrip_blocks=True)
    return pages.get_template(name).render(css=_read("page.css"), **values)
