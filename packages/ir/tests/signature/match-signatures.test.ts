import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contiguous,
  DatatypeError,
  matchSignatures,
  predefined,
  signatureOf,
  struct,
  type Datatype,
  type MessageSide,
} from "../../src/index.js";
import { anyDatatype } from "../datatype/any-datatype.js";
import { typeMap } from "../datatype/type-map.js";

const INT = predefined("MPI_INT");
const DOUBLE = predefined("MPI_DOUBLE");
const record = struct([1, 1], [0, 8], [DOUBLE, INT]);
const side = (datatype: Datatype, count = 1): MessageSide => ({ signature: signatureOf(datatype), count });
const reason = (sent: MessageSide, received: MessageSide): string | undefined => {
  const match = matchSignatures(sent, received);
  return match.ok ? undefined : match.reason;
};

test("a message matches any receive whose signature it is a prefix of", () => {
  const smallDatatype = anyDatatype().filter((type) => signatureOf(type).elements <= 200);
  const isPacked = (names: readonly string[]): boolean => names.length > 0 && names.every((n) => n === "MPI_PACKED");
  fc.assert(
    fc.property(smallDatatype, smallDatatype, fc.nat(4), fc.nat(4), (a, b, m, n) => {
      const sent = Array.from({ length: m }, () => typeMap(a).entries.map(({ basic }) => basic)).flat();
      const received = Array.from({ length: n }, () => typeMap(b).entries.map(({ basic }) => basic)).flat();
      fc.pre(!isPacked(sent) && !isPacked(received));
      const expected = sent.every((name, i) => received[i] === name);
      expect(matchSignatures(side(a, m), side(b, n)).ok).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test("the receiver may have room for more, even for part of an element", () => {
  expect(matchSignatures(side(record, 2), side(record, 3)).ok).toBe(true);
  expect(matchSignatures(side(DOUBLE), side(record)).ok).toBe(true);
  expect(matchSignatures(side(record, 5 * 2 ** 40), side(contiguous(5, record), 2 ** 40)).ok).toBe(true);
});

test("a message longer than the receive has room for is refused with both lengths", () => {
  expect(reason(side(INT, 5), side(INT, 4))).toBe("5 elements sent, room for 4");
});

test("a differing type is named with its place", () => {
  expect(reason(side(record, 1000), side(struct([1, 1], [0, 8], [record, contiguous(2, DOUBLE)]), 500))).toBe(
    "element 3: MPI_INT sent, MPI_DOUBLE received",
  );
  expect(reason(side(contiguous(2 ** 40, INT)), side(struct([2 ** 40 - 1, 1], [0, 0], [INT, DOUBLE])))).toBe(
    `element ${2 ** 40 - 1}: MPI_INT sent, MPI_DOUBLE received`,
  );
});

test("MPI_BYTE matches MPI_BYTE only", () => {
  const BYTE = predefined("MPI_BYTE");
  expect(matchSignatures(side(BYTE, 4), side(BYTE, 8)).ok).toBe(true);
  expect(reason(side(INT), side(BYTE, 4))).toBe("element 0: MPI_INT sent, MPI_BYTE received");
  expect(matchSignatures(side(BYTE, 4), side(INT)).ok).toBe(false);
});

test("MPI_PACKED matches anything that fits in bytes", () => {
  const PACKED = predefined("MPI_PACKED");
  expect(matchSignatures(side(record, 2), side(PACKED, 24)).ok).toBe(true);
  expect(matchSignatures(side(PACKED, 24), side(contiguous(2, record))).ok).toBe(true);
  expect(reason(side(record, 2), side(PACKED, 23))).toBe("24 bytes sent, room for 23");
  expect(matchSignatures(side(struct([1, 1], [0, 4], [PACKED, INT])), side(INT)).ok).toBe(false);
});

test("a negative count and a message beyond the safe integers are errors", () => {
  expect(() => matchSignatures(side(INT, -1), side(INT))).toThrow(DatatypeError);
  expect(() => matchSignatures(side(INT), side(contiguous(2 ** 40, INT), 2 ** 20))).toThrow(DatatypeError);
});
