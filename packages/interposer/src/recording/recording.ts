import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { InterposerError } from "../errors.js";
import { RECORDING_SCHEMA, TRAFFIC_COUNTS } from "../formats/recording-format.js";
import { visibleText } from "./visible-text.js";

const count = z.number().int().nonnegative();

/**
 * Messages of one direction, as c/store/record.c writes them. Of class i of `bySize` are those of 2^(i-1) up to below
 * 2^i bytes.
 */
const trafficSchema = z.object({
  ...(Object.fromEntries(TRAFFIC_COUNTS.map((name) => [name, count])) as Record<
    (typeof TRAFFIC_COUNTS)[number],
    typeof count
  >),
  bySize: z.array(count),
});

/** What the program or its surroundings are called, by themselves. */
const name = z.string().transform(visibleText);

const bothWays = z.object({ pack: trafficSchema, unpack: trafficSchema });

const recordingSchema = z.object({
  schema: z.literal(RECORDING_SCHEMA),
  version: name,
  mpi: name,
  rank: z.number().int(),
  host: name,
  program: name,
  /** Messages of predefined types. */
  others: bothWays,
  types: z.array(
    bothWays.extend({ description: z.string().regex(/^[0-9a-f]*$/), commits: count, hasCode: z.boolean() }),
  ),
});

/**
 * Messages of one direction: how many there were and their packed bytes, how many of both went by our code, and the
 * nanoseconds of packing and of whole calls. `bySize[i]` counts those of 2^(i-1) up to below 2^i bytes.
 */
export type Traffic = z.infer<typeof trafficSchema>;
/** The messages that were sent ("pack") and received ("unpack"). */
export type BothWays = z.infer<typeof bothWays>;
/** What one rank did with its datatypes. */
export type Recording = z.infer<typeof recordingSchema>;

/**
 * Reads the recordings in a folder that `stowage run --record` named, one a rank.
 * @throws InterposerError where there are none, or a file is none
 */
export function readRecordings(folder: string): readonly Recording[] {
  const names = namesIn(folder);
  if (names.length === 0)
    throw new InterposerError(`${folder}: expected recordings of \`stowage run --record\`, got none`);
  return names.map((name) => readRecording(join(folder, name)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /-rank--?\d+\.json$/.test(name));
  } catch (error) {
    throw new InterposerError(`${folder}: expected a folder, got ${(error as NodeJS.ErrnoException).code}`, {
      cause: error,
    });
  }
}

function readRecording(path: string): Recording {
  try {
    return recordingSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const got = issue === undefined ? (error as Error).message : `${issue.path.join(".")}: ${issue.message}`;
    throw new InterposerError(`${visibleText(path)}: expected a recording of version 1, got ${visibleText(got)}`, {
      cause: error,
    });
  }
}
