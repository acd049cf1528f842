import { artifactKey, type Artifact, type Conditions, type Move } from "@stowage/backend-api";
import { compileMoves } from "./compile.js";
import type { FeatureLevel } from "./feature-level.js";
import { AssemblerSession } from "./lower/assembler-session.js";
import { requireSupported } from "./machine-code.js";
import { tuningOf, type X64Options } from "./options.js";
import { dataOf, FORMAT_VERSION, NAME } from "./payload.js";
import { unknown } from "./targets/unknown.js";

/**
 * Makes an artifact of moves for a feature level, the same whichever machine writes it, to be stored and run elsewhere;
 * it holds frames. Default tuning: that of an unknown processor. Throws an UnsupportedMoveError where the layouts need
 * more nodes, nesting or tables than a program may have.
 */
export function portableArtifact(
  moves: readonly Move[],
  conditions: Conditions,
  options: X64Options & { level: FeatureLevel },
): Artifact {
  moves.forEach(requireSupported);
  const { level } = options;
  const tuning = tuningOf(options, unknown);
  const payload = compileMoves(moves, conditions, { level, tuning, session: new AssemblerSession(), frames: true });
  const key = artifactKey(`${NAME}-${level}-${JSON.stringify(tuning)}`, FORMAT_VERSION, moves, conditions);
  return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: dataOf(payload) };
}
