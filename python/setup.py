"""Builds the extension for an installed libbanyan-team, found by pkg-config or in BANYAN_PREFIX, and of its version."""
import glob
import os
import shlex
import subprocess
import sys

from setuptools import Extension, setup


def installed():
    """The folders of headers and library, and the version; pkg-config quotes them for a shell."""
    environment = dict(os.environ)
    prefix = environment.get("BANYAN_PREFIX")
    if prefix:
        environment["PKG_CONFIG_PATH"] = os.path.join(prefix, "lib", "pkgconfig")
    ask = ["pkg-config", "--variable=includedir", "--variable=libdir", "--modversion"]
    try:
        said = [shlex.split(subprocess.run([ask[0], question, "banyan-team"], check=True, capture_output=True,
                                           text=True, env=environment).stdout)[0] for question in ask[1:]]
    except (OSError, subprocess.CalledProcessError):
        sys.exit("libbanyan-team is not found: install Banyan (make install) and pkg-config, and name Banyan's folder "
                 "by BANYAN_PREFIX, if it is not where pkg-config looks")
    return os.path.normpath(said[0]), os.path.normpath(said[1]), said[2]


include, library, version = installed()
# The licence is set here, since setuptools before and after 2025 differ in how pyproject.toml may state it.
setup(version=version,
      license="BSD-3-Clause",
      ext_modules=[Extension("banyan._engine", sorted(glob.glob("banyan/*.c")), depends=["banyan/_engine.h"],
                             define_macros=[("BN_VERSION", f'"{version}"')], include_dirs=[include],
                             library_dirs=[library], runtime_library_dirs=[library], libraries=["banyan-team"])])
