import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hashWords, instructionKernels, randomKernel, simulateTrial } from "../../src/agreement/index.js";
import { SimulatedMemory } from "../../src/index.js";

interface Recording {
  readonly machine: { readonly gpu: string };
  readonly firstSeed: number;
  readonly instructions: readonly { readonly name: string; readonly hash: number; readonly bytes: string }[];
  readonly random: readonly number[];
}

const recording = JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")) as Recording;
const memory = new SimulatedMemory({ capacityBytes: 2 ** 20 });

describe(`the simulated device gives what a ${recording.machine.gpu} gave`, () => {
  test("for every instruction there is a recording", () => {
    expect(recording.instructions.map(({ name }) => name)).toEqual(instructionKernels().map(({ name }) => name));
  });

  test.each(instructionKernels().map((kernel, i) => [kernel.name, kernel, i] as const))("%s", (_, kernel, i) => {
    const recorded = recording.instructions[i];
    const bytes = simulateTrial(kernel, memory);
    const kept = Buffer.from(recorded?.bytes ?? "", "base64");
    expect(Buffer.from(bytes.subarray(0, kept.length))).toEqual(kept);
    expect(hashWords(bytes)).toBe(recorded?.hash);
  });

  // The other recorded kernels are replayed by the recorder itself, on a device.
  test.each(Array.from({ length: 20 }, (_, i) => i))("random kernels, part %i of 20", (part) => {
    for (let i = part; i < Math.min(400, recording.random.length); i += 20) {
      const kernel = randomKernel(recording.firstSeed + i);
      expect([kernel.name, hashWords(simulateTrial(kernel, memory))]).toEqual([kernel.name, recording.random[i]]);
    }
  });
});
