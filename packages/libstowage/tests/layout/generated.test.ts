import { anyDatatype } from "@stowage/arbitraries";
import { describeType } from "@stowage/backend-api";
import { referenceBounds, referencePack } from "@stowage/conformance/laws";
import { boundsOf, printDatatypeText, type BoundsRule, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import koffi from "koffi";
import { expect, test } from "vitest";
import { withEmptyMembers } from "../../../mpi-abi/tests/with-empty-members.js";
import { libstowage, type NativeType } from "../library/library.js";

const RUNS = Number(process.env["STOWAGE_LAW_RUNS"] ?? 5500);
const SEED = Number(process.env["STOWAGE_SEED"] ?? 29);
const RULES: readonly BoundsRule[] = ["standard", "open-mpi", "mpich"];

const addressOf = (bytes: Uint8Array): number => Number(koffi.address(bytes));

/** In fast-check's words, for a counterexample names the seed. */
const forAll = (types: fc.Arbitrary<Datatype>, holds: (datatype: Datatype) => void): void =>
  fc.assert(fc.property(types, holds), { numRuns: RUNS, seed: SEED });

const boundsIn = ({ sizeBytes, bounds }: NativeType) => ({
  sizeBytes,
  lowerBoundBytes: bounds.lower_bound,
  extentBytes: bounds.extent,
  trueLowerBoundBytes: bounds.true_lower_bound,
  trueExtentBytes: bounds.true_extent,
});

/** Size, bounds and description as TypeScript has them. */
function checkBounds(datatype: Datatype, rule: BoundsRule): void {
  using type = libstowage().commit(datatype, rule);
  const { alignmentBytes: _, hasExplicitBounds: __, ...expected } = boundsOf(datatype, { bounds: rule });
  const text = printDatatypeText(datatype);
  expect(boundsIn(type), `${rule}: ${text}`).toEqual(expected);
  const description = describeType(datatype, { bounds: rule });
  expect(Buffer.compare(type.description(), description), `description by ${rule}: ${text}`).toBe(0);
  const again = libstowage().commitDescription(description);
  if (typeof again === "number") throw new Error(`a description of its own: expected a type, got status ${again}`);
  expect(boundsIn(again), `of a description, ${rule}: ${text}`).toEqual(expected);
  again[Symbol.dispose]();
}

test.each(RULES)("size, bounds and description of any datatype are TypeScript's, by %s", (rule) => {
  forAll(anyDatatype({ sparse: true }), (datatype) => checkBounds(datatype, rule));
});

test.each(RULES)("so are those of datatypes with empty members, by %s", (rule) => {
  forAll(withEmptyMembers, (datatype) => checkBounds(datatype, rule));
});

test("the reference, which knows type maps alone, has the same bounds and packed bytes", () => {
  forAll(anyDatatype(), (datatype) => {
    using type = libstowage().commit(datatype);
    const { sizeBytes, lowerBoundBytes, extentBytes } = boundsIn(type);
    expect({ sizeBytes, lowerBoundBytes, extentBytes }).toEqual(referenceBounds(datatype));
    const { trueLowerBoundBytes, trueExtentBytes } = boundsIn(type);
    const bytes = Uint8Array.from({ length: trueExtentBytes + 1 }, (_, i) => (i * 131 + (i >> 8) * 17 + 7) & 255);
    const packed = new Uint8Array(sizeBytes + 1);
    expect(type.pack(addressOf(bytes) - trueLowerBoundBytes, 1, 0, addressOf(packed), sizeBytes)).toBe(0);
    const expected = referencePack(datatype, { bytes, originBytes: -trueLowerBoundBytes });
    expect(Buffer.compare(packed.subarray(0, sizeBytes), expected)).toBe(0);
  });
});
