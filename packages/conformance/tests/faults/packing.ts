import { directionOf, DONE, packMove, type Backend, type Move, type Plan } from "@stowage/backend-api";
import { RIGHT_STEPS, type Copy, type Table } from "../simple/steps.js";
import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";
import { planWith, withPlans } from "./with-plans.js";

const { tableOf, piecesOf, copy } = RIGHT_STEPS;

const sorted = (table: Table): Table => {
  const order = [...table.offsets.keys()].sort((a, b) => (table.offsets[a] as number) - (table.offsets[b] as number));
  return {
    ...table,
    offsets: Float64Array.from(order, (i) => table.offsets[i] as number),
    lengths: Float64Array.from(order, (i) => table.lengths[i] as number),
  };
};

const displaced = (table: Table, place: (offset: number) => number): Table => ({
  ...table,
  offsets: table.offsets.map(place),
});

/** Copies that go through doubles where both sides are aligned, as JavaScript may quieten a NaN on the way. */
function copyThroughDoubles(step: Copy): void {
  copy(step);
  const view = new DataView(step.to.buffer, step.to.byteOffset);
  for (let i = 0; i + 8 <= step.length; i += 8) {
    const value = view.getFloat64(step.toAt + i, true);
    if (Number.isNaN(value)) view.setFloat64(step.toAt + i, NaN, true);
  }
}

/** A plan that moves bytes the first time alone. */
function rememberingPlan(plan: Plan): Plan {
  let isDone = false;
  return planWith(plan, {
    run: (queue) => {
      const completion = isDone ? DONE : plan.run(queue);
      isDone = true;
      return completion;
    },
  });
}

/** Packs where it was asked to copy from layout to layout. */
function packingCopies(): Backend {
  const right = new SimpleBackend();
  const packed = (move: Move): Move => (directionOf(move) === "copy" ? packMove(move.source) : move);
  return {
    name: right.name,
    supports: (moves, conditions) => right.supports(moves, conditions),
    predict: (moves, conditions, profile) => right.predict(moves, conditions, profile),
    compile: (moves, conditions) => right.compile(moves.map(packed), conditions),
    load: (artifact) => right.load(artifact),
  };
}

export const PACKING_FAULTS: readonly Fault[] = [
  {
    name: "packs runs in the order of memory, as sorting streams by stride does",
    law: 1,
    says: /target, byte/,
    factory: () => new SimpleBackend({ tableOf: (layout) => sorted(tableOf(layout)) }),
  },
  {
    name: "drops the offset of a single stream that does not start at 0",
    law: 1,
    says: /target, byte|memory/,
    factory: () =>
      new SimpleBackend({
        tableOf: (layout) => {
          const table = tableOf(layout);
          return table.offsets.length === 1 ? displaced(table, () => 0) : table;
        },
      }),
  },
  {
    name: "leaves the last byte of odd runs",
    law: 1,
    says: /target, byte/,
    factory: () => new SimpleBackend({ copy: (step) => copy({ ...step, length: step.length - (step.length % 2) }) }),
  },
  {
    name: "quietens NaNs",
    law: 1,
    says: /target, byte/,
    factory: () => new SimpleBackend({ copy: copyThroughDoubles }),
  },
  {
    name: "wraps offsets at 32 bits",
    law: 1,
    says: /target, byte|memory/,
    factory: () => new SimpleBackend({ tableOf: (layout) => displaced(tableOf(layout), (offset) => offset | 0) }),
  },
  {
    name: "takes strides and extents for positive",
    law: 1,
    says: /target, byte|memory/,
    factory: () =>
      new SimpleBackend({
        piecesOf: (table, binding) => piecesOf({ ...table, extentBytes: Math.abs(table.extentBytes) }, binding),
      }),
  },
  {
    name: "keeps what an earlier run read",
    law: 1,
    says: /second run/,
    factory: () => withPlans(new SimpleBackend(), rememberingPlan),
  },
  {
    name: "puts all elements where the first is",
    law: 1,
    says: /target, byte|memory/,
    factory: () =>
      new SimpleBackend({
        piecesOf: (table, binding) => piecesOf({ ...table, extentBytes: table.sizeBytes }, binding),
      }),
  },
  {
    name: "takes the target of a copy for packed",
    law: 1,
    says: /copy from layout to layout: target, byte|expected (bytes within|each block)/,
    factory: packingCopies,
  },
];
