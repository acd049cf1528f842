import {
  ArtifactError,
  artifactKey,
  DeviceError,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Prediction,
  type Profile,
  type Support,
} from "@stowage/backend-api";
import { compileObject } from "./compile.js";
import { hostTarget, machineHere, reasonAgainstRunning, type TargetOrReason } from "./host.js";
import { loadKernel } from "./load-kernel.js";
import { moduleText } from "./lower/program.js";
import { link } from "./object/link.js";
import { effortOf, requireLlvmOptions, type LlvmOptions } from "./options.js";
import { dataOf, FORMAT_VERSION, NAME, payloadOf } from "./payload.js";
import { predict } from "./predict.js";
import { supportOf, supportOfTarget } from "./supports.js";
import { requireFeatures } from "./target.js";

/**
 * Moves bytes of host memory by machine code that LLVM writes for each layout: DAME-L of Prabhu and Gropp (2017),
 * section 4.
 */
export class LlvmBackend implements Backend {
  /** Always "llvm". */
  readonly name = NAME;
  readonly #options: LlvmOptions;

  /**
   * Throws an ArgumentError for what are no options, and an LlvmError where the features are not written as LLVM reads
   * them.
   */
  constructor(options: LlvmOptions = {}) {
    this.#options = requireLlvmOptions(options);
    requireFeatures(options.features ?? "");
  }

  /** Whether it compiles the moves for its target. Code for another triple than this machine's does not load here. */
  supports(moves: readonly Move[], conditions: Conditions): Support {
    return supportOf(moves, conditions, this.#target(), this.#options.library ?? "load");
  }

  /**
   * Predicts the time of a run by the profile's section "x64", whose code has the same loops, and that of committing by
   * LLVM's own time, measured on one processor.
   */
  predict(moves: readonly Move[], conditions: Conditions, profile: Profile): Prediction {
    return predict(moves, conditions, profile);
  }

  /**
   * Compiles the moves to an object file. Throws an UnsupportedMoveError where supports() says no, and where libLLVM
   * turns out to be missing.
   */
  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const found = this.#target();
    if (!("target" in found)) throw new UnsupportedMoveError(NAME, found.reason);
    const { target } = found;
    const loaded = supportOfTarget(target);
    if (!loaded.ok) throw new UnsupportedMoveError(NAME, loaded.reason);
    const effort = effortOf(this.#options);
    const object = compileObject(moves, conditions, target, effort);
    const key = artifactKey(
      [NAME, target.triple, target.features, effort.level, effort.passes].join("-"),
      FORMAT_VERSION,
      moves,
      conditions,
    );
    return {
      backend: NAME,
      formatVersion: FORMAT_VERSION,
      key,
      moves,
      conditions,
      payload: dataOf({ target, object }),
    };
  }

  /**
   * Maps the code of an artifact; no LLVM is needed for it. Throws an ArtifactError for one of another backend, format
   * or processor, and a DeviceError where this process cannot run machine code.
   */
  load(artifact: Artifact): Kernel {
    const { target, object } = payloadOf(artifact);
    const host = hostTarget();
    if (!("target" in host))
      throw new DeviceError(`backend ${NAME}: expected a machine that runs its code, got none: ${host.reason}`);
    const reason = reasonAgainstRunning(target);
    if (reason !== undefined)
      throw new ArtifactError(`target of an ${NAME} artifact: expected one that runs here, got another: ${reason}`);
    const image = link(object);
    if (image.machine !== machineHere())
      throw new ArtifactError(
        `object file of an ${NAME} artifact: expected machine ${machineHere()}, got ${image.machine}`,
      );
    return loadKernel(
      artifact,
      image,
      () => `; ${target.triple} ${target.features}\n${moduleText(artifact.moves, artifact.conditions, target)}`,
    );
  }

  #target(): TargetOrReason {
    const { triple, features } = this.#options;
    if (triple !== undefined) return { target: { triple, features: features ?? "" } };
    const host = hostTarget();
    return "target" in host && features !== undefined ? { target: { ...host.target, features } } : host;
  }
}
