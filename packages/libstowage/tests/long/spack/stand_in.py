"""Runs the recipe as Spack would: stand_in.py RECIPE SOURCE PREFIX MPICC. Of Spack's package API it has what the recipe
uses, by the packaging guide, and no more: another name fails. `npm` is not run, since the source is a built checkout."""

import contextlib
import os
import subprocess
import sys
import types

recipe, source, prefix, mpicc = sys.argv[1:]
after_install, facts, conditions = [], [], []


def call(words, environment=None):
    subprocess.run(words, check=True, env={**os.environ, **(environment or {})})


def which(name, required=False):
    def run(*words, extra_env=None):
        facts.append(" ".join([name, *words[:3]]))
        if name != "npm":
            call([name, *words], extra_env)

    return run


@contextlib.contextmanager
def working_dir(path):
    before = os.getcwd()
    os.chdir(path)
    yield
    os.chdir(before)


@contextlib.contextmanager
def when(condition):
    conditions.append(condition)
    yield
    conditions.pop()


def directive(name):
    def of(*words, **options):
        facts.append(f"{name} {words[0]} {options.get('when', ''.join(conditions))}".strip())

    return of


def run_after(phase, when=None):
    assert phase == "install"
    return lambda method: after_install.append(method) or method


class CMakePackage:
    spec = {"mpi": types.SimpleNamespace(mpicc=mpicc)}
    prefix, run_tests = prefix, False
    stage = types.SimpleNamespace(source_path=source, path=os.path.join(prefix, "..", "stage"))

    def define(self, name, value):
        return f"-D{name}={'ON' if value else 'OFF'}"


package = types.ModuleType("spack.package")
for name in ("license", "version", "variant", "depends_on"):
    setattr(package, name, directive(name))
for each in (CMakePackage, run_after, when, which, working_dir):
    setattr(package, each.__name__, each)
package.join_path = os.path.join
package.__all__ = [name for name in vars(package) if not name.startswith("_")]
sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), package

namespace = {}
exec(compile(open(recipe).read(), recipe, "exec"), namespace)
made = namespace["Stowage"]()
build = os.path.join(made.stage.path, "build")
call(["cmake", "-S", os.path.join(source, made.root_cmakelists_dir), "-B", build, f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib"] + made.cmake_args())
call(["cmake", "--build", build])
call(["cmake", "--install", build])
for method in after_install:
    method(made)
print("\n".join(f"fact: {each}" for each in facts))
