import { expect, test } from "vitest";
import { murmur3 } from "../../src/type-key/murmur-3.js";

const hashOf = (text: string, seed: number): string =>
  Array.from(
    murmur3(
      Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
      seed,
    ),
    (word) => word.toString(16).padStart(8, "0"),
  ).join(" ");

// The vectors come from the reference implementation (smhasher), as published with its ports.
test.each([
  ["", 0, "00000000 00000000 00000000 00000000"],
  ["", 1, "88c4adec 54d201b9 54d201b9 54d201b9"],
  ["Hello, world!", 0x9747b28c, "756d5460 bb872216 b7d48b7c 53c8c636"],
])("MurmurHash3_x86_128 of %j with seed %i", (text, seed, expected) => {
  expect(hashOf(text, seed)).toBe(expected);
});
