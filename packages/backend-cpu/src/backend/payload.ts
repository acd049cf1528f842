import { ArtifactError, type Artifact, type Data, type Move } from "@stowage/backend-api";
import { compileDame } from "../compile/compile-dame.js";
import type { Primitive } from "../language/primitive.js";
import { dameProgram, type DameProgram } from "../language/program.js";
import { verifyDame } from "../language/verify-dame.js";

/** The DAME programs of a move's two sides. */
export interface MovePrograms {
  readonly source: DameProgram;
  readonly target: DameProgram;
}

/** What an artifact of this backend holds: the programs of each move, as plain data. */
export function dataOfPrograms(moves: readonly Move[]): Data {
  return moves.map(({ source, target }) => ({
    source: compileDame(source).primitives,
    target: compileDame(target).primitives,
  }));
}

/** The programs of an artifact, verified: it may come from a file. */
export function programsOf({ payload, moves }: Artifact): readonly MovePrograms[] {
  if (!Array.isArray(payload) || payload.length !== moves.length) {
    throw new ArtifactError(
      `payload of an artifact: expected the programs of ${moves.length} moves, got something else`,
    );
  }
  return payload.map((programs: Data) => ({
    source: programOf(programs, "source"),
    target: programOf(programs, "target"),
  }));
}

function programOf(programs: Data, side: keyof MovePrograms): DameProgram {
  const primitives = (programs as Partial<Record<keyof MovePrograms, readonly Primitive[]>> | null)?.[side];
  if (!Array.isArray(primitives)) throw new ArtifactError(`${side} program of an artifact: expected a list, got none`);
  try {
    const program = dameProgram(primitives as readonly Primitive[]);
    verifyDame(program);
    return program;
  } catch (error) {
    throw new ArtifactError(`${side} program of an artifact: ${(error as Error).message}`, { cause: error });
  }
}
