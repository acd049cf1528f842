import type { Blocks, IntegerTable, Layout, LayoutNode, Member } from "@stowage/ir";
import { integerTable } from "@stowage/ir";
import type { AddressIndex } from "./address-index.js";
import { PiecesIndex } from "./pieces-index.js";
import { RepeatIndex, type Repetition } from "./repeat-index.js";
import { RunIndex } from "./run-index.js";

/** The bytes of `count` elements by address, from the root's zero of element zero; undefined where no byte moves. */
export function indexOf(layout: Layout, count: number): AddressIndex | undefined {
  if (layout.sizeBytes === 0 || count === 0) return undefined;
  const { root, sizeBytes, extentBytes } = layout;
  const elements: Repetition[] = count === 1 ? [] : [{ count, strideBytes: extentBytes, packedStepBytes: sizeBytes }];
  return new Builder().repeated(elements, root);
}

/**
 * A level whose copies may stand inside or outside its neighbours': the address order does not ask for the packed one.
 */
type Level =
  | { readonly kind: "repeat"; readonly stepBytes: number; readonly repetition: Repetition }
  | { readonly kind: "table"; readonly stepBytes: number; readonly starts: IntegerTable; readonly packedStep: number };

class Builder {
  readonly #known = new Map<LayoutNode, AddressIndex>();

  /** Levels that all copy one node, the farthest apart outermost: then few copies lie across any address. */
  repeated(outer: readonly Repetition[], root: LayoutNode): AddressIndex {
    const levels = outer.map(levelOf);
    let node = root;
    for (; node.kind !== "dense" && node.kind !== "sequence"; node = node.child) {
      if (node.kind === "blocks" && node.blocklengths !== 1) break;
      levels.push(node.kind === "stream" ? levelOf(streamOf(node)) : tableOf(node));
    }
    let index = this.#irreducible(node);
    for (const level of levels.sort((a, b) => a.stepBytes - b.stepBytes)) index = over(level, index);
    return index;
  }

  #irreducible(node: LayoutNode): AddressIndex {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const made = this.#made(node);
    this.#known.set(node, made);
    return made;
  }

  #made(node: LayoutNode): AddressIndex {
    switch (node.kind) {
      case "dense":
        return new RunIndex(node.lengthBytes);
      case "sequence": {
        const members = node.members.filter((member) => member.node.sizeBytes > 0);
        const pieces = members.map((member) => this.repeated([], member.node));
        const packed = prefixSums(pieces.length, (i) => (pieces[i] as AddressIndex).sizeBytes);
        const starts = integerTable(members.length, (i) => (members[i] as Member).offsetBytes);
        return new PiecesIndex({
          starts,
          packedAt: (i) => packed[i] as number,
          pieces,
          numbers: counting(pieces.length),
        });
      }
      case "blocks":
        return this.#varying(node);
      case "stream":
        return this.repeated([], node);
    }
  }

  /** Blocks of unlike lengths; equal lengths share one piece. */
  #varying(node: Blocks): AddressIndex {
    const { strideBytes, child } = node;
    const { starts, lengths } = withoutEmpty(node);
    const inner = this.repeated([], child);
    const isRun = child.kind === "dense" && strideBytes === child.lengthBytes;
    const pieces: AddressIndex[] = [];
    const numberOf = new Map<number, number>();
    const numbers = new Uint32Array(starts.length);
    for (let i = 0; i < starts.length; i++) {
      const count = lengths[i] as number;
      const known = numberOf.get(count);
      numbers[i] = known ?? pieces.length;
      if (known !== undefined) continue;
      numberOf.set(count, pieces.length);
      const repetition = { count, strideBytes, packedStepBytes: child.sizeBytes };
      pieces.push(isRun ? new RunIndex(count * child.sizeBytes) : new RepeatIndex(repetition, inner));
    }
    const packed = prefixSums(starts.length, (i) => (pieces[numbers[i] as number] as AddressIndex).sizeBytes);
    return new PiecesIndex({ starts, packedAt: (i) => packed[i] as number, pieces, numbers });
  }
}

/** The blocks that hold bytes: the others have no place. */
function withoutEmpty({ displacementsBytes, blocklengths }: Blocks): { starts: IntegerTable; lengths: IntegerTable } {
  const lengths = blocklengths === 1 ? new Int32Array(displacementsBytes.length).fill(1) : blocklengths;
  if (!lengths.includes(0)) return { starts: displacementsBytes, lengths };
  const isKept = (_: number, i: number): boolean => lengths[i] !== 0;
  return { starts: displacementsBytes.filter(isKept), lengths: lengths.filter(isKept) };
}

/** 0, 1, 2 and so on: every piece is another. */
const counting = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => i);

const streamOf = (node: Extract<LayoutNode, { kind: "stream" }>): Repetition => ({
  count: node.count,
  strideBytes: node.strideBytes,
  packedStepBytes: node.child.sizeBytes,
});

const levelOf = (repetition: Repetition): Level => ({
  kind: "repeat",
  stepBytes: Math.abs(repetition.strideBytes),
  repetition,
});

/** A table's step is the distance between neighbours on average. */
function tableOf({ displacementsBytes: starts, child }: Blocks): Level {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < starts.length; i++) {
    low = Math.min(low, starts[i] as number);
    high = Math.max(high, starts[i] as number);
  }
  return {
    kind: "table",
    stepBytes: (high - low) / Math.max(1, starts.length - 1),
    starts,
    packedStep: child.sizeBytes,
  };
}

function over(level: Level, index: AddressIndex): AddressIndex {
  if (level.kind === "repeat") return new RepeatIndex(level.repetition, index);
  const { starts, packedStep } = level;
  return new PiecesIndex({ starts, packedAt: (i) => i * packedStep, pieces: [index], numbers: undefined });
}

function prefixSums(count: number, at: (i: number) => number): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 1; i < count; i++) sums[i] = (sums[i - 1] as number) + at(i - 1);
  return sums;
}
