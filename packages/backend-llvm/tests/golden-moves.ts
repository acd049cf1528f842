import { packMove, unpackMove, type Move } from "@stowage/backend-api";
import { canonicalise, forEachRun, lower, parseDatatype, type Layout } from "@stowage/ir";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A line of the golden file: the packed stream of a type that a real MPI made. */
interface Golden {
  readonly type: unknown;
  readonly count: number;
  readonly size: number;
  readonly buffer: number;
  readonly origin: number;
  readonly sha256: string;
}

/** One direction of a golden type, what it is to move, and what the target is to hold then. */
export interface GoldenMove {
  readonly move: Move;
  readonly count: number;
  readonly length: number;
  readonly source: { readonly bytes: Uint8Array; readonly origin: number };
  readonly target: { readonly bytes: Uint8Array; readonly origin: number };
  readonly expected: Uint8Array;
  /** Where the packed stream is cut. */
  readonly cuts: readonly number[];
}

const GOLDEN = fileURLToPath(new URL("../../cli/golden/openmpi-4.1.4.jsonl", import.meta.url));

/**
 * Every golden type packed, and unpacked unless blocks of it overlap: what an unpack leaves there is undefined (MPI
 * 4.1,
 * section 5.1.11). What Open MPI packed is known by its hash alone: a walk over the runs must give it.
 */
export function goldenMoves(): readonly GoldenMove[] {
  const lines = readFileSync(GOLDEN, "utf8").trim().split("\n");
  return lines.flatMap((line, i) => both(JSON.parse(line) as Golden, i));
}

function both({ type, count, size, buffer, origin, sha256 }: Golden, index: number): readonly GoldenMove[] {
  const layout = canonicalise(lower(parseDatatype(type)));
  const memory = Uint8Array.from({ length: buffer }, (_, i) => (i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7) & 255);
  const length = count * layout.sizeBytes;
  const packed = new Uint8Array(length);
  const isWritten = new Uint8Array(buffer);
  const restored = new Uint8Array(buffer).fill(0xa5);
  walk(layout, count, (offset, at, bytes) => {
    isWritten.fill(1, origin + offset, origin + offset + bytes);
    packed.set(memory.subarray(origin + offset, origin + offset + bytes), at);
    restored.set(memory.subarray(origin + offset, origin + offset + bytes), origin + offset);
  });
  if (createHash("sha256").update(packed).digest("hex") !== sha256 || size !== layout.sizeBytes)
    throw new Error(`golden type ${index}: expected the bytes of its hash, got others`);
  const scattered = { bytes: memory, origin };
  const cuts = [1 / 3, 0.7].map((part) => Math.floor(part * length));
  const pack = {
    move: packMove(layout),
    ...{ count, length, cuts, source: scattered, expected: packed },
    target: { bytes: new Uint8Array(length).fill(0xa5), origin: 0 },
  };
  const unpack = {
    move: unpackMove(layout),
    ...{ count, length, cuts, source: { bytes: packed, origin: 0 }, expected: restored },
    target: { bytes: new Uint8Array(buffer).fill(0xa5), origin },
  };
  const overlaps = isWritten.reduce((sum, written) => sum + written, 0) < length;
  return overlaps ? [pack] : [pack, unpack];
}

function walk(layout: Layout, count: number, visit: (offset: number, at: number, bytes: number) => void): void {
  let at = 0;
  forEachRun(layout, { count, first: 0, length: count * layout.sizeBytes }, (offset, bytes) => {
    visit(offset, at, bytes);
    at += bytes;
  });
}
