import { FEATURE_LEVELS, portableArtifact, X64Backend, type FeatureLevel } from "@stowage/backend-x64";
import { ptxBackend } from "@stowage/compile";
import { cacheFolders } from "../cache/cache-folders.js";
import { CodeCache, fileName } from "../cache/code-cache.js";
import type { Environment } from "../environment.js";
import type { Recording } from "../recording/recording.js";
import { compiledCode, keyOf, levelOf } from "../service/compiled-code.js";
import { DEVICE_LEVEL, deviceCode, deviceKeyOf } from "../service/device-code.js";

/** What code is compiled for: a level of the processor, or GPUs. */
export const CODE_LEVELS = [...FEATURE_LEVELS, DEVICE_LEVEL] as const;
/** One of CODE_LEVELS. */
export type CodeLevel = (typeof CODE_LEVELS)[number];

/** What `warmCache` did. */
export interface Warmed {
  /** The folder that was written to. */
  readonly folder: string;
  /** The levels that code was compiled for. */
  readonly levels: readonly CodeLevel[];
  /** How many datatypes the recordings name. */
  readonly types: number;
  /** How many files were written. */
  readonly written: number;
  /** How many files were there already. */
  readonly held: number;
  /** Why code of a datatype could not be made, a line each. */
  readonly refused: readonly string[];
}

/** Makes a container of a described type's code. */
type Compiler = (description: Uint8Array) => Uint8Array;

/**
 * Compiles the datatypes that recordings name into the user's cache, ahead of the runs that need them: for machines
 * without Node, or of other processors than this one. Code for this machine's own level is what a compile service
 * here writes; for another level it is tuned for no processor in particular. Default: this machine's level.
 * @throws InterposerError where the cache's folder cannot be made, or others may write to it
 */
export function warmCache(
  recordings: readonly Recording[],
  levels?: readonly CodeLevel[],
  environment: Environment = process.env,
): Warmed {
  using own = new X64Backend({ betweenCores: true });
  using devices = ptxBackend();
  const ownLevel = levelOf(own) as FeatureLevel;
  const wanted = levels ?? [ownLevel];
  const cache = new CodeCache(cacheFolders(environment)[0]);
  const compilerFor = (level: CodeLevel): Compiler => {
    if (level === DEVICE_LEVEL) return (description) => deviceCode(description, devices);
    const backend = level === ownLevel ? own : portable(level);
    return (description) => compiledCode(description, backend);
  };
  const types = new Set(recordings.flatMap((each) => each.types.map(({ description }) => description)));
  const counts = { written: 0, held: 0, refused: [] as string[] };
  for (const level of wanted) {
    const compile = compilerFor(level);
    for (const type of types) warm(cache, Buffer.from(type, "hex"), level, compile, counts);
  }
  return { folder: cache.folder, levels: wanted, types: types.size, ...counts };
}

function warm(
  cache: CodeCache,
  description: Uint8Array,
  level: CodeLevel,
  compile: Compiler,
  counts: { written: number; held: number; readonly refused: string[] },
): void {
  const key = level === DEVICE_LEVEL ? deviceKeyOf(description) : keyOf(description, level);
  const name = fileName(key, level);
  if (cache.holds(name, description)) {
    counts.held += 1;
    return;
  }
  let code: Uint8Array;
  try {
    code = compile(description);
  } catch (error) {
    counts.refused.push(`a datatype of ${description.length} bytes, ${level}: ${(error as Error).message}`);
    return;
  }
  cache.write(name, code);
  counts.written += 1;
}

const portable = (level: FeatureLevel): Parameters<typeof compiledCode>[1] => ({
  compile: (moves, conditions) => portableArtifact(moves, conditions, { level, betweenCores: true }),
});
