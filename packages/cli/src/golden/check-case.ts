import { createHash } from "node:crypto";
import { conditions, packMove } from "@stowage/backend-api";
import { boundsOf, lower, canonicalise, runs, type Layout } from "@stowage/ir";
import type { Committed, Engine } from "@stowage/selector";
import type { GoldenCase } from "./golden-case.js";
import { packingAlone, type Packing } from "./packing-alone.js";
import { goldenBuffer } from "./pattern.js";
import type { Store } from "./store.js";

/** How far a golden case agrees: nothing where it does, else the first thing that does not, in one line. */
export type Finding = string | undefined;

/** One way to move a case's bytes: a backend, and memory for both sides. */
export interface Way {
  readonly backend: string;
  readonly scattered: Store;
  readonly packed: Store;
  /** The backend takes no unpacks. */
  readonly packsOnly?: boolean;
}

/** Checks one case on one backend: size and bounds, packed bytes, ranges, unpack with canaries. */
export function checkCase(golden: GoldenCase, engine: Engine, way: Way): Finding {
  const layout = canonicalise(lower(golden.datatype, { bounds: golden.bounds }));
  return checkBounds(golden, layout) ?? checkBytes(golden, layout, engine, way);
}

/** Whether the way takes the case at all; where it does not, why. */
export function refusalOf(golden: GoldenCase, engine: Engine, way: Way): string | undefined {
  const layout = canonicalise(lower(golden.datatype, { bounds: golden.bounds }));
  const [memory, packedMemory] = kindsOf(way);
  const backend = engine.backends.find(({ name }) => name === way.backend);
  const support = backend?.supports([packMove(layout)], conditions({ sourceKind: memory, targetKind: packedMemory }));
  return support?.ok === false ? support.reason : undefined;
}

const EMPTY = new Uint8Array();

const kindsOf = ({ scattered, packed }: Way) => [scattered.hold(EMPTY).kind, packed.hold(EMPTY).kind] as const;

function checkBounds(golden: GoldenCase, layout: Layout): Finding {
  const bounds = boundsOf(golden.datatype, { bounds: golden.bounds });
  const pairs: readonly [string, number, number][] = [
    ["size", golden.size, layout.sizeBytes],
    ["lower bound", golden.lb, layout.lowerBoundBytes],
    ["extent", golden.extent, layout.extentBytes],
    ["true lower bound", golden.true_lb, bounds.trueLowerBoundBytes],
    ["true extent", golden.true_extent, bounds.trueExtentBytes],
  ];
  const wrong = pairs.find(([, expected, got]) => expected !== got);
  return wrong && `${wrong[0]}: expected ${wrong[1]}, got ${wrong[2]} (bounds by ${golden.bounds})`;
}

function checkBytes(golden: GoldenCase, layout: Layout, engine: Engine, way: Way): Finding {
  const committed = packingBy(engine, layout, way);
  try {
    const data = goldenBuffer(golden.buffer);
    const source = { memory: way.scattered.hold(data), originBytes: golden.origin };
    const target = way.packed.hold(new Uint8Array(golden.count * golden.size));
    committed.pack(source, target, { count: golden.count }).wait();
    const packed = way.packed.read();
    return (
      checkHash(golden, layout, data, packed) ??
      checkRanges(golden, committed, source, way, packed) ??
      (committed.unpack &&
        checkUnpack(golden, layout, { unpack: committed.unpack.bind(committed) }, way, { data, packed }))
    );
  } finally {
    committed[Symbol.dispose]();
  }
}

function checkHash(golden: GoldenCase, layout: Layout, data: Uint8Array, packed: Uint8Array): Finding {
  const sha256 = createHash("sha256").update(packed).digest("hex");
  if (sha256 === golden.sha256) return undefined;
  let at = 0;
  for (const { offsetBytes, lengthBytes } of whole(layout, golden.count)) {
    for (let i = 0; i < lengthBytes; i++, at++) {
      const expected = data[golden.origin + offsetBytes + i];
      if (packed[at] !== expected) return `packed byte ${at}: expected ${expected}, got ${packed[at]}`;
    }
  }
  return `packed stream: expected sha256 ${golden.sha256}, got ${sha256} (its layout differs from the MPI's)`;
}

/** By an engine, where the way unpacks too. */
function packingBy(engine: Engine, layout: Layout, way: Way): Packing {
  const { backend } = way;
  const [memory, packedMemory] = kindsOf(way);
  if (way.packsOnly !== true) return engine.commit(layout, { backend, memory, packedMemory });
  const found = engine.backends.find(({ name }) => name === backend);
  if (found === undefined) throw new TypeError(`no backend ${backend}`);
  return packingAlone(found, layout, { sourceKind: memory, targetKind: packedMemory });
}

/** Three uneven ranges, packed last to first into one stream, give the whole. */
function checkRanges(
  golden: GoldenCase,
  committed: Packing,
  source: Parameters<Committed["pack"]>[0],
  way: Way,
  packed: Uint8Array,
): Finding {
  const target = way.packed.hold(new Uint8Array(packed.length));
  const cuts = [0, Math.floor(packed.length / 3), Math.floor((packed.length * 5) / 7), packed.length];
  for (let i = cuts.length - 2; i >= 0; i--) {
    const first = cuts[i] as number;
    committed.pack(source, target, { count: golden.count, first, length: (cuts[i + 1] as number) - first }).wait();
  }
  const pieces = way.packed.read();
  const at = firstDifference(packed, pieces);
  return at === undefined ? undefined : `byte ${at} packed in ranges: expected ${packed[at]}, got ${pieces[at]}`;
}

const CANARY = 0xa5;

/** Unpacking into canaries restores what was packed, and leaves every other byte a canary. */
function checkUnpack(
  golden: GoldenCase,
  layout: Layout,
  committed: Pick<Committed, "unpack">,
  way: Way,
  { data, packed }: { readonly data: Uint8Array; readonly packed: Uint8Array },
): Finding {
  const expected = new Uint8Array(data.length).fill(CANARY);
  for (const { offsetBytes, lengthBytes } of whole(layout, golden.count)) {
    const from = golden.origin + offsetBytes;
    expected.set(data.subarray(from, from + lengthBytes), from);
  }
  const memory = way.scattered.hold(new Uint8Array(data.length).fill(CANARY));
  const source = way.packed.hold(packed);
  committed.unpack(source, { memory, originBytes: golden.origin }, { count: golden.count }).wait();
  const restored = way.scattered.read();
  const at = firstDifference(expected, restored);
  return at === undefined
    ? undefined
    : `byte ${at} of the unpacked buffer: expected ${expected[at]}, got ${restored[at]}`;
}

const whole = (layout: Layout, count: number): ReturnType<typeof runs> =>
  runs(layout, { count, first: 0, length: count * layout.sizeBytes });

function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return undefined;
}
