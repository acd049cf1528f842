import {
  artifactKey,
  requireArtifactOf,
  requireConditions,
  requireMoves,
  SUPPORTED,
  unsupported,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Prediction,
  type Profile,
  type Support,
  isTabled,
} from "@stowage/backend-api";
import { CpuKernel } from "./cpu-kernel.js";
import { dataOfPrograms, programsOf } from "./payload.js";
import { predict } from "./cost-model.js";

/** The backend's name, and the version of what its artifacts hold. */
const NAME = "cpu";
const FORMAT_VERSION = 1;

/**
 * Moves bytes on the host by interpreting DAME programs (Prabhu and Gropp 2017). It is pure TypeScript: it runs
 * wherever JavaScript does, and takes every layout.
 */
export class CpuBackend implements Backend {
  /** Always "cpu". */
  readonly name = NAME;
  /** Always true: it takes every reduction. */
  readonly reduces = true;
  /** Always true: it takes tables of host memory. */
  readonly tables = true;

  /**
   * Whether it takes the moves: always in host and pinned memory, where both sides have the same size and tables lie in
   * host memory.
   */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    const { sourceKind, targetKind, tableKind = "host" } = requireConditions(conditions);
    const unequal = moves.findIndex(({ source, target }) => source.sizeBytes !== target.sizeBytes);
    if (unequal !== -1) return unsupported(`the two sides of move ${unequal} differ in size`);
    if (moves.some(isTabled) && tableKind !== "host")
      return unsupported(`it reads tables of host memory, not of ${tableKind} memory`);
    const strange = [sourceKind, targetKind].find((kind) => kind !== "host" && kind !== "pinned");
    if (strange === undefined) return SUPPORTED;
    return unsupported(`it moves bytes of host and pinned memory; it has no view of ${strange} memory`);
  }

  /** Predicts the times by CPU_COSTS and the profile's section "cpu". */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predict(moves, conditions, profile);
  }

  /** Compiles a DAME program for each scattered side. Throws an UnsupportedMoveError where supports() says no. */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const key = artifactKey(NAME, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload: dataOfPrograms(moves) };
  }

  /**
   * Makes a kernel of an artifact. Throws an ArtifactError for one of another backend or format, or without programs.
   */
  load(artifact: Artifact): Kernel {
    return new CpuKernel(artifact, programsOf(requireArtifactOf(artifact, NAME, FORMAT_VERSION)));
  }
}
