import { describe, expect, test } from "vitest";
import { relayouts } from "../src/index.js";

describe("copies from layout to layout", () => {
  const all = relayouts();

  test("have names and sizes of their own, and move as many bytes out as in", () => {
    expect(new Set(all.map(({ name, size }) => `${name}, ${size}`)).size).toBe(all.length);
    for (const { name, source, target } of all) expect(source.sizeBytes, name).toBe(target.sizeBytes);
  });

  test("are moved by their loops: as many elements as the layouts have bytes", () => {
    for (const { name, source, loop } of all)
      if (loop !== undefined) expect(loop.outer * loop.inner * loop.bytes, name).toBe(source.sizeBytes);
  });
});
