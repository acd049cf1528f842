import { expect, it } from "vitest";
import { ANSWER_BYTES, readAnswer, writeAnswer, type Answer } from "../../src/carriers/framed/answer.js";

it("an answer is a record with a version: what is written is read, and another version is refused in a line", () => {
  const bytes = new Uint8Array(ANSWER_BYTES + 8).subarray(3);
  const answers: readonly Answer[] = [
    { kind: "ready", turn: 2 ** 40 + 1 },
    { kind: "taken", onOneGpu: true },
    { kind: "taken", onOneGpu: false },
    { kind: "refused", reason: "cuIpcOpenMemHandle: no such handle" },
    { kind: "declined", reason: "" },
  ];
  for (const answer of answers) {
    writeAnswer(bytes, answer);
    expect(readAnswer(bytes)).toEqual(answer);
  }
  bytes[0] = 1;
  expect(() => readAnswer(bytes)).toThrow(
    /^answer of a receiver: expected a record of version 2, as this package writes, got 1$/,
  );
});
