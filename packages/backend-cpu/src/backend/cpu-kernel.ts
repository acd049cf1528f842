import {
  checkBindings,
  describeTables,
  DisposedError,
  DONE,
  OPERATIONS,
  type Artifact,
  type Binding,
  type Completion,
  type Kernel,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { printDame } from "../language/print-dame.js";
import type { DameProgram } from "../language/program.js";
import { flattenDame } from "../machine/flatten-dame.js";
import { loadDame } from "../machine/load-dame.js";
import type { LoadedMove } from "./move-machine.js";
import { CpuPlan } from "./cpu-plan.js";
import { MoveCall } from "./move-call.js";
import type { MovePrograms } from "./payload.js";

/** Table entries that explain shows; an index list of a million would hide the program. */
const SHOWN_ENTRIES = 16;

/** The programs of some moves, linked and ready. */
export class CpuKernel implements Kernel {
  readonly #artifact: Artifact;
  readonly #programs: readonly MovePrograms[];
  readonly #loaded: readonly LoadedMove[];
  /** The call of a kernel of one move, once there was one. */
  #call: MoveCall | undefined;
  #disposed = false;

  constructor(artifact: Artifact, programs: readonly MovePrograms[]) {
    this.#artifact = artifact;
    this.#programs = programs;
    this.#loaded = programs.map(({ source, target }, i) => {
      const move = artifact.moves[i] as Move;
      return { move, source: loaded(source, move.source), target: loaded(target, move.target) };
    });
  }

  bind(bindings: readonly Binding[]): Plan {
    this.#requireUsed();
    const { moves, conditions } = this.#artifact;
    checkBindings(moves, bindings, conditions);
    return new CpuPlan(moves, conditions, this.#loaded, bindings);
  }

  call(bindings: readonly Binding[]): Completion {
    this.#requireUsed();
    const loaded = this.#loaded[0];
    const binding = Array.isArray(bindings) ? (bindings as readonly Binding[])[0] : undefined;
    if (loaded !== undefined && binding !== undefined && this.#loaded.length === 1 && bindings.length === 1) {
      this.#call ??= new MoveCall(loaded, this.#artifact.conditions);
      if (this.#call.run(binding)) return DONE;
    }
    return this.bind(bindings).run();
  }

  /** The DAME program of one element on each side of each move; long tables are shortened. */
  explain(): string {
    this.#requireUsed();
    const explained = this.#artifact.moves.map((move, i) => {
      const tables = describeTables(move.tables);
      return `${tables === undefined ? "" : `; ${tables}\n`}${explainMove(move, this.#programs[i] as MovePrograms)}`;
    });
    return explained.join("\n");
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
  }

  #requireUsed(): void {
    if (this.#disposed) throw new DisposedError("kernel of backend cpu");
  }
}

const loaded = (program: DameProgram, { extentBytes }: Layout) => flattenDame(loadDame(program, extentBytes));

const explainMove = (move: Move, { source, target }: MovePrograms): string =>
  `${explainReduction(move)}${explainSide("source", move.source, source)}\n${explainSide("target", move.target, target)}`;

const explainReduction = ({ reduction }: Move): string =>
  reduction === undefined
    ? ""
    : `# ${reduction.op} of ${reduction.element}, s of the source, t of the target: t = ${OPERATIONS[reduction.op].meaning}\n`;

function explainSide(name: string, { sizeBytes, extentBytes }: Layout, program: DameProgram): string {
  const heading = `# ${name}: ${sizeBytes} bytes an element, elements ${extentBytes} bytes apart\n`;
  return heading + printDame(program, { tableEntries: SHOWN_ENTRIES });
}
