from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Banyan(CMakePackage):
    """Unified Parallel C for today's machines: compiler, runtime, launcher, and collective operations for MPI."""

    license("BSD-3-Clause")

    # Built from the source tree that contains this recipe: spack dev-build banyan@main
    version("main", branch="main")

    variant("mpi", default=True, description="Collective operations for programs of the MPI that is chosen")
    variant("shmem", default=False, description="Programs on several machines, over Open MPI's OpenSHMEM")

    variant("report", default=False, description="What uoms-compare, uoms-report and others need of Python")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("hwloc@2.0:")
    depends_on("jansson")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("openmpi", when="+shmem")
    for library in ("py-jinja2@3.1:", "py-matplotlib@3.7:", "py-numpy@1.22:", "py-pandas@2.0:", "py-scipy@1.11:"):
        depends_on(library, type="run", when="+report")

    conflicts("%gcc@:10", msg="gcc 11 or newer compiles Banyan")
    conflicts("platform=darwin", msg="Banyan runs on Linux")

    generator("ninja")

    def cmake_args(self):
        wrapper = self.spec["mpi"].mpicc if self.spec.satisfies("+mpi") else "OFF"
        is_openmpi = self.spec.satisfies("+mpi ^openmpi")
        return [
            self.define("BANYAN_MPI_OPENMPI", wrapper if is_openmpi else "OFF"),
            self.define("BANYAN_MPI_MPICH", "OFF" if is_openmpi else wrapper),
            self.define("BANYAN_MPI_ABI", "OFF"),
            self.define_from_variant("BANYAN_SHMEM", "shmem"),
        ]
