import { documentFault } from "@stowage/bench/results";
import { parseDatatype, type BoundsRule, type Datatype } from "@stowage/ir";
import { z } from "zod";

const integer = z.number().int();

const schema = z.object({
  type: z.unknown(),
  count: integer.nonnegative(),
  size: integer,
  lb: integer,
  extent: integer,
  true_lb: integer,
  true_extent: integer,
  buffer: integer.nonnegative(),
  origin: integer,
  blocks: integer,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** One line of a golden file: a datatype, and what a real MPI made of it. */
export interface GoldenCase extends Omit<z.infer<typeof schema>, "type"> {
  readonly line: number;
  readonly datatype: Datatype;
  /** By whose rule the recorded bounds are. */
  readonly bounds: BoundsRule;
}

/** Reads a golden file's lines, skipping empty ones. Errors name the line and the field. */
export function* parseGolden(text: string, path: string, bounds: BoundsRule): Generator<GoldenCase> {
  let line = 0;
  for (const source of text.split("\n")) {
    line++;
    if (source.trim() !== "") yield { ...parseLine(source, `${path}:${line}`), line, bounds };
  }
}

function parseLine(source: string, where: string): Omit<GoldenCase, "line" | "bounds"> {
  const document = parseJson(source, where);
  const parsed = schema.safeParse(document);
  if (!parsed.success) throw new Error(`${where}: ${documentFault(parsed.error, document)}`);
  const { type, ...expected } = parsed.data;
  try {
    return { ...expected, datatype: parseDatatype(type) };
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`, { cause: error });
  }
}

function parseJson(source: string, where: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new Error(`${where}: expected a JSON object, got ${(error as Error).message}`, { cause: error });
  }
}
