import { HEADING_FIELDS, parseAs } from "@stowage/bench/results";
import { z } from "zod";
import { APPLICATIONS_SCHEMA, type ApplicationResults } from "./row.js";

const amount = z.number().nonnegative();
const count = z.number().int().nonnegative();
const measured = {
  ranks: z.number().int().positive(),
  mpi: z.string(),
  where: z.enum(["host", "device", "simulated"]),
  gpus: count,
  iterations: z.number().int().positive(),
  verified: z.literal(true),
};
const stencilTimes = z.object({
  phases: z.object({ compute: amount, pack: amount, exchange: amount, unpack: amount }),
  haloMs: amount,
  overallMs: amount,
  packAloneMs: amount,
  unpackAloneMs: amount,
  by: z.string(),
});
const stencilRow = z.object({
  ...measured,
  application: z.enum(["stencil-3d", "stencil-2d"]),
  points: z.number().int().positive(),
  element: z.enum(["float", "double"]),
  uneven: z.boolean(),
  packedBytes: count,
  flopsPerPoint: count,
  checkedPoints: count,
  ways: z.record(z.string(), stencilTimes),
});
const vectorRow = z.object({
  ...measured,
  application: z.enum(["vectors", "transfers"]),
  blockBytes: z.number().int().positive(),
  packedBytes: z.number().int().positive(),
  ways: z.record(z.string(), z.object({ medianNs: amount, minNs: amount, maxNs: amount, by: z.string().optional() })),
});
const results = z.object({
  schema: z.literal(APPLICATIONS_SCHEMA),
  ...HEADING_FIELDS,
  rows: z.array(z.union([stencilRow, vectorRow])),
});

/** Checks the text of a file. Throws one line that names the file, the field and what was expected. */
export const parseApplications = (text: string, path: string): ApplicationResults =>
  parseAs(results, APPLICATIONS_SCHEMA, text, path);
