import { predefined, vector } from "@stowage/ir";
import type { Message } from "../message/place/message.js";
import type { AccumulateLine, AccumulateTerms } from "./accumulate-plan.js";

/** Doubles of each probe: in one block, in blocks of 8 bytes, and more of them in one block. */
const FEW = 64;
const MANY = 2048;
const DOUBLE_BYTES = 8;
/** The first runs compile, and make the MPI's own connections. */
const RUNS = 5;

/** What is asked of a window. */
interface Probed {
  accumulate(origin: Message, target: number): void;
  fence(options?: { readonly last?: boolean }): void;
  free(): void;
}

/** Opens a window of the same ranks; all of them do. */
export type Open = (memory: Float64Array, carrier: "native" | "packed") => Probed;

/**
 * What accumulates to the next rank take by both carriers, between fences. All ranks call it; each gets its own
 * figures.
 */
export function measureAccumulates(open: Open, next: number): AccumulateTerms {
  return { native: lineOf(open, "native", next), packed: lineOf(open, "packed", next) };
}

function lineOf(open: Open, carrier: "native" | "packed", next: number): AccumulateLine {
  const window = open(new Float64Array(MANY), carrier);
  const probe = (doubles: number, blocks: number): number => least(window, next, doubles, blocks);
  const [one, scattered, many] = [probe(FEW, 1), probe(FEW, FEW), probe(MANY, 1)];
  window.free();
  const perByteNs = Math.max(0, (many - one) / ((MANY - FEW) * DOUBLE_BYTES));
  return {
    baseNs: Math.max(0, one - FEW * DOUBLE_BYTES * perByteNs),
    perBlockNs: Math.max(0, (scattered - one) / FEW),
    perByteNs,
  };
}

function least(window: Probed, next: number, doubles: number, blocks: number): number {
  const datatype = vector(blocks, doubles / blocks, (2 * doubles) / blocks, predefined("MPI_DOUBLE"));
  const origin = { buffer: new Float64Array(2 * doubles), datatype, count: 1 };
  let ns = Infinity;
  for (let run = 0; run < RUNS; run++) {
    window.fence();
    const start = performance.now();
    window.accumulate(origin, next);
    window.fence({ last: true });
    ns = Math.min(ns, (performance.now() - start) * 1e6);
  }
  return ns;
}
