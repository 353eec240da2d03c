"""Measured parts of pages: what is between two marks is written by a command, the rest by hand."""

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def replace(text, measured):
    """Returns text with the part between the marks replaced; appended if there are no marks."""
    block = f"{BEGIN}\n{measured}\n{END}"
    if BEGIN not in text or END not in text:
        return f"{text.rstrip()}\n\n{block}\n"
    return text[: text.index(BEGIN)] + block + text[text.index(END) + len(END) :]


def rows(head, lines):
    """A Markdown table: names of columns, and a list of texts for each row"""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *lines])
