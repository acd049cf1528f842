import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { interposed } from "../../src/run/run-environment.js";

const LIBRARY = "/lib/libstowage.so";
const LIST = "openmpi=/lib/a.so:mpich=/lib/b.so";
const loaded = [
  { preloaded: LIBRARY, libraries: ["/lib/a.so", "/lib/b.so"], variable: ["STOWAGE_LIBRARIES", LIST] },
] as const;
const openMpi = { isOpenMpi: true, family: "openmpi", compilers: [] } as const;
const other = { ...openMpi, isOpenMpi: false } as const;
const words = ["mpirun", "-n", "2", "./app", "-x", "own"];
const cache = { STOWAGE_CACHE: "/a:/b" };

test("ranks on other nodes get the variables from Open MPI's launcher by name, before the user's words", () => {
  const { words: got, environment } = interposed(words, openMpi, loaded, "/run/service", { verify: true }, cache);
  const names = ["LD_PRELOAD", "STOWAGE_LIBRARIES", "STOWAGE_CACHE", "STOWAGE_SERVICE", "STOWAGE_VERIFY"];
  expect(got).toEqual(["mpirun", ...names.flatMap((name) => ["-x", name]), ...words.slice(1)]);
  expect(environment).toEqual({
    LD_PRELOAD: LIBRARY,
    STOWAGE_LIBRARIES: LIST,
    STOWAGE_CACHE: "/a:/b",
    STOWAGE_SERVICE: "/run/service",
    STOWAGE_VERIFY: "1",
  });
});

test("what all ranks have to decide alike goes to those on other nodes too", () => {
  const before = { ...cache, STOWAGE_STAGED: "on", STOWAGE_EXCLUDE: "" };
  const { words: got, environment } = interposed(words, openMpi, loaded, undefined, {}, before);
  expect(got.filter((word) => word.startsWith("STOWAGE_")).toSorted()).toEqual([
    "STOWAGE_CACHE",
    "STOWAGE_LIBRARIES",
    "STOWAGE_STAGED",
  ]);
  expect(environment["STOWAGE_STAGED"]).toBe("on");
});

test("where the user has a list of Open MPI's, which refuses -x beside it, the names join that", () => {
  const before = { ...cache, OMPI_MCA_mca_base_env_list: "OWN=1" };
  const { words: got, environment } = interposed(words, openMpi, loaded, undefined, {}, before);
  expect(got).toEqual(words);
  expect(environment["OMPI_MCA_mca_base_env_list"]).toBe("OWN=1;LD_PRELOAD;STOWAGE_LIBRARIES;STOWAGE_CACHE");
});

test("other launchers pass the environment on; a profiler that was preloaded comes behind ours", () => {
  const before = { ...cache, LD_PRELOAD: "/lib/profiler.so" };
  const { words: got, environment } = interposed(words, other, loaded, undefined, { verbose: true }, before);
  expect(got).toEqual(words);
  expect(environment).toEqual({
    ...before,
    LD_PRELOAD: `${LIBRARY}:/lib/profiler.so`,
    STOWAGE_LIBRARIES: LIST,
    STOWAGE_VERBOSE: "1",
  });
});

test("ranks get the folder of recordings as an absolute path, made", () => {
  const record = join(tmpdir(), "..", tmpdir(), "stowage-recordings");
  const { environment } = interposed(words, other, loaded, undefined, { record }, cache);
  expect(environment["STOWAGE_RECORD"]).toMatch(/^\/[^.]*stowage-recordings$/);
});
