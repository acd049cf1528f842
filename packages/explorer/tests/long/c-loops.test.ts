import { anyLayout } from "@stowage/arbitraries";
import { canonicalise, forEachRun, type Layout } from "@stowage/ir";
import * as fc from "fast-check";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shownBytes } from "../../src/picture/view.js";
import { cLoops } from "../../src/steps/c-loops.js";
import { byteAt } from "../../src/steps/dame-stepper.js";

const COUNT = 2;
const LAYOUTS = 60;

/** A program that packs elements of each layout from memory that holds byteAt, and prints the bytes in hexadecimal. */
function programOf(layouts: readonly Layout[]): string {
  const functions = layouts.map((layout, i) => cLoops(layout).replace("void pack(", `static void pack${i}(`));
  const calls = layouts.map((layout, i) => {
    const { lowBytes, highBytes } = shownBytes(layout, COUNT);
    return `run(pack${i}, ${lowBytes}L, ${highBytes}L, ${COUNT * layout.sizeBytes}L);`;
  });
  return `${functions.join("\n")}
#include <stdio.h>
#include <stdlib.h>
static void run(void (*pack)(char *, const char *, ptrdiff_t), long low, long high, long bytes) {
  char *memory = malloc(high - low), *packed = malloc(bytes + 1);
  for (long i = low; i < high; i++) memory[i - low] = (char)(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7);
  pack(packed, memory - low, ${COUNT});
  for (long i = 0; i < bytes; i++) printf("%02x", (unsigned char)packed[i]);
  printf("\\n");
}
int main(void) { ${calls.join("\n")} return 0; }
`;
}

function packedBytes(layout: Layout): string {
  let text = "";
  forEachRun(layout, { count: COUNT, first: 0, length: COUNT * layout.sizeBytes }, (offset, length) => {
    for (let i = 0; i < length; i++)
      text += byteAt(offset + i)
        .toString(16)
        .padStart(2, "0");
  });
  return text;
}

test("the C loops pack what the layout says, compiled", () => {
  const layouts = fc
    .sample(anyLayout({ maxSizeBytes: 256, maxReachBytes: 4096 }), { numRuns: LAYOUTS, seed: 7 })
    .map((each) => canonicalise(each));
  const folder = mkdtempSync(join(tmpdir(), "stowage-loops-"));
  try {
    writeFileSync(join(folder, "loops.c"), programOf(layouts));
    execFileSync("gcc", ["-O1", "-o", join(folder, "loops"), join(folder, "loops.c")]);
    const lines = execFileSync(join(folder, "loops"), { encoding: "utf8" }).trimEnd().split("\n");
    expect(lines).toEqual(layouts.map(packedBytes));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
