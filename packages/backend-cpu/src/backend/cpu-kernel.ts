import { checkBindings, DisposedError, type Artifact, type Binding, type Kernel, type Plan } from "@stowage/backend-api";
import { printDame } from "../language/print-dame.js";
import { loadDame } from "../machine/load-dame.js";
import { CpuPlan } from "./cpu-plan.js";
import type { LoadedMove } from "./bound-move.js";
import type { MovePrograms } from "./payload.js";

/** The programs of some moves, linked and ready. */
export class CpuKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #programs: readonly MovePrograms[];
  readonly #loaded: readonly LoadedMove[];
  #disposed = false;

  constructor(artifact: Artifact, programs: readonly MovePrograms[]) {
    this.#artifact = artifact;
    this.#programs = programs;
    this.#loaded = programs.map(({ source, target }, i) => {
      const move = artifact.moves[i] as Artifact["moves"][number];
      return { source: loadDame(source, move.source.extentBytes), target: loadDame(target, move.target.extentBytes) };
    });
  }

  bind(bindings: readonly Binding[]): Plan {
    if (this.#disposed) throw new DisposedError("kernel");
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    return new CpuPlan(moves, conditions, this.#loaded, bindings);
  }

  explain(): string {
    return this.#programs
      .map(({ source, target }) => `# source\n${printDame(source)}\n# target\n${printDame(target)}`)
      .join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }
}
