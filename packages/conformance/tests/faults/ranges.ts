import { isAddressSpace, type Binding, type Kernel, type Memory } from "@stowage/backend-api";
import { SimpleBackend } from "../simple/simple-backend.js";
import { RIGHT_STEPS, type Copy, type Piece, type Table } from "../simple/steps.js";
import type { Fault } from "./fault.js";
import { watchedMemory } from "../memory/watched-memory.js";
import { planWith, withKernels, withPlans } from "./with-plans.js";

const { piecesOf, copy } = RIGHT_STEPS;

const asking = (change: (binding: Binding, table: Table) => Binding) =>
  new SimpleBackend({ piecesOf: (table, binding) => piecesOf(table, change(binding, table)) });

/** Element numbers are cut to 32 bits. */
function* narrowElements(table: Table, binding: Binding): Generator<Piece> {
  const element = Math.floor(binding.first / table.sizeBytes);
  const shiftBytes = ((element | 0) - element) * table.extentBytes;
  for (const { offsetBytes, lengthBytes } of piecesOf(table, binding)) {
    yield { offsetBytes: offsetBytes + shiftBytes, lengthBytes };
  }
}

/** Reads eight bytes at a time, whatever is left of the run. */
function copyReadingAhead(step: Copy): void {
  const view = new DataView(step.from.buffer, step.from.byteOffset, step.from.byteLength);
  for (let i = 0; i < step.length; i += 8) view.getBigUint64(step.fromAt + i, true);
  copy(step);
}

/** Reads as far as a line of 64 bytes from where the run ends, and not as far as the line that it ends in. */
function copyPastTheLine(step: Copy): void {
  const [end, size] = [step.fromAt + step.length, step.from.length];
  let read = 0;
  for (let at = end; at < Math.min(end + 63, size); at++) read |= step.from[at] as number;
  if (read >= 0) copy(step);
}

const sizeOf = (memory: Memory): number => (isAddressSpace(memory) ? NaN : memory.sizeBytes);

/** Remembers where its first target lies, and takes every other of its length for it. */
function callingIntoTheFirst(kernel: Kernel): Kernel {
  let first: Memory | undefined;
  return {
    bind: (bindings) => kernel.bind(bindings),
    call(bindings, queue) {
      const [binding] = bindings as [Binding];
      first ??= binding.target.memory;
      const isTaken = sizeOf(first) === sizeOf(binding.target.memory);
      const target = isTaken ? { ...binding.target, memory: first } : binding.target;
      return kernel.bind([{ ...binding, target }]).run(queue);
    },
    explain: () => kernel.explain(),
    [Symbol.dispose]: () => kernel[Symbol.dispose](),
  };
}

const WORD_BYTES = 8;

/** Reads the words around every run, puts the runs into them, and writes the words back: gaps and neighbours too. */
function launchByWords(copies: readonly Copy[]): void {
  const words = copies.map((step) => {
    const start = Math.floor(step.toAt / WORD_BYTES) * WORD_BYTES;
    const end = Math.ceil((step.toAt + step.length) / WORD_BYTES) * WORD_BYTES;
    return { start, bytes: step.to.slice(start, end) };
  });
  copies.forEach((step, i) => {
    const { start, bytes } = words[i] as (typeof words)[number];
    copy({ ...step, to: bytes, toAt: step.toAt - start });
    step.to.set(bytes, start);
  });
}

/** Reads everything from the first run to the last, gaps and all. */
function launchOverGaps(copies: readonly Copy[]): void {
  const low = Math.min(...copies.map(({ fromAt }) => fromAt));
  const high = Math.max(...copies.map(({ fromAt, length }) => fromAt + length));
  const [first] = copies;
  let read = 0;
  for (let at = low; first !== undefined && at < high; at++) read ^= first.from[at] as number;
  copies.forEach((step) => (read === -1 ? undefined : copy(step)));
}

const paged = { scattered: watchedMemory(), packed: watchedMemory() };

export const RANGE_FAULTS: readonly Fault[] = [
  {
    name: "ignores where the range begins",
    law: 3,
    says: /target, byte|memory/,
    factory: () => asking((binding) => ({ ...binding, first: 0 })),
  },
  {
    name: "moves all elements when fewer bytes are asked for",
    law: 3,
    says: /target, byte|memory/,
    factory: () =>
      asking((binding, { sizeBytes }) => ({ ...binding, length: binding.count * sizeBytes - binding.first })),
  },
  {
    name: "rounds ranges to whole elements",
    law: 3,
    says: /target, byte|memory/,
    factory: () =>
      asking((binding, { sizeBytes }) => ({ ...binding, first: binding.first - (binding.first % sizeBytes) })),
  },
  {
    name: "drops the last byte of a range",
    law: 3,
    says: /target, byte/,
    factory: () =>
      asking((binding, { sizeBytes }) => {
        const isWhole = binding.length === binding.count * sizeBytes;
        return isWhole ? binding : { ...binding, length: Math.max(0, binding.length - 1) };
      }),
  },
  {
    name: "reads, changes and writes words that neighbours write too",
    law: 3,
    says: /target, byte/,
    factory: () => new SimpleBackend({ launch: launchByWords }),
  },
  {
    name: "cuts element numbers to 32 bits",
    law: 3,
    says: /target, byte|memory/,
    factory: () => new SimpleBackend({ piecesOf: narrowElements }),
  },
  {
    name: "reads past the bytes that it may",
    law: 3,
    says: /Offset is outside the bounds/,
    factory: () => new SimpleBackend({ copy: copyReadingAhead }),
  },
  {
    name: "reads the gaps between runs",
    law: 3,
    says: /page fault at byte/,
    factory: () => new SimpleBackend({ launch: launchOverGaps }),
    options: paged,
  },
  {
    name: "reads past the 64-byte line of a run's last byte",
    law: 3,
    says: /page fault at byte/,
    factory: () => new SimpleBackend({ copy: copyPastTheLine }),
    options: paged,
  },
  {
    name: "keeps its first binding when bound again",
    law: 3,
    says: /bound again: target, byte/,
    factory: () => withPlans(new SimpleBackend(), (plan) => planWith(plan, { rebind: () => undefined })),
  },
  {
    name: "calls into the memory of its first call, where the next is as long",
    law: 3,
    says: /memory \d after a call in memory \d: target, byte/,
    factory: () => withKernels(new SimpleBackend(), callingIntoTheFirst),
  },
  {
    name: "runs the first move of a launch alone",
    law: 3,
    says: /in one launch: target, byte/,
    factory: () =>
      withPlans(new SimpleBackend(), (plan, bindings) => {
        bindings.forEach((binding, i) => {
          if (i > 0) plan.rebind(i, { ...binding, length: 0 });
        });
        return plan;
      }),
  },
];
