import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { dense, layout, stream } from "@stowage/ir";
import { expect, test } from "vitest";
import { alternativeFigures, silentAlternatives, undescribedTarget, X64Backend } from "../src/index.js";
import { MEASURABLE } from "../src/targets/answers.js";

const root = stream(64, 12_288, dense(8));
const column = layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
const profileOf = (fencesLimitConflicts: boolean) => () => ({
  machine: "this one",
  figures: { x64: alternativeFigures({ fencesLimitConflicts }) },
});
const compiled = (fencesLimitConflicts: boolean) => {
  const backend = new X64Backend({ target: undescribedTarget(), profile: profileOf(fencesLimitConflicts) });
  const text = (move: ReturnType<typeof packMove>) => backend.load(backend.compile([move], conditions())).explain();
  return { key: backend.compile([packMove(column)], conditions()).key, code: text(unpackMove(column)) };
};

test("with the description withheld every alternative is open, and with a full one none is", () => {
  expect(silentAlternatives(true).map(({ name }) => name)).toEqual(MEASURABLE);
  for (const { plain, other } of silentAlternatives(true)) expect(plain).not.toEqual(other);
});

test("what a profile answers of a processor without a description, code is written by, under a key of its own", () => {
  const [plain, fenced] = [compiled(false), compiled(true)];
  expect(fenced.code).not.toBe(plain.code);
  expect(fenced.code.match(/sfence/g)?.length ?? 0).toBeGreaterThan(plain.code.match(/sfence/g)?.length ?? 0);
  expect(fenced.key).not.toBe(plain.key);
});
