import { describe, expect, it } from "vitest";
import { Staging } from "../../src/message/place/staging.js";

/** Staging of at most 64 KiB that is kept, and the sizes that it allocated and freed. */
function counted() {
  const [made, freed]: [number[], number[]] = [[], []];
  const staging = new Staging((sizeBytes, home) => {
    made.push(sizeBytes);
    const bytes = new Uint8Array(0);
    const free = (): void => void freed.push(sizeBytes);
    return { sizeBytes, address: 0, memory: bytes, bytes, ints: new Int32Array(0), home, free };
  }, 65_536);
  return { staging, made, freed };
}

describe("staging", () => {
  it("serves the next message of a size class from what was given back", () => {
    const { staging, made } = counted();
    staging.give(staging.take(5000));
    expect(staging.holds(8192)).toBe(true);
    staging.give(staging.take(8000));
    expect(made).toEqual([8192]);
  });

  it("lets go of other sizes where what is given back would not fit", () => {
    const { staging, made, freed } = counted();
    [4096, 16_384, 32_768].map((bytes) => staging.take(bytes)).forEach((each) => staging.give(each));
    staging.give(staging.take(65_536));
    expect(freed).toEqual([4096, 16_384, 32_768]);
    staging.give(staging.take(65_536));
    expect(made).toEqual([4096, 16_384, 32_768, 65_536]);
  });

  it("keeps no more than its limit", () => {
    const { staging, freed } = counted();
    staging.give(staging.take(4096));
    staging.give(staging.take(65_537));
    expect(freed).toEqual([131_072]);
    const both = [staging.take(65_536), staging.take(65_536)];
    both.forEach((each) => staging.give(each));
    expect(freed).toEqual([131_072, 4096, 65_536]);
    expect(staging.holds(65_536)).toBe(true);
  });
});
