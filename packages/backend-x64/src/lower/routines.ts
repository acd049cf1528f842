import type { Assembler, Label } from "@stowage/asm-x64";
import { dense, type LayoutNode } from "@stowage/ir";
import type { ModePlan } from "../loops/loop-plan.js";

/** "loop": so many children. "clip": a part of a node. "runs": of blocks of varying length, from a known one on. */
export type RoutineKind = "loop" | "clip" | "whole" | "runs";

/** A subroutine of one node. */
export interface Routine {
  readonly kind: RoutineKind;
  readonly node: LayoutNode;
  readonly label: Label;
  readonly plan: ModePlan;
}

/** Copies of a run-time length; `nonTemporal`: the lines inside a long one take non-temporal stores. */
export interface CopyRoutines {
  readonly bytes: Label;
  readonly nonTemporal: Label;
}

/** Nodes whose parts are found by the same code: streams, blocks with tables of 4 or 8 bytes an entry, sequences. */
export type ClipKind = "stream" | "blocks4" | "blocks8" | "sequence";

const ANY_RUN: LayoutNode = dense(1);

/** The subroutines that a program calls: each has its label when it is first called, and is written once. */
export class Routines {
  readonly #asm: Assembler;
  /** Routines of each node, which are few. */
  readonly #byNode = new Map<LayoutNode, Routine[]>();
  readonly #pending: Routine[] = [];
  readonly #clips = new Map<ClipKind, Label>();
  #copies: CopyRoutines | undefined;

  constructor(asm: Assembler) {
    this.#asm = asm;
  }

  /** The subroutine of a node; it is written when the queue is drained. */
  of(kind: RoutineKind, wanted: LayoutNode, plan: ModePlan): Label {
    // A part of a run is found alike whatever its length.
    const node = kind === "clip" && wanted.kind === "dense" ? ANY_RUN : wanted;
    const known = this.#byNode.get(node) ?? [];
    const found = known.find((routine) => routine.kind === kind && routine.plan === plan);
    if (found !== undefined) return found.label;
    const routine = { kind, node, label: this.#asm.label(), plan };
    known.push(routine);
    this.#byNode.set(node, known);
    this.#pending.push(routine);
    return routine.label;
  }

  /** The next subroutine to write. */
  next(): Routine | undefined {
    return this.#pending.pop();
  }

  /** The code that finds parts of all nodes of a kind; written at the end. */
  clip(kind: ClipKind): Label {
    const label = this.#clips.get(kind) ?? this.#asm.label();
    this.#clips.set(kind, label);
    return label;
  }

  get clips(): ReadonlyMap<ClipKind, Label> {
    return this.#clips;
  }

  /** The copies of a run-time length; written at the end. */
  copies(): CopyRoutines {
    return (this.#copies ??= { bytes: this.#asm.label(), nonTemporal: this.#asm.label() });
  }

  /** The copies of a run-time length, where something has called them. */
  get calledCopies(): CopyRoutines | undefined {
    return this.#copies;
  }
}
