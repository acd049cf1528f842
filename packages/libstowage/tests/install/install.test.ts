import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileTypes } from "@stowage/compile";
import { predefined, vector } from "@stowage/ir";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const RUNTIME = fileURLToPath(new URL("../../../../runtime/", import.meta.url));
const USER = join(PACKAGE, "examples/user");
const LOAD = fileURLToPath(new URL("../../../compile/examples/artifact/load.c", import.meta.url));
/** All that a user needs: Node is not among it. */
const TOOLS =
  "cmake make gcc g++ gfortran pkg-config sh uname ld as ar ranlib objcopy nm cc c++ mv cp rm mkdir echo".split(" ");
const which = (name: string): string =>
  spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
const hasAll = TOOLS.every((name) => which(name) !== "");

const linesIn = (path: string): readonly string[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");

test("the list of symbols is what the headers declare", () => {
  const headers = [
    ...["stowage.h", "stowage_cuda.h"].map((name) => join(RUNTIME, name)),
    ...["stowage_types.h", "stowage_streams.h"].map((name) => join(PACKAGE, "include", name)),
  ];
  const declared = headers.flatMap((path) =>
    Array.from(readFileSync(path, "utf8").matchAll(/^(?!\s*\*|\/\*)[\w *]*?\b(stowage_\w+)\(/gm), ([, name]) => name),
  );
  expect(linesIn(join(PACKAGE, "stowage.symbols"))).toEqual([...new Set(declared)].toSorted());
});

test("every call has its place in a manual page", () => {
  const pages = [join(RUNTIME, "stowage.3"), join(PACKAGE, "man/stowage_types.3")].flatMap(linesIn);
  const named = new Set(pages.flatMap((line) => /^\.Nm (stowage_\w+)/.exec(line)?.[1] ?? []));
  const isOfGpus = (name: string): boolean => /^stowage_(cuda|gpu_(?!code))/.test(name);
  const all = linesIn(join(PACKAGE, "stowage.symbols")).filter((name) => !isOfGpus(name));
  expect(all.filter((name) => !named.has(name))).toEqual([]);
});

describe.runIf(hasAll)("installed under a prefix, in an environment without Node", () => {
  const folder = mkdtempSync(join(tmpdir(), "libstowage-install-"));
  const prefix = join(folder, "prefix");
  const path = join(folder, "bin");
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What a command says; throws that where it fails. */
  function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
    const env = { PATH: path, HOME: folder, ...more };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  const libraries = (): string =>
    ["lib", "lib64", ...readdirSync(join(prefix, "lib")).map((name) => `lib/${name}`)]
      .map((name) => join(prefix, name))
      .find((each) => existsSync(join(each, "libstowage.so"))) as string;

  /** What pkg-config says. */
  const asked = (...words: readonly string[]): readonly string[] =>
    run("pkg-config", [...words, "stowage"], { PKG_CONFIG_PATH: join(libraries(), "pkgconfig") })
      .trim()
      .split(" ");

  beforeAll(() => {
    mkdirSync(path);
    for (const name of TOOLS) symlinkSync(which(name), join(path, name));
    run("cmake", ["-S", PACKAGE, "-B", "build", `-DCMAKE_INSTALL_PREFIX=${prefix}`]);
    run("cmake", ["--build", "build"]);
    run("cmake", ["--install", "build"]);
  });

  test("the library has a SONAME, and needs libc alone", () => {
    const { stdout } = spawnSync("objdump", ["-p", join(libraries(), "libstowage.so.0")], { encoding: "utf8" });
    expect(stdout).toMatch(/SONAME +libstowage\.so\.0\n/);
    const needed = Array.from(stdout.matchAll(/NEEDED +(\S+)/g), ([, name = ""]) => name);
    expect(needed.filter((name) => !/^(libc\.so\.6|libdl\.so\.2|ld-linux.*)$/.test(name))).toEqual([]);
  });

  test("its own tests pass: an example on both libraries, and the names that they export", () => {
    const { stdout, stderr } = spawnSync("ctest", ["--test-dir", join(folder, "build")], { encoding: "utf8" });
    expect(stdout + stderr).toMatch(/100% tests passed/);
  });

  test("a user's CMake project of C, C++20 and Fortran finds it, and its programs run", () => {
    run("cmake", ["-S", USER, "-B", "user", `-DCMAKE_PREFIX_PATH=${prefix}`]);
    run("cmake", ["--build", "user"]);
    expect(["column", "halo", "plane"].map((name) => run(join(folder, "user", name), []).split("\n")[0])).toEqual([
      "libstowage 0.1.0: column 7 from 7 to 6307, 0 wrong",
      "320 bytes, 0 wrong",
      "plane: 64 values",
    ]);
  });

  test("so does pkg-config, against either library", () => {
    const column = join(USER, "column.c");
    run("gcc", [column, "-o", "dynamic", ...asked("--cflags", "--libs"), `-Wl,-rpath,${libraries()}`]);
    expect(run(join(folder, "dynamic"), [])).toMatch(/0 wrong/);
    run("gcc", ["-static", column, "-o", "fixed", ...asked("--cflags", "--libs", "--static")]);
    expect(run(join(folder, "fixed"), [])).toMatch(/0 wrong/);
    expect(asked("--modversion")).toEqual(["0.1.0"]);
  });

  test("a program over it loads and runs what stowage compile --language artifact writes", () => {
    const symbol = "column";
    const column = { symbol, datatype: vector(4, 1, 6, predefined("MPI_DOUBLE")) };
    for (const { ending, bytes } of compileTypes([column], { name: symbol, target: "multi", language: "artifact" }))
      writeFileSync(join(folder, `${symbol}${ending}`), bytes);
    run("gcc", [LOAD, "-o", "load", ...asked("--cflags", "--libs"), `-Wl,-rpath,${libraries()}`]);
    expect(run(join(folder, "load"), [symbol])).toBe("0 of 4 numbers are wrong\n");
  });

  test("each call has a manual page of its name", () => {
    expect(readdirSync(join(prefix, "share/man/man3"))).toEqual(
      expect.arrayContaining(["stowage.3", "stowage_types.3", "stowage_pack.3", "stowage_run.3"]),
    );
  });
});

describe.skipIf(hasAll)("CMake or a compiler is missing", () => {
  test("nothing was installed", () => expect(hasAll).toBe(false));
});
