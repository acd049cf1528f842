import { integerTable, requireLayout, type Layout, type LayoutNode } from "@stowage/ir";
import type { Primitive } from "../language/primitive.js";
import { dameProgram, type DameProgram } from "../language/program.js";
import { inBlock, primitiveOf } from "./primitive-of.js";

/**
 * Compiles the DAME program of ONE element of a layout, relative to the datatype's address 0. The number of elements
 * and their distance are given when it runs (startState): that is the outermost loop, and no program holds it. A node
 * that several sequences share becomes one subprogram. It takes O(nodes) time, and shares the layout's tables. Throws
 * an ArgumentError for what is no layout.
 */
export function compileDame(layout: Layout): DameProgram {
  requireLayout(layout);
  const emitter = new Emitter();
  emitter.emit({ kind: "EXIT" });
  emitter.emitType(layout.sizeBytes === 0 ? undefined : layout.root, layout.startBytes);
  return emitter.program();
}

type Task =
  | { readonly kind: "node"; readonly node: LayoutNode }
  | { readonly kind: "member"; readonly node: LayoutNode; readonly struct: number; readonly subprograms: number[] }
  | { readonly kind: "bottom" };

const BOTTOM: Task = { kind: "bottom" };

/** Writes a program in preorder. The stack of tasks is explicit, so that nesting depth is no limit. */
class Emitter {
  readonly #primitives: Primitive[] = [];
  readonly #tasks: Task[] = [];
  /** RETURNTOs by the node that their subprogram walks. */
  readonly #subprograms = new Map<LayoutNode, number>();
  /** The subprograms of each STRUCT's members, filled in as they are written. */
  readonly #members = new Map<number, readonly number[]>();

  emit(primitive: Primitive): number {
    return this.#primitives.push(primitive) - 1;
  }

  emitType(root: LayoutNode | undefined, startBytes: number): void {
    if (root !== undefined && startBytes !== 0) this.emit(shifted(root, startBytes));
    this.#tasks.push(BOTTOM);
    if (root === undefined) this.emit({ kind: "CONTIGFINAL", lengthBytes: 0 });
    else this.#tasks.push({ kind: "node", node: root });
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) this.#perform(task);
  }

  program(): DameProgram {
    return dameProgram(
      this.#primitives.map((primitive, index) => {
        const members = this.#members.get(index);
        if (primitive.kind !== "STRUCT" || members === undefined) return primitive;
        return { ...primitive, subprograms: integerTable(members.length, (i) => members[i] as number) };
      }),
    );
  }

  #perform(task: Task): void {
    switch (task.kind) {
      case "node":
        return this.#node(task.node);
      case "member":
        return this.#member(task.node, task.struct, task.subprograms);
      case "bottom":
        this.emit({ kind: "BOTTOM" });
    }
  }

  #node(node: LayoutNode): void {
    const index = this.emit(primitiveOf(node));
    if (node.kind === "sequence") return this.#sequence(node, index);
    if (node.kind === "dense") return;
    const lengthBytes = inBlock(node);
    if (lengthBytes !== undefined) this.emit({ kind: "CONTIGFINAL", lengthBytes });
    else {
      if (this.#primitives[index]?.kind === "INDEX") this.emit({ kind: "CONTIGCHILD" });
      this.#tasks.push({ kind: "node", node: node.child });
    }
  }

  #sequence(node: Extract<LayoutNode, { kind: "sequence" }>, struct: number): void {
    const subprograms: number[] = [];
    this.#members.set(struct, subprograms);
    for (let i = node.members.length - 1; i >= 0; i--) {
      const member = node.members[i] as (typeof node.members)[number];
      if (member.node.sizeBytes > 0) this.#tasks.push({ kind: "member", node: member.node, struct, subprograms });
    }
  }

  #member(node: LayoutNode, struct: number, subprograms: number[]): void {
    const written = this.#subprograms.get(node);
    if (written !== undefined) {
      subprograms.push(written);
      return;
    }
    const index = this.emit({ kind: "RETURNTO", struct });
    this.#subprograms.set(node, index);
    subprograms.push(index);
    this.#tasks.push(BOTTOM, { kind: "node", node });
  }
}

/** A layout that does not start at its datatype's address 0 is one block at its start (paper, section 3.3). */
function shifted(root: LayoutNode, startBytes: number): Primitive {
  return {
    kind: "BLOCKINDEX1",
    count: 1,
    blocklength: 1,
    displacementsBytes: integerTable(1, () => startBytes),
    sizeBytes: root.sizeBytes,
    extentBytes: root.highBytes - root.lowBytes,
  };
}
