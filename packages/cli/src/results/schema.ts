import { z } from "zod";

export const SCHEMA = "stowage-results/1";

const nanoseconds = z.number().positive();

const row = z.object({
  workload: z.string(),
  count: z.number().int().positive(),
  packedBytes: z.number().int().nonnegative(),
  direction: z.enum(["pack", "unpack", "copy"]),
  route: z.enum(["host", "device", "one-shot", "staged", "pipelined", "dma"]),
  contender: z.string(),
  medianNs: nanoseconds,
  minNs: nanoseconds,
  maxNs: nanoseconds,
  /** Samples that the median is of. */
  runs: z.number().int().positive(),
  /** A row whose output was not checked is not written. */
  verified: z.literal(true),
  /** To choose and compile, once; 0, or absent, for contenders that commit nothing and benches that do not time it. */
  commitNs: z.number().nonnegative().default(0),
  /** Median time on the device, between events before and after the work; the rest of medianNs is the host's. */
  eventNs: nanoseconds.optional(),
  /** To describe the datatype before it is committed, and to let go of it; where a comparison timed them. */
  createNs: z.number().nonnegative().optional(),
  freeNs: z.number().nonnegative().optional(),
});

const machine = z.object({
  cpu: z.string(),
  cores: z.number().int().positive(),
  gpu: z.string().nullable().default(null),
  /** Its version; a number in files of some benches. */
  driver: z.union([z.string(), z.number().transform(String)]).nullable().default(null),
  node: z.string(),
});

const results = z.object({
  schema: z.literal(SCHEMA),
  command: z.string(),
  date: z.string(),
  commit: z.string(),
  machine,
  rows: z.array(row),
});

/** One measurement: a contender on a workload in one direction. Times are of one call. */
export type ResultRow = z.infer<typeof row>;
export type Machine = z.infer<typeof machine>;
/** One run of bench: what `stowage bench` writes and `stowage report` reads. */
export type Results = z.infer<typeof results>;

/** Checks the text of a result file. Throws one line that names the file, the field and what was expected. */
export function parseResults(text: string, path: string): Results {
  const document = parseJson(text, path);
  const found = (document as { schema?: unknown } | null)?.schema;
  if (found !== SCHEMA) throw new Error(`${path}: schema: expected ${SCHEMA}, got ${JSON.stringify(found)}`);
  const parsed = results.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path}: ${issue?.path.join(".") ?? "document"}: ${issue?.message ?? "not a result file"}`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path}: expected JSON, got ${(error as Error).message}`, { cause: error });
  }
}
