import { statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { RunSummary, whyNative } from "../../src/run/summary.js";

const side = (ours: number, native: number, why = ""): object => ({ ours, native, why });
const line = (sent: object, received: object, unseen = false): string => JSON.stringify({ unseen, sent, received });

test("a side is named where it had messages and none of any process was ours, with each reason once", () => {
  const off = "MPIR_CVAR_UCX_DT_RECV is off";
  const sender = line(side(5, 0), side(0, 0, off));
  const receiver = line(side(0, 0), side(0, 5, off));
  expect(whyNative([sender, receiver, receiver])).toBe(`no message that was received went by our code: ${off}`);
  const unknown = line(side(0, 0, "an MPI"), side(0, 0, "an MPI"), true);
  expect(whyNative([unknown, unknown])).toBe("no message went by our code: an MPI");
  expect(whyNative([line(side(0, 3), side(2, 1))])).toMatch(
    /^no message that was sent went by our code: no code for their datatypes was there in time/,
  );
});

test("nothing is said where one message of the side was ours, or none had to be packed", () => {
  expect(whyNative([])).toBeUndefined();
  expect(whyNative([line(side(0, 0), side(0, 0))])).toBeUndefined();
  expect(whyNative([line(side(1, 99), side(1, 0)), line(side(0, 99), side(0, 99))])).toBeUndefined();
  expect(whyNative(["", '{"unseen":true', "[]"])).toBeUndefined();
});

test("processes write into a file that nobody else can reach, which goes with the run", () => {
  const summary = new RunSummary();
  const folder = statSync(dirname(summary.path));
  expect([folder.mode & 0o777, statSync(summary.path).mode & 0o777]).toEqual([0o700, 0o600]);
  writeFileSync(summary.path, `${line(side(0, 1, "a reason"), side(0, 0))}\n`);
  expect(summary.whyNative()).toBe("no message that was sent went by our code: a reason");
  summary[Symbol.dispose]();
  expect(statSync(summary.path, { throwIfNoEntry: false })).toBeUndefined();
});
