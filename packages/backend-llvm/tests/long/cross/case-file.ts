import { conditions, type Artifact } from "@stowage/backend-api";
import { link, type LlvmBackend } from "../../../src/index.js";
import { entryNames } from "../../../src/lower/program.js";
import { payloadOf } from "../../../src/payload.js";
import type { GoldenMove } from "../../golden-moves.js";

/** Moves of one image: few enough that a failure is soon compiled again. */
const MOVES_AN_IMAGE = 50;

/** What run-cases.c reads: every move as a whole and in parts. */
export function caseFile(backend: LlvmBackend, moves: readonly GoldenMove[]): Uint8Array {
  const groups = Array.from({ length: Math.ceil(moves.length / MOVES_AN_IMAGE) }, (_, i) =>
    moves.slice(i * MOVES_AN_IMAGE, (i + 1) * MOVES_AN_IMAGE),
  );
  const parts = [numbers(groups.length)];
  for (const group of groups) parts.push(...imageOf(backend, group));
  return Buffer.concat(parts);
}

function imageOf(backend: LlvmBackend, group: readonly GoldenMove[]): readonly Uint8Array[] {
  const artifact: Artifact = backend.compile(
    group.map(({ move }) => move),
    conditions(),
  );
  const { bytes, symbols } = link(payloadOf(artifact).object);
  const entries = entryNames(artifact.moves).map((name) => symbols.get(name) as number);
  const cases = group.flatMap((golden, i) => [
    caseOf(golden, entries[i] as number, [0, golden.length]),
    caseOf(golden, entries[i] as number, [0, ...golden.cuts, golden.length]),
  ]);
  return [numbers(bytes.length), bytes, numbers(cases.length), ...cases.flat()];
}

function caseOf(
  { count, source, target, expected }: GoldenMove,
  entry: number,
  cuts: readonly number[],
): readonly Uint8Array[] {
  const ranges = cuts.slice(1).map((end, i) => [cuts[i] as number, end - (cuts[i] as number)]);
  // The last part first: each finds its own place.
  ranges.reverse();
  return [
    numbers(entry, count, source.origin, target.origin, source.bytes.length, target.bytes.length, ranges.length),
    source.bytes,
    target.bytes,
    expected,
    numbers(...ranges.flat()),
  ];
}

const numbers = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(BigInt64Array.from(values, (value) => BigInt(value)).buffer);
