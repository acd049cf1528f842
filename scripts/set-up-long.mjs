// Installs what only `npm run test:long` needs, each row for the tests that its comment names.
import { existsSync } from "node:fs";
import { installMissing, hasProgram } from "./install-missing.mjs";
import "./set-up-mpi.mjs";

const TOOLS = [
  // asm-x64: every row is what GNU as makes of its text.
  { name: "GNU binutils", isInstalled: hasProgram("as"), packages: ["binutils"] },
  // backend-x64: an artifact in a C program; mpi-abi: libraries that are no MPI.
  { name: "a C compiler", isInstalled: hasProgram("gcc"), packages: ["gcc", "libc6-dev"] },
  // engine: a pack in a page of a headless browser.
  { name: "Chromium", isInstalled: hasProgram("chromium"), packages: ["chromium"] },
  // conformance: documents of datatypes out of a running mpi4py.
  { name: "mpi4py", isInstalled: existsSync("/usr/lib/python3/dist-packages/mpi4py"), packages: ["python3-mpi4py"] },
];

installMissing(TOOLS, "tests that need it are skipped");
