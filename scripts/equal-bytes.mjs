// Bytes that are equal are found so by memcmp(3): expect would take their keys, one by one. Others go its way, which
// shows where they differ.
import { expect } from "vitest";

expect.addEqualityTesters([
  (left, right) =>
    left instanceof Uint8Array && right?.constructor === left.constructor && Buffer.compare(left, right) === 0
      ? true
      : undefined,
]);
