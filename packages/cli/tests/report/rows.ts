import type { Machine, ResultRow } from "@stowage/bench";
import type { Run } from "../../src/report/run.js";

/** A row that a test says only the telling fields of. */
export const row = (contender: string, medianNs: number, more: Partial<ResultRow> = {}): ResultRow => ({
  workload: "w",
  count: 1,
  packedBytes: 1000,
  direction: "pack",
  route: "host",
  contender,
  medianNs,
  minNs: medianNs,
  maxNs: medianNs,
  runs: 7,
  verified: true,
  commitNs: 0,
  ...more,
});

export const EPYC: Machine = { cpu: "AMD EPYC", cores: 2, gpu: null, driver: null, node: "v20.20.2" };
export const XEON: Machine = { ...EPYC, cpu: "Xeon", cores: 16 };

export const run = (rows: readonly ResultRow[], machine = EPYC, file = "run.json"): Run => ({
  schema: "stowage-results/1",
  command: "npx stowage bench",
  date: "2026-11-22T10:00:00.000Z",
  commit: "abc",
  machine,
  rows,
  file,
});
