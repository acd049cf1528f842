import { expect, it } from "vitest";
import { isFetched, readReply, REPLY_BYTES, writeReply } from "../../src/carriers/ipc/reply.js";

it("a reply is a record with a version: what is written is read, and another version is refused in a line", () => {
  const bytes = new Uint8Array(REPLY_BYTES + 8).subarray(3);
  for (const reply of [
    { answer: "ready", turn: 2 ** 40 + 1, reason: "" },
    { answer: "fetched on one GPU", turn: 0, reason: "" },
    { answer: "refused", turn: 0, reason: "cuIpcOpenMemHandle: no such handle" },
  ] as const) {
    writeReply(bytes, reply);
    expect(readReply(bytes)).toEqual(reply);
    expect(isFetched(reply)).toBe(reply.answer.startsWith("fetched"));
  }
  bytes[0] = 2;
  expect(() => readReply(bytes)).toThrow(
    /^reply of a receiver: expected a record of version 1, as this package writes, got 2$/,
  );
});
