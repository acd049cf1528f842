import {
  ArtifactError,
  artifactKey,
  UnsupportedMoveError,
  type Artifact,
  type Backend,
  type Conditions,
  type Data,
  type Kernel,
  type Move,
  type Profile,
} from "@stowage/backend-api";
import { SimpleKernel, type MoveTables } from "./simple-kernel.js";
import { RIGHT_STEPS, type Steps, type Table } from "./steps.js";

const NAME = "simple";
const FORMAT_VERSION = 1;

/** Moves bytes one by one by a table of runs. Right, slow and short; each step can be replaced by a wrong one. */
export class SimpleBackend implements Backend {
  readonly name = NAME;
  readonly steps: Steps;

  constructor(faults: Partial<Steps> = {}) {
    this.steps = { ...RIGHT_STEPS, ...faults };
  }

  supports(moves: readonly Move[], conditions: Conditions) {
    return this.steps.supports(moves, conditions);
  }

  predict(moves: readonly Move[], conditions: Conditions, profile: Profile) {
    return this.steps.predict(moves, conditions, profile);
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const payload = moves.map(({ source, target }) => ({
      source: dataOf(this.steps.tableOf(source)),
      target: dataOf(this.steps.tableOf(target)),
    }));
    const key = artifactKey(NAME, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload };
  }

  load(artifact: Artifact): Kernel {
    if (artifact.backend !== NAME || artifact.formatVersion !== FORMAT_VERSION) {
      const found = `${artifact.backend} ${artifact.formatVersion}`;
      throw new ArtifactError(`artifact: expected one of ${NAME} ${FORMAT_VERSION}, got one of ${found}`);
    }
    return new SimpleKernel(artifact, tablesOf(artifact.payload), this.steps);
  }
}

const dataOf = ({ offsets, lengths, sizeBytes, extentBytes }: Table): Data => ({
  offsets,
  lengths,
  sizeBytes,
  extentBytes,
});

/** Payloads are this backend's own, checked by name and version above. */
const tablesOf = (payload: Data): readonly MoveTables[] => payload as unknown as readonly MoveTables[];
