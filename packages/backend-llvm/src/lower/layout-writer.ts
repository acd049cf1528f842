import type { Blocks, LayoutNode, Sequence, Stream } from "@stowage/ir";
import { copyRun, moveCountOf, type Run } from "./copy.js";
import type { FunctionWriter, Value } from "./function-writer.js";
import type { Body, ModuleWriter } from "./module-writer.js";
import { moved, PARAMETERS, type Facts, type NodeWriter, type Spot } from "./node-writer.js";
import { roundsOf } from "./rounds.js";
import { simplified } from "./simplify.js";
import { TableWriter } from "./table-writer.js";

/** Moves that are written out one by one; more are loops, each in a function of its own. */
const MOST_WRITTEN_OUT = 32;

/** Writes moves of nodes in one direction; each node is written once. */
export class LayoutWriter implements NodeWriter {
  readonly module: ModuleWriter;
  readonly facts: Facts;
  readonly #functions = new Map<LayoutNode, Map<string, string>>();
  readonly #simplified = new Map<LayoutNode, LayoutNode>();
  readonly #moves = new Map<LayoutNode, number>();
  readonly #tables = new Map<Blocks, TableWriter>();

  constructor(module: ModuleWriter, facts: Facts) {
    this.module = module;
    this.facts = facts;
  }

  functionOf(node: LayoutNode, kind: string, body: Body): string {
    const known = this.#functions.get(node) ?? new Map<string, string>();
    this.#functions.set(node, known);
    const name = known.get(kind) ?? this.module.declareNode(kind, body);
    known.set(kind, name);
    return name;
  }

  run({ scattered, packed }: Spot): Run {
    return this.facts.direction === "pack" ? { from: scattered, to: packed } : { from: packed, to: scattered };
  }

  whole(f: FunctionWriter, any: LayoutNode, spot: Spot): void {
    const node = this.simple(any);
    if (node.sizeBytes === 0) return;
    if (node.kind === "dense")
      return copyRun(f, this.module.processor, node.lengthBytes, this.run(spot), this.facts.alignment);
    if (this.movesOf(node) <= MOST_WRITTEN_OUT) return this.#parts(f, node, spot, 0, partsOf(node));
    const name = this.functionOf(node, "parts", (g) => {
      this.#parts(
        g,
        node,
        PARAMETERS,
        node.kind === "sequence" ? 0 : "%from",
        node.kind === "sequence" ? partsOf(node) : "%to",
      );
      g.do("ret void");
    });
    call(f, name, spot, 0, partsOf(node));
  }

  children(f: FunctionWriter, node: Stream, spot: Spot, from: Value, to: Value): void {
    const name = this.functionOf(node, "parts", (g) => {
      this.#parts(g, node, PARAMETERS, "%from", "%to");
      g.do("ret void");
    });
    call(f, name, spot, from, to);
  }

  clip(f: FunctionWriter, any: LayoutNode, spot: Spot, low: Value, high: Value): void {
    const node = this.simple(any);
    if (node.kind === "dense") {
      const here = { scattered: f.at(spot.scattered, low), packed: f.at(spot.packed, low) };
      return this.module.copy(f, this.run(here), f.subtract(high, low));
    }
    const name = this.functionOf(node, "clip", (g) => {
      this.#clipParts(g, node);
      g.do("ret void");
    });
    call(f, name, spot, low, high);
  }

  /** The node that is written in place of one. */
  simple(node: LayoutNode): LayoutNode {
    const known = this.#simplified.get(node);
    if (known !== undefined) return known;
    const made = simplified(node);
    this.#simplified.set(node, made);
    return made;
  }

  movesOf(any: LayoutNode): number {
    const node = this.simple(any);
    const known = this.#moves.get(node);
    if (known !== undefined) return known;
    const moves = this.#countMoves(node);
    this.#moves.set(node, moves);
    return moves;
  }

  #countMoves(node: LayoutNode): number {
    switch (node.kind) {
      case "dense":
        return moveCountOf(node.lengthBytes, this.module.processor.vectorBytes);
      case "stream":
        return node.sizeBytes === 0 ? 0 : node.count * this.movesOf(node.child);
      case "blocks":
        return Infinity;
      case "sequence":
        return node.members.reduce((sum, member) => sum + this.movesOf(member.node), 0);
    }
  }

  #parts(f: FunctionWriter, node: Exclude<LayoutNode, { kind: "dense" }>, spot: Spot, from: Value, to: Value): void {
    if (node.kind === "sequence") return this.#members(f, node, spot);
    if (node.kind === "blocks") return this.#table(node).parts(f, spot, from, to);
    let next = from;
    for (const { children, followed = 0, moves, emit } of roundsOf(this, node, from, to)) {
      const few = (rounds: number): boolean => rounds * moves <= MOST_WRITTEN_OUT;
      next = f.loop(next, f.subtract(to, followed), children, (i) => emit(f, this.childSpot(f, node, spot, i)), few);
    }
  }

  #members(f: FunctionWriter, { members }: Sequence, spot: Spot): void {
    let packed = 0;
    for (const { offsetBytes, node } of members) {
      if (node.sizeBytes > 0) this.whole(f, node, moved(f, spot, offsetBytes, packed));
      packed += node.sizeBytes;
    }
  }

  /** Where child i of a stream lies. */
  childSpot(f: FunctionWriter, { strideBytes, child }: Stream, spot: Spot, i: Value): Spot {
    return moved(f, spot, f.multiply(i, strideBytes), f.multiply(i, child.sizeBytes));
  }

  #clipParts(f: FunctionWriter, node: Exclude<LayoutNode, { kind: "dense" }>): void {
    switch (node.kind) {
      case "stream":
        return this.#clipEqual(
          f,
          node.child,
          (i) => this.childSpot(f, node, PARAMETERS, i),
          (from, to) => this.children(f, node, PARAMETERS, from, to),
        );
      case "blocks":
        return this.#table(node).clip(f, PARAMETERS);
      case "sequence":
        return this.#clipMembers(f, node);
    }
  }

  /** Bytes [%from, %to) of children of one size: the rest of one, whole ones, the start of one. */
  #clipEqual(
    f: FunctionWriter,
    child: LayoutNode,
    spotOf: (i: Value) => Spot,
    whole: (from: Value, to: Value) => void,
  ): void {
    const { sizeBytes } = child;
    if (sizeBytes === 0) return;
    const divided = (x: string): [string, string] => {
      const quotient = f.value(`udiv i64 ${x}, ${sizeBytes}`);
      return [quotient, f.value(`sub i64 ${x}, ${f.multiply(quotient, sizeBytes)}`)];
    };
    const [[first, skipped], [last, ending]] = [divided("%from"), divided("%to")];
    f.returnWhen(f.compare("eq", first, last), () => this.clip(f, child, spotOf(first), skipped, ending));
    const starts = f.compare("ne", skipped, 0);
    f.when(starts, () => this.clip(f, child, spotOf(first), skipped, sizeBytes));
    whole(f.add(first, f.value(`zext i1 ${starts} to i64`)), last);
    f.when(f.compare("ne", ending, 0), () => this.clip(f, child, spotOf(last), 0, ending));
  }

  #clipMembers(f: FunctionWriter, { members }: Sequence): void {
    let packed = 0;
    for (const { offsetBytes, node } of members) {
      if (node.sizeBytes === 0) continue;
      const low = clamped(f, f.subtract("%from", packed), node.sizeBytes);
      const high = clamped(f, f.subtract("%to", packed), node.sizeBytes);
      const spot = (): Spot => moved(f, PARAMETERS, offsetBytes, packed);
      f.when(f.compare("slt", low, high), () => this.clip(f, node, spot(), low, high));
      packed += node.sizeBytes;
    }
  }

  #table(node: Blocks): TableWriter {
    const known = this.#tables.get(node);
    if (known !== undefined) return known;
    const made = new TableWriter(this, node, {
      clipEqual: (f, spotOf, whole) => this.#clipEqual(f, node.child, spotOf, whole),
    });
    this.#tables.set(node, made);
    return made;
  }
}

function call(f: FunctionWriter, name: string, { scattered, packed }: Spot, from: Value, to: Value): void {
  f.do(`call fastcc void ${name}(ptr ${scattered}, ptr ${packed}, i64 ${from}, i64 ${to})`);
}

/** A value between 0 and `most`. */
const clamped = (f: FunctionWriter, value: Value, most: number): string =>
  f.lesser(f.value(`select i1 ${f.compare("slt", value, 0)}, i64 0, i64 ${value}`), most);

const partsOf = (node: Exclude<LayoutNode, { kind: "dense" }>): number =>
  node.kind === "stream" ? node.count : node.kind === "blocks" ? node.displacementsBytes.length : 1;
