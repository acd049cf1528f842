import { describe, expect, test } from "vitest";
import { copyBoxes, openSimulatedCuda } from "../src/index.js";

const context = openSimulatedCuda().context();
const stream = context.stream();

/** Two boxes of 2 planes of 3 rows of 4 bytes, at pitches of 8 bytes and planes of 5 rows, to dense ones. */
function twoBoxes() {
  const source = context.pinnedMemory(512);
  source.bytes.forEach((_, i) => (source.bytes[i] = i));
  const target = context.pinnedMemory(128);
  const starts = [0, 200];
  const boxes = starts.map((start, i) => ({
    target: { address: target.address + i * 24, host: true, pitchBytes: 4, planeRows: 3 },
    source: { address: source.address + start, host: true, pitchBytes: 8, planeRows: 5 },
    box: { widthBytes: 4, rows: 3, planes: 2 },
  }));
  const expected = (shift: number): number[] =>
    starts.flatMap((start) =>
      Array.from({ length: 24 }, (_, i) => {
        const [byte, row, plane] = [i % 4, Math.floor(i / 4) % 3, Math.floor(i / 12)];
        return (start + shift + (plane * 5 + row) * 8 + byte) & 255;
      }),
    );
  return { target, boxes, expected };
}

describe("a batch of boxes", () => {
  test("moves each, and follows both ends when they are shifted", () => {
    const { target, boxes, expected } = twoBoxes();
    const copy = copyBoxes(context, boxes);
    copy.run(stream);
    stream.synchronize();
    expect([...target.bytes.subarray(0, 48)]).toEqual(expected(0));
    copy.shift(64, 3);
    copy.run(stream);
    stream.synchronize();
    expect([...target.bytes.subarray(64, 112)]).toEqual(expected(3));
  });

  test("is refused by the legacy default stream, in a capture, by old drivers, and where a box leaves its allocation", () => {
    const { boxes } = twoBoxes();
    const copy = copyBoxes(context, boxes);
    expect(() => copy.run({ handle: 0 })).toThrow(/^cuMemcpy3DBatchAsync: CUDA_ERROR_INVALID_VALUE/);
    expect(() => stream.capture(() => copy.run(stream))).toThrow(
      /^cuMemcpy3DBatchAsync: expected a stream that is not capturing/,
    );
    const far = boxes.map((each) => ({ ...each, box: { ...each.box, planes: 40 } }));
    expect(() => copyBoxes(context, far).run(stream)).toThrow(/^cuMemcpy3DBatchAsync: CUDA_ERROR_INVALID_VALUE/);
    const old = openSimulatedCuda({ version: 12_060 }).context();
    expect(() => copyBoxes(old, boxes)).toThrow("cuMemcpy3DBatchAsync: expected CUDA 12.8 or later, got 12.6");
  });
});
