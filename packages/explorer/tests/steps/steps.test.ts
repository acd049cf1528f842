import { anyLayout } from "@stowage/arbitraries";
import { canonicalise, forEachRun, lower, predefined, printLayout, resized, vector } from "@stowage/ir";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cLoops } from "../../src/steps/c-loops.js";
import { byteAt, DameStepper } from "../../src/steps/dame-stepper.js";
import { machineTexts } from "../../src/steps/machine-texts.js";
import { passSteps } from "../../src/steps/pass-steps.js";

const COLUMN = canonicalise(lower(vector(4, 1, 4, predefined("MPI_DOUBLE"))));

test("steps of passes lead from the layout as lowered to the canonical one, and say what changed", () => {
  const lowered = lower(resized(0, 64, vector(4, 2, 2, predefined("MPI_DOUBLE"))));
  const steps = passSteps(lowered);
  const kept = (lines: (typeof steps)[number]["lines"]) => lines.filter(({ change }) => change !== "gone");
  expect(
    kept(steps.at(-1)?.lines ?? [])
      .map(({ text }) => text)
      .join("\n"),
  ).toBe(printLayout(canonicalise(lowered)));
  for (const { lines } of steps.slice(1)) expect(lines.some(({ change }) => change !== "none")).toBe(true);
});

test("stepping a DAME program forward visits every run and packs its bytes; a step knows the one before it", () => {
  fc.assert(
    fc.property(anyLayout({ maxSizeBytes: 200, maxReachBytes: 4096 }), fc.integer({ min: 1, max: 3 }), (of, count) => {
      const layout = canonicalise(of);
      const stepper = new DameStepper(layout, count);
      const packed: number[] = [];
      let before: number | undefined;
      for (let step = stepper.at(0); step !== undefined; step = stepper.at(step.nextByte)) {
        expect(stepper.before(step.packedByte)?.packedByte).toBe(before);
        before = step.packedByte;
        for (let i = 0; i < step.lengthBytes; i++) packed.push(byteAt(step.offsetBytes + i));
        expect([...step.bytes]).toEqual(packed.slice(step.packedByte, step.packedByte + step.bytes.length));
      }
      const expected: number[] = [];
      forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offset, length) => {
        for (let i = 0; i < length; i++) expected.push(byteAt(offset + i));
      });
      expect(packed).toEqual(expected);
    }),
  );
});

test("the C loops of a column", () => {
  expect(cLoops(COLUMN)).toBe(`#include <stddef.h>
#include <string.h>

void pack(char *to, const char *from, ptrdiff_t count)
{
  for (ptrdiff_t i0 = 0; i0 < count; i0++) {
    const char *from0 = from + i0 * 104;
    for (ptrdiff_t i1 = 0; i1 < 4; i1++) {
      const char *from1 = from0 + i1 * 32;
      memcpy(to, from1, 8);
      to += 8;
    }
  }
}
`);
});

test("there is machine code for each level, and PTX of each kernel", () => {
  const texts = machineTexts(COLUMN);
  expect(texts.map(({ title }) => title)).toEqual([
    ...["C", "x86-64, avx512", "x86-64, avx2", "x86-64, sse2", "PTX, cuda-strided", "PTX, cuda-generic"],
  ]);
  for (const { title, text } of texts.slice(1))
    expect(text, title).toContain(title.startsWith("x86") ? "ret" : ".visible .entry");
});
