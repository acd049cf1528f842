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

const results = z.object({
  schema: z.literal(OVERHEADS_SCHEMA),
  command: z.string(),
  date: z.string(),
  commit: z.string(),
  machine: z.object({
    cpu: z.string(),
    cores: z.number().int().positive(),
    gpu: z.string().nullable(),
    driver: z.string().nullable(),
    node: z.string(),
  }),
  remarks: z.array(z.string()),
  rows: z.array(row),
});

/** Whether a text is a file of this form, whatever else is wrong with it. */
export function isOverheads(text: string): boolean {
  try {
    return (JSON.parse(text) as { schema?: unknown } | null)?.schema === OVERHEADS_SCHEMA;
  } catch {
    return false;
  }
}

/** Checks the text of a file; what was projected from its rows is left out, for it can be made of them again. Throws one line that names the file, the field and what was expected. */
export function parseOverheads(text: string, path: string): OverheadResults {
  if (!isOverheads(text)) throw new Error(`${path}: schema: expected ${OVERHEADS_SCHEMA}, got another`);
  const parsed = results.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".") ?? "document"}: ${issue?.message ?? "not a file of overheads"}`);
}
