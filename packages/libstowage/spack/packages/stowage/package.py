# Copyright the Stowage authors. SPDX-License-Identifier: Apache-2.0
"""Spack's recipe: `spack repo add packages/libstowage/spack`, then `spack install stowage ^openmpi`."""

from spack.package import *


class Stowage(CMakePackage):
    """MPI derived datatypes packed and unpacked fast: a C library, and a library that is preloaded into unmodified
    MPI programs (stowage-exec ./app)."""

    homepage = "https://github.com/stowage/stowage"
    git = "https://github.com/stowage/stowage.git"

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Build what is preloaded into programs of this MPI, and stowage-exec")

    depends_on("c", type="build")
    depends_on("cmake@3.16:", type="build")
    with when("+mpi"):
        depends_on("mpi")
        depends_on("node-js@20.19:", type="build")
        depends_on("npm", type="build")

    root_cmakelists_dir = "packages/libstowage"

    def cmake_args(self):
        return [self.define("BUILD_TESTING", self.run_tests)]

    @run_after("install", when="+mpi")
    def install_for_programs(self):
        """Fills lib and bin as `stowage cache export` does for a site; compute nodes need no Node."""
        stowage = join_path("packages", "cli", "bin", "stowage.js")
        with working_dir(self.stage.source_path):
            npm, node = which("npm", required=True), which("node", required=True)
            # Spack's npm keeps what it downloads in the prefix.
            npm("ci", "--cache", join_path(self.stage.path, "npm-cache"))
            npm("run", "build")
            built = join_path(self.stage.path, "built")
            folders = {"STOWAGE_CACHE": join_path(built, "code"), "STOWAGE_INTERPOSER": join_path(built, "lib")}
            node(stowage, "interposer", "build", "--mpicc", self.spec["mpi"].mpicc, extra_env=folders)
            node(stowage, "cache", "export", str(self.prefix), extra_env=folders)
