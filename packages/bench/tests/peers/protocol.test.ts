import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeLine, encodeLine } from "../../src/peers/protocol.js";

const anyLine = fc.string().filter((text) => !/[\r\n]/.test(text) && !text.includes("@stowage "));

test("an answer comes through whatever a library printed before it on the same line", () => {
  fc.assert(
    fc.property(anyLine, fc.record({ sha256: fc.string(), ns: fc.integer() }), (printed, message) => {
      const [line] = `${printed}${encodeLine(message)}`.split("\n");
      expect(decodeLine(line ?? "")).toEqual({ printed, message });
    }),
  );
});

test("a line without our mark is a library's", () => {
  fc.assert(
    fc.property(anyLine, (printed) => {
      expect(decodeLine(printed)).toEqual({ printed });
    }),
  );
});
