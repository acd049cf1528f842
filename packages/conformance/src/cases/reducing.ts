import {
  ELEMENT_NAMES,
  ELEMENTS,
  isDefinedFor,
  OPERATION_NAMES,
  reduceMove,
  type Backend,
  type Move,
  type Reduction,
} from "@stowage/backend-api";
import * as fc from "fast-check";
import { unpackInto } from "../memory/move-bytes.js";
import type { Range } from "../reference/byte-map.js";
import { reduceInto } from "../reference/reference-reduce.js";
import type { LawSettings } from "../settings.js";
import { conditionsFor, transferFor, wholeOf } from "./directed.js";
import { kernelFor } from "./kernel-for.js";
import type { Resources } from "./resources.js";
import type { Transfer } from "./transfer.js";
import { anyTrial, type Trial } from "./trial.js";

/** A reduction of a datatype, its packed stream cut in two at some element. */
export interface Reducing {
  readonly trial: Trial;
  /** Which of the reductions that the datatype's runs can hold. */
  readonly which: number;
  readonly cut: number;
  readonly mode: "bind" | "rebind" | "call";
}

const REDUCTIONS: readonly Reduction[] = OPERATION_NAMES.flatMap((op) =>
  ELEMENT_NAMES.filter((element) => isDefinedFor(op, element)).map((element) => ({ op, element })),
);

/** Sums and products of floating-point numbers are made of bits that are no NaN; parts of two would be. */
const makesNumbers = ({ op, element }: Reduction): boolean =>
  (op === "MPI_SUM" || op === "MPI_PROD") && ["float", "complex"].includes(ELEMENTS[element].kind);

export const anyReducing = (settings: LawSettings, disjoint: boolean): fc.Arbitrary<Reducing> =>
  fc.record({
    which: fc.nat({ max: 100_000 }),
    cut: fc.nat({ max: 10_000 }),
    mode: fc.constantFrom("bind", "rebind", "call"),
    trial: anyTrial(settings, { disjoint }),
  });

/** One that no run of the datatype cuts an element of; those of long elements as often as of short ones. */
export function reductionFor({ trial, which }: Reducing, disjoint: boolean): Reduction {
  const fits = REDUCTIONS.filter((reduction) => {
    const { sizeBytes } = ELEMENTS[reduction.element];
    if (!disjoint && makesNumbers(reduction)) return false;
    return trial.subject.map.entries.every(({ lengthBytes }) => lengthBytes % sizeBytes === 0);
  });
  const longest = Math.max(...fits.map(({ element }) => ELEMENTS[element].sizeBytes));
  const long = fits.filter(({ element }) => ELEMENTS[element].sizeBytes === longest);
  const among = which % 2 === 0 ? fits : long;
  return among[Math.floor(which / 2) % among.length] as Reduction;
}

/** Both ranges, the later one first where the cut is odd. */
export function rangesOf({ trial, cut }: Reducing, { element }: Reduction): readonly Range[] {
  const { count, length } = wholeOf(trial);
  const { sizeBytes } = ELEMENTS[element];
  const at = (cut % (length / sizeBytes + 1)) * sizeBytes;
  const parts = [
    { count, first: 0, length: at },
    { count, first: at, length: length - at },
  ];
  return cut % 2 === 0 ? parts : parts.reverse();
}

/** A reducing move with memory, and what that must hold. */
export class ReducingTransfer {
  readonly move: Move;
  readonly transfer: Transfer;
  readonly #reduction: Reduction;
  #expected;

  constructor(settings: LawSettings, resources: Resources, { trial }: Reducing, reduction: Reduction) {
    const whole = wholeOf(trial);
    this.#reduction = reduction;
    this.move = reduceMove(trial.subject.layout, reduction);
    this.transfer = transferFor(settings, resources, trial, "unpack", whole, 1);
    if (makesNumbers(reduction)) this.#fillWithNumbers(trial, whole);
    this.#expected = this.transfer.target.arena.image();
  }

  kernel(settings: LawSettings, resources: Resources, backend: Backend) {
    const conditions = conditionsFor(settings, { direction: "unpack", alignment: 1, count: "any" });
    return kernelFor(resources, backend, [this.move], conditions);
  }

  expect(range: Range): void {
    const { target } = this.transfer;
    reduceInto(this.#expected, target.subject.map, range, this.transfer.expectedPacked(range), this.#reduction);
  }

  problem(): string | undefined {
    return this.transfer.problemAgainst(this.#expected);
  }

  #fillWithNumbers(trial: Trial, whole: Range): void {
    const { target } = this.transfer;
    this.transfer.provide(whole, numbers(whole.length, this.#reduction, trial.pattern.seed));
    const image = target.arena.image();
    unpackInto(image, target.subject.map, whole, numbers(whole.length, this.#reduction, trial.pattern.seed + 1));
    target.arena.restore(image);
  }
}

/** Numbers of differing magnitude and sign whose sums and products are rounded, and are numbers. */
function numbers(lengthBytes: number, { element }: Reduction, seed: number): Uint8Array {
  const isSingle = element === "float32" || element === "complex64";
  const values = Array.from({ length: lengthBytes / (isSingle ? 4 : 8) }, (_, i) => {
    const mixed = Math.imul(i + seed, 0x9e3779b1) >>> 0;
    return ((mixed / 2 ** 32 - 0.5) * 2 ** (mixed % 13)) / 3;
  });
  return new Uint8Array((isSingle ? new Float32Array(values) : new Float64Array(values)).buffer);
}
