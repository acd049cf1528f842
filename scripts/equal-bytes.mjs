// Bytes that are equal are found so by memcmp(3): expect would take their keys, one by one. Others go its way, which
// shows where they differ. Expect keeps its testers as long as a process, in which many test files run.
import { expect } from "vitest";

const ADDED = Symbol.for("stowage.equal-bytes");

const areEqual = (left, right) =>
  left instanceof Uint8Array && right?.constructor === left.constructor && Buffer.compare(left, right) === 0;

if (globalThis[ADDED] !== true) {
  globalThis[ADDED] = true;
  expect.addEqualityTesters([(left, right) => (areEqual(left, right) ? true : undefined)]);
}
