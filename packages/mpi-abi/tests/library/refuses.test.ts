import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findMpis, loadMpi } from "../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "stowage-mpi-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A shared library that describes itself as given; undefined where there is no C compiler. */
function library(name: string, description: string): string | undefined {
  const source = join(folder, `${name}.c`);
  const path = join(folder, name);
  const text = JSON.stringify(description);
  writeFileSync(
    source,
    `int MPI_Get_library_version(char *s, int *n) { *n = __builtin_sprintf(s, "%s", ${text}); return 0; }`,
  );
  return spawnSync("cc", ["-shared", "-fPIC", "-o", path, source]).status === 0 ? path : undefined;
}

describe("a library that cannot serve is refused in one line", () => {
  it("where there is no such file", () => {
    expect(() => loadMpi("/no/such/libmpi.so")).toThrow(
      /^\/no\/such\/libmpi\.so: expected an MPI library, got no such file$/,
    );
  });

  it("where it is no library", () => {
    const path = join(folder, "text.so");
    writeFileSync(path, "no library\n");
    expect(() => loadMpi(path)).toThrow(/^\S+text\.so: expected an MPI library, got [^\n]+$/);
  });

  const foreign = library("libmpi.so.40", "Frontier MPI 1.0\nsecond line");
  it.skipIf(foreign === undefined)("where it is of another ABI (needs a C compiler)", () => {
    expect(() => loadMpi(foreign)).toThrow(/^\S+libmpi\.so\.40: expected Open MPI or MPICH, got "Frontier MPI 1\.0"$/);
  });

  const nameless = library("libmpich.so.13", "MPICH Version:\t5.0.0");
  it.skipIf(nameless === undefined)("where it has the ABI of neither, whatever it says (needs a C compiler)", () => {
    expect(() => loadMpi(nameless)).toThrow(
      /expected the ABI of "MPICH Version:\\t5\.0\.0", with MPIR_Dup_fn, or the standard's, got neither$/,
    );
  });

  const silent = library("libnone.so", "");
  it.skipIf(silent === undefined)("where it is an MPI that says nothing of itself (needs a C compiler)", () => {
    expect(() => loadMpi(silent)).toThrow(/expected Open MPI or MPICH, got ""$/);
  });

  it("where it is a library, but no MPI", () => {
    const [libm] = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"].flatMap(
      (path) => (spawnSync("test", ["-e", path]).status === 0 ? [path] : []),
    );
    expect(libm).toBeDefined();
    expect(() => loadMpi(libm)).toThrow(
      /libm\S*: expected an MPI library, got one that has no MPI_Get_library_version$/,
    );
  });
});

describe("STOWAGE_MPI", () => {
  it("names the libraries, links resolved, each once", () => {
    expect(findMpis({ STOWAGE_MPI: `${process.execPath}:${process.execPath}` })).toEqual([
      expect.stringContaining("node"),
    ]);
  });

  it("is refused where it names nothing", () => {
    expect(() => findMpis({ STOWAGE_MPI: "/no/such/libmpi.so" })).toThrow(
      /^STOWAGE_MPI: expected the path of an MPI library, got \/no\/such\/libmpi\.so, which is not there$/,
    );
  });

  it("is not needed: a library in the loader's path is found", () => {
    writeFileSync(join(folder, "libmpich.so.12"), "");
    expect(findMpis({ LD_LIBRARY_PATH: folder })).toContain(join(folder, "libmpich.so.12"));
  });
});
