import { expect, it } from "vitest";
import { FRAME_BYTES, readFrame, writeFrame } from "../../src/carriers/framed/frame.js";

const frame = {
  sizeBytes: 2 ** 40 + 3,
  chain: 10_921,
  offer: 5,
  signature: { elements: 7, hash: "0123456789abcdef0123456789ab", text: "7 × (MPI_DOUBLE)" },
};

it("a frame is read as it was written, over whatever memory held before", () => {
  const bytes = new Uint8Array(FRAME_BYTES + 8).fill(255);
  writeFrame(bytes, frame);
  expect(readFrame(bytes, bytes.length, "recv")).toEqual(frame);
  expect(bytes[FRAME_BYTES]).toBe(255);
});

it("a long text of a signature is cut", () => {
  const bytes = new Uint8Array(FRAME_BYTES);
  writeFrame(bytes, { ...frame, signature: { ...frame.signature, text: "×".repeat(100) } });
  expect(readFrame(bytes, FRAME_BYTES, "recv").signature.text).toBe("×".repeat(32));
});

it("a plain message is refused in a line, of whatever length", () => {
  for (const length of [0, 5, FRAME_BYTES, 4096]) {
    expect(() => readFrame(new Uint8Array(4096), length, "recv from 1 with tag 2")).toThrow(
      `recv from 1 with tag 2: expected the first message of a framed one, as all ranks agreed, got a plain message of ${length} bytes`,
    );
  }
});
