import {
  BindingError,
  checkBinding,
  checkBindings,
  regionAt,
  SUPPORTED,
  type Binding,
  type Conditions,
  type Memory,
  type Move,
  type Prediction,
  type Profile,
  type Support,
} from "@stowage/backend-api";
import { runs, type Layout } from "@stowage/ir";

/** The byte runs of one element, as data. */
export interface Table {
  readonly offsets: Float64Array;
  readonly lengths: Float64Array;
  readonly sizeBytes: number;
  readonly extentBytes: number;
}

export interface Piece {
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

/** What one move copies: a run of bytes from one place to another. */
export interface Copy {
  readonly from: Uint8Array;
  readonly fromAt: number;
  readonly to: Uint8Array;
  readonly toAt: number;
  readonly length: number;
}

/** The steps of a simple backend, each a function that a seeded fault can replace. */
export interface Steps {
  readonly supports: (moves: readonly Move[], conditions: Conditions) => Support;
  readonly predict: (moves: readonly Move[], conditions: Conditions, profile: Profile) => Prediction;
  readonly tableOf: (layout: Layout) => Table;
  readonly piecesOf: (table: Table, binding: Binding) => Iterable<Piece>;
  readonly copy: (copy: Copy) => void;
  /** All copies of one launch. */
  readonly launch: (copies: readonly Copy[], copy: (step: Copy) => void) => void;
  readonly check: (moves: readonly Move[], bindings: readonly Binding[], conditions: Conditions) => void;
  readonly checkOne: (moves: readonly Move[], i: number, binding: Binding, conditions: Conditions) => void;
}

function tableOf(layout: Layout): Table {
  const met = [...runs(layout, { count: 1, first: 0, length: layout.sizeBytes })];
  return {
    offsets: Float64Array.from(met, ({ offsetBytes }) => offsetBytes),
    lengths: Float64Array.from(met, ({ lengthBytes }) => lengthBytes),
    sizeBytes: layout.sizeBytes,
    extentBytes: layout.extentBytes,
  };
}

/** The runs of a range, clipped to it. */
function* piecesOf(table: Table, { count, first, length }: Binding): Generator<Piece> {
  if (length === 0) return;
  const firstElement = Math.floor(first / table.sizeBytes);
  let skip = first - firstElement * table.sizeBytes;
  let left = length;
  for (let element = firstElement; element < count && left > 0; element++) {
    for (let run = 0; run < table.offsets.length && left > 0; run++) {
      const passed = Math.min(skip, table.lengths[run] as number);
      skip -= passed;
      const lengthBytes = Math.min((table.lengths[run] as number) - passed, left);
      const offsetBytes = element * table.extentBytes + (table.offsets[run] as number) + passed;
      if (lengthBytes > 0) yield { offsetBytes, lengthBytes };
      left -= lengthBytes;
    }
  }
}

function copy({ from, fromAt, to, toAt, length }: Copy): void {
  for (let i = 0; i < length; i++) to[toAt + i] = from[fromAt + i] as number;
}

export const RIGHT_STEPS: Steps = {
  supports: ({ length }, { sourceKind, targetKind }) => {
    if (sourceKind === "host" && targetKind === "host" && length > 0) return SUPPORTED;
    return { ok: false, reason: `host memory on both sides only, not ${sourceKind} to ${targetKind}` };
  },
  predict: (moves, { count }) => {
    const bytes = moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    return { commitNs: 1000 + bytes, runNs: 100 + bytes * (count === "any" ? 1 : count) };
  },
  tableOf,
  piecesOf,
  copy,
  launch: (copies, step) => copies.forEach(step),
  check: checkBindings,
  checkOne: checkBinding,
};

/** The bytes of a memory from an offset on, and where in them the offset lies. */
export function bytesAt(memory: Memory, offsetBytes: number): { readonly bytes: Uint8Array; readonly at: number } {
  const region = regionAt(memory, offsetBytes);
  const bytes = region?.buffer.bytes;
  if (region === undefined || bytes === undefined || bytes.length < region.buffer.sizeBytes) {
    throw new BindingError("memory", "the bytes that were bound", "a detached buffer");
  }
  return { bytes, at: offsetBytes - region.startBytes };
}
