import { expect, it } from "vitest";
import { messageNs } from "@stowage/selector";
import { figuresOfTerms } from "../src/calibrate/add-mpi-terms.js";

const FIGURES = figuresOfTerms({
  mpi: "openmpi-4.1.4",
  messages: [
    { bytes: 8, medianNs: 400 },
    { bytes: 1024, medianNs: 600 },
    { bytes: 16_384, medianNs: 2600 },
  ],
  packs: [{ blockBytes: 8, bytes: 65_536, nativeNs: 65_536, packedNs: 32_768 }],
});

it("an MPI's terms are figures of a profile's section", () => {
  expect(FIGURES).toMatchObject({ "messageNs.8": 400, "nativeNsPerByte.8": 1, "packedNsPerByte.8": 0.5 });
});

it("a message's time lies between those of the sizes around it, and grows with its bytes beyond", () => {
  expect([1, 8, 1024, 8704, 16_384, 32_768].map((bytes) => messageNs(FIGURES, bytes))).toEqual([
    400, 400, 600, 1600, 2600, 5200,
  ]);
  expect(messageNs(undefined, 8)).toBeUndefined();
});
