"""Finds the Python that tests run in: one that has the modules they need, and that the extension was built for."""
import os
import pathlib
import sys

SKIP = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("TESTED_BUILD", ROOT / "build"))


def need(*modules):
    """Ends the test with 77 if a module is missing; BANYAN_TEST_PYTHON names another Python of the same version."""
    other = os.environ.pop("BANYAN_TEST_PYTHON", None)
    os.environ["PYTHONPATH"] = str(BUILD / "python")
    if other:
        os.execv(other, [other, *sys.argv])
    sys.path.insert(0, str(BUILD / "python"))
    if not list((BUILD / "python" / "banyan").glob("_engine*.so")):
        print("the Python extension was not built (python3-dev)")
        sys.exit(SKIP)
    for module in ("banyan", *modules):
        try:
            __import__(module)
        except ImportError as error:
            print(f"{error}; BANYAN_TEST_PYTHON may name another Python {sys.version_info[0]}.{sys.version_info[1]}")
            sys.exit(SKIP)
