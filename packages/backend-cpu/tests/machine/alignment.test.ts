import { blocks, dense, integerTable, layout, stream, uniformBlocks, type Layout, type LayoutNode } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { compileDame, copy, flattenDame, loadDame, startState } from "../../src/index.js";
import { expectBytes, memoryFor, plainPack, plainWalk } from "../plain-walk.js";

const element = (root: LayoutNode): Layout => layout(0, root, { lowerBoundBytes: 0, extentBytes: root.highBytes });
const table = (length: number, at: (i: number) => number) => integerTable(length, at);

/** Every inner loop there is: words of 8, 4 and 1, of one, two, three and more; strides, equal and unequal blocks. */
const shapes: [string, LayoutNode][] = [
  1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 32, 40, 44, 45, 72, 92, 128, 264, 300, 520,
].flatMap((length): [string, LayoutNode][] => {
  const pitch = Math.ceil((length + 1) / 8) * 8;
  const at = (i: number): number => ((i * 5) % 11) * pitch;
  const unequal = table(11, (i) => (i % 3 === 0 ? 0 : i % 2 === 0 ? length : 2 * length));
  return [
    [`${length} of ${pitch}, strided`, stream(11, pitch, dense(length))],
    [`${length} of ${length + 3}, strided backwards`, stream(11, -(length + 3), dense(length))],
    [`${length}, indexed`, uniformBlocks(table(11, at), dense(length))],
    [
      `${length}, indexed by odd bytes`,
      uniformBlocks(
        table(11, (i) => at(i) + (i % 8)),
        dense(length),
      ),
    ],
    [
      `0, ${length} and ${2 * length}, indexed`,
      blocks(
        table(11, (i) => i * 2 * pitch),
        unequal,
        1,
        dense(1),
      ),
    ],
  ];
});

const origins = Array.from({ length: 9 }, (_, i) => i);

describe("any origins on both sides", () => {
  test.each(shapes)("blocks of %s", (_, root) => {
    const scattered = element(root);
    const loaded = flattenDame(loadDame(compileDame(scattered), scattered.extentBytes));
    const packed = loadDame(compileDame(element(dense(root.sizeBytes))), root.sizeBytes);
    const offsets = plainWalk(scattered, 2);
    for (const sourceOrigin of origins) {
      for (const targetOrigin of [0, 1, 4, sourceOrigin]) {
        const { bytes, originBytes } = memoryFor(offsets, 16);
        const from = originBytes + sourceOrigin;
        const whole = plainPack(bytes, from, offsets);

        const target = new Uint8Array(whole.length + 32).fill(0xee);
        copy(
          startState(loaded, { count: 2, originBytes: from }),
          startState(packed, { count: 2, originBytes: targetOrigin + 8 }),
          bytes,
          target,
        );
        const expected = new Uint8Array(whole.length + 32).fill(0xee);
        expected.set(whole, targetOrigin + 8);
        expectBytes(target, expected);

        const back = new Uint8Array(bytes.length).fill(0xee);
        copy(
          startState(packed, { count: 2, originBytes: targetOrigin + 8 }),
          startState(loaded, { count: 2, originBytes: from }),
          target,
          back,
        );
        const restored = new Uint8Array(bytes.length).fill(0xee);
        offsets.forEach((offset, i) => (restored[from + offset] = whole[i] as number));
        expectBytes(back, restored);
      }
    }
  });
});

test("views into the middle of a buffer, at any byte", () => {
  const scattered = element(stream(20, 24, dense(16)));
  const loaded = loadDame(compileDame(scattered), scattered.extentBytes);
  const offsets = plainWalk(scattered);
  for (const shift of origins) {
    const { bytes } = memoryFor(offsets, 16);
    const view = bytes.subarray(shift);
    const packed = new Uint8Array(400).subarray(shift, shift + 320);
    const other = startState(loadDame(compileDame(element(dense(320))), 320));
    copy(startState(loaded), other, view, packed);
    expectBytes(packed, plainPack(bytes, shift, offsets));
  }
});

test("every bit of every NaN comes through, before and after the engine optimises", () => {
  const words = 512;
  const scattered = element(stream(words, 16, dense(8)));
  const loaded = loadDame(compileDame(scattered), scattered.extentBytes);
  const packed = loadDame(compileDame(element(dense(8))), 8);
  const source = new BigUint64Array(2 * words);
  const target = new BigUint64Array(words);
  const signalling = 0x7ff0000000000001n;
  for (let i = 0; i < words; i++) source[2 * i] = signalling + BigInt(i) * 0x123456789n + (BigInt(i % 2) << 63n);
  for (let round = 0; round < 2000; round++) {
    target.fill(0n);
    copy(startState(loaded), startState(packed, { count: words }), source, target);
    if (round % 100 !== 0) continue;
    for (let i = 0; i < words; i++) expect(target[i]).toBe(source[2 * i]);
  }
});
