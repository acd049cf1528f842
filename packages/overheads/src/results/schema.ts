import { HEADING_FIELDS, parseAs } from "@stowage/bench/results";
import { z } from "zod";
import { EXPERIMENT_NAMES } from "../experiment/experiment.js";
import { OVERHEADS_SCHEMA, type OverheadResults } from "./results.js";

const nanoseconds = z.number().nonnegative();

const row = z.object({
  mpi: z.string(),
  ranks: z.number().int().positive(),
  experiment: z.enum(EXPERIMENT_NAMES),
  panel: z.string(),
  series: z.string(),
  by: z.enum(["c", "bridge"]),
  x: z.number().nonnegative(),
  medianNs: nanoseconds,
  minNs: nanoseconds,
  maxNs: nanoseconds,
  samples: z.number().int().positive(),
});

const load = z.object({
  mpi: z.string(),
  ranks: z.number().int().positive(),
  by: z.enum(["c", "bridge"]),
  experiments: z.array(z.enum(EXPERIMENT_NAMES)),
  processors: z.number().int().positive(),
  inUseByOthers: z.number().nonnegative(),
});

const results = z.object({
  schema: z.literal(OVERHEADS_SCHEMA),
  ...HEADING_FIELDS,
  remarks: z.array(z.string()),
  rows: z.array(row),
  loads: z.array(load).optional(),
});

/** Whether a text is a file of this form, whatever else is wrong with it. */
export function isOverheads(text: string): boolean {
  try {
    return (JSON.parse(text) as { schema?: unknown } | null)?.schema === OVERHEADS_SCHEMA;
  } catch {
    return false;
  }
}

/**
 * Reads the text of a file, and checks it; what was projected from its rows is left out, for it can be made of them
 * again. `path` is for errors. Throws an error of one line that names the file, the field and what was expected.
 */
export const parseOverheads = (text: string, path: string): OverheadResults =>
  parseAs(results, OVERHEADS_SCHEMA, text, path);
