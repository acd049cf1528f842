import * as fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "../../src/container/crc-32.js";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (unit) => unit.charCodeAt(0));

it("is the CRC-32 of IEEE 802.3: the check value of its catalogue entry", () => {
  expect(crc32(ascii("123456789"))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
});

it("continues: the CRC of the parts is that of the whole", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      expect(crc32(b, crc32(a))).toBe(crc32(Uint8Array.of(...a, ...b)));
    }),
  );
});
