"""Draws the machine: nested boxes, with the threads where they were bound."""

from . import files
from .drawing import picture, shape

SHOWN = ("Machine", "Package", "Die", "L3Cache", "L2Cache", "L1Cache", "Core", "PU")
PAD, LINE, PU_WIDTH, PU_HEIGHT = 7, 15, 44, 34


def _flat_tree(processors):
    """A tree of packages and processors from the list in /sys, if there was no hwloc."""
    packages = {}
    for cpu in processors:
        packages.setdefault(cpu["package"], []).append({"type": "PU", "index": cpu["number"]})
    return {
        "type": "Machine",
        "children": [
            {"type": "Package", "index": number, "children": cpus} for number, cpus in sorted(packages.items())
        ],
    }


def _threads_by_cpu(context):
    """Processor -> threads bound to it alone"""
    found = {}
    for thread, mask in enumerate(context["affinity"]):
        if mask.isdigit():
            found.setdefault(int(mask), []).append(thread)
    return found


def _caption(node):
    names = {"L3Cache": "L3", "L2Cache": "L2", "L1Cache": "L1", "PU": "CPU"}
    text = names.get(node["type"], node["type"])
    if node["type"] in ("Package", "PU", "Core", "Die") and "index" in node:
        text += f" {node['index']}"
    if node.get("bytes"):
        text += f" {files.size_text(node['bytes'])}"
    for memory in node.get("memory", []):
        text += f", NUMA {memory.get('index', 0)}: {memory['bytes'] / 2**30:.0f} GiB"
    return text


class _Box:
    """A laid-out node: its size, and how to draw it at a place"""

    def __init__(self, node, threads, most_columns):
        self.node, self.threads = node, threads
        children = [child for child in node.get("children", [])]
        while len(children) == 1 and children[0]["type"] not in SHOWN:
            children = children[0].get("children", [])
        self.is_leaf = node["type"] == "PU"
        self.boxes = [_Box(child, threads, most_columns) for child in children]
        self.columns = min(len(self.boxes), most_columns) if self.boxes else 0
        self._measure()

    def _measure(self):
        if self.is_leaf:
            self.width, self.height = PU_WIDTH, PU_HEIGHT
            return
        rows = [self.boxes[i : i + self.columns] for i in range(0, len(self.boxes), self.columns or 1)]
        self.rows = rows
        caption_width = 5.6 * len(_caption(self.node)) + 2 * PAD
        inner = max((sum(box.width for box in row) + PAD * (len(row) - 1) for row in rows), default=0)
        self.width = max(inner + 2 * PAD, caption_width)
        self.height = LINE + PAD + sum(max(box.height for box in row) + PAD for row in rows)

    def write(self, x, y, depth, out):
        kind = "pu" if self.is_leaf else f"level-{min(depth, 4)}"
        out.append(shape("rect", class_=kind, x=x, y=y, width=self.width, height=self.height, rx=3))
        text = _caption(self.node)
        if self.is_leaf:
            threads = ",".join(str(thread) for thread in self.threads.get(self.node.get("index"), []))
            middle = x + self.width / 2
            out.append(shape("text", text, x=middle, y=y + 14, text_anchor="middle"))
            if threads:
                out.append(shape("text", f"T {threads}", class_="bound", x=middle, y=y + 28, text_anchor="middle"))
            return
        out.append(shape("text", text, x=x + PAD, y=y + 13))
        top = y + LINE + 3
        for row in self.rows:
            left = x + PAD
            for box in row:
                box.write(left, top, depth + 1, out)
                left += box.width + PAD
            top += max(box.height for box in row) + PAD


def draw(context):
    """SVG of the machine of a context, as text for the page."""
    machine = context["machine"]
    tree = machine.get("tree") or _flat_tree(machine["processors"])
    box = _Box(tree, _threads_by_cpu(context), 8)
    out = []
    box.write(1, 1, 0, out)
    width, height = box.width + 2, box.height + 2
    return picture(width, height, out, "Packages, caches and processors, with bound threads",
                   **{"class": "machine", "style": f"max-width:{width * 1.3:.0f}px"})
