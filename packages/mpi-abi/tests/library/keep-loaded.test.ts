import koffi from "koffi";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { keepLoaded } from "../../src/library/keep-loaded.js";

/** A library of the C library's own that nothing else loads. */
const LIBRARY = "libBrokenLocale.so.1";
const isMapped = (): boolean => readFileSync("/proc/self/maps", "utf8").includes(LIBRARY);

test("a library that is kept stays where its last user unloads it", () => {
  koffi.load(LIBRARY).unload();
  expect(isMapped()).toBe(false);
  const library = koffi.load(LIBRARY);
  keepLoaded(LIBRARY);
  library.unload();
  expect(isMapped()).toBe(true);
});
