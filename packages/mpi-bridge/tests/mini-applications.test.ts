import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { RowFft } from "../examples/fft2/fft.mjs";
import { ADVICE, installed, launch } from "./launch.js";

const FFT2 = fileURLToPath(new URL("../examples/fft2/fft2.mjs", import.meta.url));

// MILC, both MPIs and the papers' sizes: tests/long.
it.skipIf(installed("openmpi") === undefined)(
  `FFT2 on 2 ranks leaves what a serial run does, by either way (${ADVICE})`,
  () => {
    const { status, output } = launch("openmpi", 2, [
      process.execPath,
      FFT2,
      ..."--size 48 --iterations 2 --check".split(" "),
    ]);
    expect(output).toContain(
      "native: all 4608 values are the serial run's\nours: all 4608 values are the serial run's\n",
    );
    expect(output).toMatch(/^ours: .*pack .*unpack/m);
    expect(status, output).toBe(0);
  },
);

it.each([1, 2, 3, 6, 8, 9, 48])("the example's FFT of length %i is the transform's sum", (length) => {
  const row = Float64Array.from({ length: 2 * length }, (_, i) => Math.sin(i * i + 1));
  const expected = Array.from({ length }, (_, k) => {
    let [re, im] = [0, 0];
    for (let j = 0; j < length; j++) {
      const angle = (-2 * Math.PI * j * k) / length;
      re += (row[2 * j] as number) * Math.cos(angle) - (row[2 * j + 1] as number) * Math.sin(angle);
      im += (row[2 * j] as number) * Math.sin(angle) + (row[2 * j + 1] as number) * Math.cos(angle);
    }
    return [re, im].map((part) => part / Math.sqrt(length));
  }).flat();
  new RowFft(length).transform(row, 1);
  expected.forEach((value, i) => expect(row[i]).toBeCloseTo(value, 10));
});
