#!/usr/bin/env python3
"""The programs of docs/python.md run: each by itself, and those that join a launcher's team with three processes.

    manual_test.py [torch]      only those that need torch, instead of all others
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import interpreter

WITH_TORCH = sys.argv[1:] == ["torch"]
interpreter.need("numpy", *(["torch"] if WITH_TORCH else []))


def main():
    programs = re.findall(r"```python\n(.*?)```", (interpreter.ROOT / "docs" / "python.md").read_text(), re.S)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(programs):
            if ("torch" in text) != WITH_TORCH:
                continue
            program = Path(folder) / f"program_{number}.py"
            program.write_text(text)
            commands = [[sys.executable, str(program)]]
            if "banyan.join()" in text:
                commands.append([str(interpreter.BUILD / "bin" / "upcrun"), "-n", "3", *commands[0]])
            for command in commands:
                ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
                print(f"program {number + 1}, {Path(command[0]).name}: status {ended.returncode}")
                if ended.returncode != 0:
                    print(ended.stdout, ended.stderr)
                    failed += 1
    return 1 if failed or len(programs) < 4 else 0


if __name__ == "__main__":
    sys.exit(main())
