"""Drawings of rectangles, lines and texts, as SVG in the colours of the page."""

from xml.etree import ElementTree


def shape(kind, content=None, title=None, children=(), **attributes):
    """An SVG element.  Numbers are written with one decimal; class_ and fill_opacity stand for class and fill-opacity.
    """
    made = ElementTree.Element(kind, {
        name.rstrip("_").replace("_", "-"): f"{value:.1f}" if isinstance(value, (int, float)) else value
        for name, value in attributes.items()
    })
    if title is not None:
        ElementTree.SubElement(made, "title").text = str(title)
    made.text = None if content is None else str(content)
    made.extend(children)
    return made


def picture(width, height, children, label, **attributes):
    """The text of a drawing of the given size"""
    drawn = ElementTree.Element("svg", {**attributes, "viewBox": f"0 0 {width:.0f} {height:.0f}", "role": "img",
                                        "aria-label": label})
    drawn.extend(children)
    return ElementTree.tostring(drawn, encoding="unicode")
