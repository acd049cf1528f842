import { quoted } from "@stowage/ir";
import { z } from "zod";
import { documentFault } from "./document-fault.js";
import { ALL_MODES, DIRECTIONS, KINDS, ROUTES, SCHEMA, type AnyResults, type Results } from "./row.js";

const nanoseconds = z.number().positive();

const row = z.object({
  workload: z.string(),
  count: z.number().int().positive(),
  packedBytes: z.number().int().nonnegative(),
  direction: z.enum(DIRECTIONS),
  route: z.enum(ROUTES),
  contender: z.string(),
  mode: z.enum(ALL_MODES).optional(),
  medianNs: nanoseconds,
  minNs: nanoseconds,
  maxNs: nanoseconds,
  runs: z.number().int().positive(),
  verified: z.literal(true),
  commitNs: z.number().nonnegative().default(0),
  commitMinNs: z.number().nonnegative().optional(),
  eventNs: nanoseconds.optional(),
  createNs: z.number().nonnegative().optional(),
  freeNs: z.number().nonnegative().optional(),
  firstCommitNs: z.number().nonnegative().optional(),
});

const machine = z.object({
  cpu: z.string(),
  processor: z.string().nullable().optional(),
  cores: z.number().int().positive(),
  gpu: z.string().nullable().default(null),
  /** Its version; a number in files of some benches. */
  driver: z.union([z.string(), z.number().transform(String)]).nullable().default(null),
  node: z.string(),
});

/** The fields, as schemas of zod, in which every file of results describes its run, whatever its rows. */
export const HEADING_FIELDS = { command: z.string(), date: z.string(), commit: z.string(), machine };

const heading = { schema: z.literal(SCHEMA), ...HEADING_FIELDS, experiment: z.string().optional() };

const results = z.object({ ...heading, kind: z.literal("moves").optional(), rows: z.array(row) });

const named = { workload: z.string(), contender: z.string() };
const times = { medianNs: nanoseconds, minNs: nanoseconds, maxNs: nanoseconds, runs: z.number().int().positive() };
const facts = z.record(z.string(), z.unknown()).optional();

/** The rows of each kind; an experiment may say more in each. */
const anyResults = z.discriminatedUnion("kind", [
  z.looseObject({ ...heading, facts, kind: z.literal("moves"), rows: z.array(row.loose()) }),
  z.looseObject({ ...heading, facts, kind: z.literal("times"), rows: z.array(z.looseObject({ ...named, ...times })) }),
  z.looseObject({ ...heading, facts, kind: z.literal("figures"), rows: z.array(z.looseObject(named)) }),
]);

/** The schema of results as JSON Schema, for other programs: results.schema.json of this package. */
export const resultsJsonSchema = (): object => z.toJSONSchema(results, { io: "input", target: "draft-7" });

/**
 * Reads the text of a result file. Throws an Error of one line that names the file (`path`), the field and what was
 * expected.
 */
export const parseResults = (text: string, path: string): Results => parseAs(results, SCHEMA, text, path);

/**
 * Reads the text of a results file of any kind: its field `kind` says what rows it has. Throws as parseResults does.
 */
export function parseAnyResults(text: string, path: string): AnyResults {
  const { kind = "moves" } = parseAs(z.looseObject({ kind: z.enum(KINDS).optional() }), SCHEMA, text, path);
  return parseAs(anyResults, SCHEMA, JSON.stringify({ ...(JSON.parse(text) as object), kind }), path);
}

/** Reads the text of a file by a schema of zod, after its field `schema` was compared. Throws as parseResults does. */
export function parseAs<T>(kind: z.ZodType<T>, schema: string, text: string, path: string): T {
  const document = parseJson(text, path);
  const found = (document as { schema?: unknown } | null)?.schema;
  if (found !== schema) throw new Error(`${path}: schema: expected ${schema}, got ${found === undefined ? "none" : quoted(found)}`);
  const parsed = kind.safeParse(document);
  if (parsed.success) return parsed.data;
  throw new Error(`${path}: ${documentFault(parsed.error, document)}`);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path}: expected JSON, got ${(error as Error).message}`, { cause: error });
  }
}
