import {
  divideByConstant,
  divideByShortMagic,
  narrowMagicOf,
  shortMagicOf,
  type Builder,
  type Value,
} from "@stowage/ptx";
import { KIND, NODE, NODE_BYTES } from "../encode/node-record.js";
import { pointAt, type Point } from "./point.js";
import { CACHED, search, signExtended, type ListTables } from "./search.js";
import type { Walker, WalkContext } from "./walk.js";

/** One side's records and the tables behind them, known when the kernel is built. */
export interface StaticSide {
  readonly nodes: Uint8Array;
  readonly lookaside: Uint8Array;
  readonly root: 0 | 1;
}

/**
 * The walk over records, carried out while the kernel is built: the tree is unrolled, sizes and strides are
 * constants, and what is left are the lists' loads.
 */
export function staticWalker(context: WalkContext, side: StaticSide): Walker {
  const reader = new StaticReader(context, side);
  const start = side.root * NODE_BYTES;
  return {
    offsets(positions) {
      const points = positions.map((position) => pointAt(context.k, context.positionType, position));
      reader.descend(start, points);
      return points.map(({ offset }) => offset);
    },
    run(position) {
      const restBytes = context.k.variable(context.positionType, 0);
      const point = { ...pointAt(context.k, context.positionType, position), restBytes };
      reader.descend(start, [point]);
      return { offset: point.offset, restBytes };
    },
  };
}

/** Sequences of more members are walked by the generic kernel. */
const MOST_MEMBERS = 16;
const MOST_NODES = 128;

/** Whether unrolling a side's tree gives a kernel of reasonable length. */
export function canUnroll({ nodes, lookaside, root }: StaticSide, tableBits: 32 | 64): boolean {
  const view = new DataView(nodes.buffer, nodes.byteOffset, nodes.byteLength);
  const waiting = [root * NODE_BYTES];
  for (let met = 0; waiting.length > 0; met++) {
    const at = waiting.pop() as number;
    const kind = view.getUint32(at + NODE.kind, true);
    if (met >= MOST_NODES) return false;
    if (kind === KIND.sequence) {
      const members = membersOf(view, lookaside, at, tableBits);
      if (members.length > MOST_MEMBERS) return false;
      waiting.push(...members.map(({ node }) => node));
    } else if (kind !== KIND.dense) waiting.push(view.getUint32(at + NODE.child, true));
  }
  return true;
}

/** All that a kernel with this side built in depends on. */
export function sideText(side: StaticSide, tableBits: 32 | 64): string {
  const { nodes, lookaside, root } = side;
  const view = new DataView(nodes.buffer, nodes.byteOffset, nodes.byteLength);
  const texts = [String(root)];
  for (let at = 0; at < nodes.byteLength; at += NODE_BYTES) {
    texts.push(nodes.subarray(at, at + NODE_BYTES).join());
    if (view.getUint32(at + NODE.kind, true) !== KIND.sequence) continue;
    const members = membersOf(view, lookaside, at, tableBits);
    texts.push(members.map(({ prefix, displacement, node }) => `${prefix} ${displacement} ${node}`).join());
  }
  return texts.join(";");
}

interface StaticMember {
  readonly prefix: number;
  readonly displacement: bigint;
  readonly node: number;
}

function membersOf(view: DataView, lookaside: Uint8Array, at: number, tableBits: 32 | 64): readonly StaticMember[] {
  const tables = new DataView(lookaside.buffer, lookaside.byteOffset, lookaside.byteLength);
  const count = Number(view.getBigUint64(at + NODE.childBytes, true));
  const entries = Number(view.getBigUint64(at + NODE.entries, true));
  const children = Number(view.getBigUint64(at + NODE.children, true));
  const word = (index: number): bigint =>
    tableBits === 32
      ? BigInt(tables.getInt32(entries + 4 * index, true))
      : tables.getBigInt64(entries + 8 * index, true);
  return Array.from({ length: count }, (_, i) => ({
    prefix: Number(word(2 * i)),
    displacement: word(2 * i + 1),
    node: tables.getUint32(children + 4 * i, true),
  }));
}

class StaticReader {
  readonly #context: WalkContext;
  readonly #side: StaticSide;
  readonly #view: DataView;

  constructor(context: WalkContext, side: StaticSide) {
    this.#context = context;
    this.#side = side;
    this.#view = new DataView(side.nodes.buffer, side.nodes.byteOffset, side.nodes.byteLength);
  }

  descend(at: number, points: readonly Point[]): void {
    switch (this.#u32(at + NODE.kind)) {
      case KIND.dense:
        return this.#leaf(at, points);
      case KIND.stream:
        this.#stream(at, points);
        break;
      case KIND.listed:
        this.#listed(at, points);
        break;
      case KIND.sequence:
        return points.forEach((point) => this.#sequence(at, point));
      default:
        this.#searched(at, points);
    }
    this.descend(this.#u32(at + NODE.child), points);
  }

  #u32(offset: number): number {
    return this.#view.getUint32(offset, true);
  }

  #u64(offset: number): number {
    return Number(this.#view.getBigUint64(offset, true));
  }

  #leaf(at: number, points: readonly Point[]): void {
    const lengthBytes = this.#u64(at + NODE.childBytes);
    for (const { position, offset, restBytes } of points) {
      offset.set(offset.add(position.to("u64")));
      if (restBytes === undefined) continue;
      const leaf = this.#constant(lengthBytes).sub(position);
      restBytes.set(restBytes.eq(0).select(leaf, restBytes));
    }
  }

  /** A constant position; past what narrow positions reach, any larger one does. */
  #constant(value: number): Value {
    const { k, positionType } = this.#context;
    return k.constant(positionType, positionType === "u32" ? Math.min(value, 2 ** 32 - 1) : value);
  }

  #enterChildren(at: number, points: readonly Point[]): readonly Value[] {
    const childBytes = this.#u64(at + NODE.childBytes);
    const { k, positionType } = this.#context;
    return points.map(({ position }) => {
      const child = this.#quotient(position, childBytes, k);
      position.set(position.sub(positionType === "u32" && childBytes > 2 ** 31 ? 0 : child.mul(childBytes)));
      return child;
    });
  }

  #quotient(position: Value, childBytes: number, k: Builder): Value {
    const narrow = this.#context.positionType === "u32";
    if (Number.isInteger(Math.log2(childBytes)) && childBytes <= 2 ** 31) return divideByConstant(position, childBytes);
    if (narrow && childBytes > 2 ** 31) return k.constant("u32", 0);
    const { multiplier, shift } = narrow ? narrowMagicOf(childBytes) : shortMagicOf(childBytes);
    return divideByShortMagic(position, { multiplier, shift });
  }

  #stream(at: number, points: readonly Point[]): void {
    const stride = this.#view.getBigInt64(at + NODE.strideBytes, true);
    this.#enterChildren(at, points).forEach((child, i) => {
      const { offset } = points[i] as Point;
      offset.set(scaled(child, stride, offset));
    });
  }

  #listed(at: number, points: readonly Point[]): void {
    const { k, lookaside, tableBits } = this.#context;
    const table = lookaside.add(this.#u64(at + NODE.entries));
    const displacements = this.#enterChildren(at, points).map((child) =>
      k.load("global", table.add(child.to("u64").shl(tableBits === 32 ? 2 : 3)), { bits: tableBits }, CACHED),
    );
    points.forEach(({ offset }, i) => offset.set(offset.add(signExtended(displacements[i] as Value))));
  }

  #searched(at: number, points: readonly Point[]): void {
    const { k, lookaside, positionType, tableBits } = this.#context;
    const tables: ListTables = {
      entries: lookaside.add(this.#u64(at + NODE.entries)),
      buckets: lookaside.add(this.#u64(at + NODE.buckets)),
      bucketShift: this.#u32(at + NODE.bucketShift),
    };
    const kind = this.#u32(at + NODE.kind);
    search(k, points, tables, positionType, tableBits).forEach(({ prefix, displacement, nextPrefix }, i) => {
      const { position, offset, restBytes } = points[i] as Point;
      if (restBytes !== undefined && kind === KIND.runs) {
        restBytes.set(nextPrefix.sub(position));
      }
      position.set(position.sub(prefix));
      offset.set(offset.add(displacement));
    });
    if (kind === KIND.blocks) this.#stream(at, points);
  }

  /** Members by halves: a branch for each bit of their number. */
  #sequence(at: number, point: Point): void {
    const { k } = this.#context;
    const members = membersOf(this.#view, this.#side.lookaside, at, this.#context.tableBits);
    const enter = (from: number, to: number): void => {
      const [first] = members.slice(from, to);
      if (first === undefined) return;
      if (to - from === 1) {
        point.position.set(point.position.sub(this.#constant(first.prefix)));
        point.offset.set(point.offset.add(BigInt.asUintN(64, first.displacement)));
        this.descend(first.node, [point]);
        return;
      }
      const middle = (from + to) >> 1;
      const bound = this.#constant((members[middle] as StaticMember).prefix);
      k.if(
        point.position.lt(bound),
        () => enter(from, middle),
        () => enter(middle, to),
      );
    };
    enter(0, members.length);
  }
}

/** child × stride + offset: in one instruction where both factors have 32 bits. */
function scaled(child: Value, stride: bigint, offset: Value): Value {
  const short = child.type === "u32" && stride >= -(2n ** 31n) && stride < 2n ** 31n;
  if (short) return child.to("s32").mulAddWide(stride, offset.to("s64")).to("u64");
  return child.to("u64").mulAdd(BigInt.asUintN(64, stride), offset);
}
