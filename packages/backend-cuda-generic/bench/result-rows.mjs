import { commitHash, scriptCommand, summarise } from "@stowage/bench";
import { writeFileSync } from "node:fs";

/** Rows of a results file, which is written after each cell: what was measured is kept, whatever ends the run. */
export class ResultRows {
  #out;
  #machine;
  #rows = [];

  constructor(out, driver, context) {
    this.#out = out;
    this.#machine = { gpu: context.device.name, driver: driver.version, node: process.version };
  }

  /** Samples in nanoseconds by contender. */
  note(workload, count, packedBytes, route, times) {
    const cell = { workload, count, packedBytes, direction: "copy", route };
    const rows = Object.entries(times).map(([contender, samples]) => ({
      ...{ ...cell, contender },
      ...summarise(samples),
      verified: true,
    }));
    this.#rows.push(...rows);
    const texts = rows.map(({ contender, medianNs }) => `${contender} ${(medianNs / 1000).toFixed(1)}`);
    console.log(`${workload}, ${count} x ${packedBytes / count} B, ${route}: ${texts.join(", ")} us`);
    const head = { schema: "stowage-results/1", command: scriptCommand(), date: new Date().toISOString() };
    const file = { ...head, commit: commitHash(), machine: this.#machine, rows: this.#rows };
    writeFileSync(this.#out, `${JSON.stringify(file, null, 1)}\n`);
  }
}
