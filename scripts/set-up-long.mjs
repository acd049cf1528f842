// Installs what only `npm run test:long` needs, each row for the tests that its comment names.
import { existsSync } from "node:fs";
import { hasLibrary, hasProgram, installMissing } from "./install-missing.mjs";
import "./set-up-mpi.mjs";

const TOOLS = [
  // asm-x64: every row is what GNU as makes of its text.
  { name: "GNU binutils", isInstalled: hasProgram("as"), packages: ["binutils"] },
  // backend-x64: an artifact in a C program; mpi-abi: libraries that are no MPI.
  { name: "a C compiler", isInstalled: hasProgram("gcc"), packages: ["gcc", "libc6-dev"] },
  // compile: objects linked by another linker, Fortran's modules, a build by CMake, a NumPy array packed.
  { name: "clang and lld", isInstalled: hasProgram("ld.lld"), packages: ["clang", "lld"] },
  { name: "mold", isInstalled: hasProgram("mold"), packages: ["mold"] },
  { name: "musl", isInstalled: hasProgram("musl-gcc"), packages: ["musl-tools"] },
  // compile: objects as debuggers, profilers and the checks of distributions see them.
  { name: "elfutils", isInstalled: hasProgram("eu-elflint"), packages: ["elfutils"] },
  { name: "dwz and debugedit", isInstalled: hasProgram("debugedit"), packages: ["dwz", "debugedit"] },
  { name: "gdb", isInstalled: hasProgram("gdb"), packages: ["gdb"] },
  { name: "perf", isInstalled: hasProgram("perf"), packages: ["linux-perf"] },
  { name: "libunwind", isInstalled: existsSync("/usr/include/libunwind.h"), packages: ["libunwind-dev"] },
  { name: "gfortran", isInstalled: hasProgram("gfortran"), packages: ["gfortran"] },
  { name: "CMake", isInstalled: hasProgram("cmake"), packages: ["cmake", "make"] },
  { name: "NumPy", isInstalled: existsSync("/usr/lib/python3/dist-packages/numpy"), packages: ["python3-numpy"] },
  // libstowage: memory as valgrind sees it; lab: instructions that callgrind counts.
  { name: "valgrind", isInstalled: hasProgram("valgrind"), packages: ["valgrind"] },
  // engine: a pack in a page of a headless browser.
  { name: "Chromium", isInstalled: hasProgram("chromium"), packages: ["chromium"] },
  // conformance: documents of datatypes out of a running mpi4py.
  { name: "mpi4py", isInstalled: existsSync("/usr/lib/python3/dist-packages/mpi4py"), packages: ["python3-mpi4py"] },
  // interposer: programs that know nothing of us.
  {
    name: "ScaLAPACK's tests",
    isInstalled: existsSync("/usr/lib/x86_64-linux-gnu/scalapack"),
    packages: ["scalapack-mpi-test"],
  },
  {
    name: "mpi4py-fft",
    isInstalled: existsSync("/usr/lib/python3/dist-packages/mpi4py_fft"),
    packages: ["python3-mpi4py-fft"],
  },
  {
    name: "h5py on MPI",
    isInstalled: existsSync("/usr/lib/python3/dist-packages/h5py"),
    packages: ["python3-h5py-mpi"],
  },
  { name: "PnetCDF", isInstalled: existsSync("/usr/include/pnetcdf.h"), packages: ["libpnetcdf-dev"] },
  { name: "HPC Challenge", isInstalled: hasProgram("hpcc"), packages: ["hpcc"] },
  // interposer: a site's module file; hosts that SSH leads to; clusters of such hosts; a rootless container.
  { name: "Lmod", isInstalled: existsSync("/etc/profile.d/lmod.sh"), packages: ["lmod"] },
  { name: "an SSH server", isInstalled: existsSync("/usr/sbin/sshd"), packages: ["openssh-server", "iproute2"] },
  { name: "Slurm", isInstalled: hasProgram("slurmctld"), packages: ["slurm-wlm"] },
  { name: "bubblewrap", isInstalled: hasProgram("bwrap"), packages: ["bubblewrap"] },
  // llvm, backend-llvm: the newest and the oldest library that Debian has, cross compilers, and emulators to run what
  // they make.
  {
    name: "LLVM",
    isInstalled: hasLibrary("libLLVM-15.so.1") && hasLibrary("libLLVM.so.19.1"),
    packages: ["libllvm15", "libllvm19"],
  },
  { name: "QEMU's user mode", isInstalled: hasProgram("qemu-aarch64"), packages: ["qemu-user"] },
  {
    name: "GCC for AArch64",
    isInstalled: hasProgram("aarch64-linux-gnu-gcc"),
    packages: ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
  },
  {
    name: "GCC for RISC-V",
    isInstalled: hasProgram("riscv64-linux-gnu-gcc"),
    packages: ["gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross"],
  },
];

installMissing(TOOLS, "tests that need it are skipped");
