"""Measured parts of pages: what lies between two marks is written by a command, the rest by hand."""

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def replace(text, measured):
    """text with what lies between the marks replaced; at its end if there are none."""
    block = f"{BEGIN}\n{measured}\n{END}"
    if BEGIN not in text or END not in text:
        return f"{text.rstrip()}\n\n{block}\n"
    return text[: text.index(BEGIN)] + block + text[text.index(END) + len(END) :]


def rows(head, lines):
    """A table: names of columns, and a list of texts for each row"""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])
