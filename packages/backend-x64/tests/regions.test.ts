import {
  addressSpace,
  conditions,
  hostMemory,
  packMove,
  unpackMove,
  type Binding,
  type Memory,
} from "@stowage/backend-api";
import { launchesOf, MoveCode } from "@stowage/host-plans";
import {
  blocks,
  canonicalise,
  dense,
  forEachRun,
  integerTable,
  layout,
  sequence,
  stream,
  uniformBlocks,
  type Layout,
  type LayoutNode,
} from "@stowage/ir";
import { afterAll, describe, expect, test } from "vitest";
import { runsOn } from "../src/feature-level.js";
import { FEATURE_LEVELS, X64Backend } from "../src/index.js";
import { probeMachine } from "../src/memory/machine.js";
import { guardedMemory } from "./guarded-memory.js";

const probed = probeMachine();
const machine = "machine" in probed ? probed.machine.level : undefined;

/** Arrays lie so far apart in the address space. */
const APART_BYTES = 2 ** 33;
const ARRAYS = 3;
const COUNT = 2;

/** Each array has one of these: each takes another way through the lowering, and some read behind blocks. */
const NODES: readonly (readonly [name: string, node: LayoutNode])[] = [
  ["rows of 12", stream(90, 40, dense(12))],
  ["1 of 2 doubles", stream(300, 16, dense(8))],
  ["17 of 24", stream(120, 24, dense(17))],
  ["columns", stream(8, 8, stream(40, 96, dense(8)))],
  [
    "a table",
    uniformBlocks(
      integerTable(200, (i) => ((i * 37) % 200) * 20),
      dense(13),
    ),
  ],
  [
    "random lengths",
    blocks(
      integerTable(900, (i) => (i < 600 ? (i * 37) % 600 : i) * 150),
      Int32Array.from({ length: 900 }, (_, i) => 1 + ((i * 7919) % 100)),
      1,
      dense(1),
    ),
  ],
];

const arraysOf = (node: LayoutNode): Layout => {
  const members = Array.from({ length: ARRAYS }, (_, i) => ({ offsetBytes: i * APART_BYTES, node }));
  return canonicalise(layout(0, sequence(members), { lowerBoundBytes: 0, extentBytes: node.highBytes }));
};

interface Region {
  readonly startBytes: number;
  readonly bytes: Uint8Array;
}

const freed: (() => void)[] = [];
afterAll(() => freed.forEach((free) => free()));

/**
 * Two buffers an array, cut behind some block; the last byte of each is the last before a page that may not be touched.
 */
function regionsOf(type: Layout, node: LayoutNode): readonly Region[] {
  const ends: number[] = [];
  forEachRun(type, { count: 1, first: 0, length: node.sizeBytes }, (offset, length) => ends.push(offset + length));
  const cut = Math.max(...ends.slice(0, Math.floor((2 * ends.length) / 3)));
  return Array.from({ length: ARRAYS }, (_, array) =>
    [0, cut].map((from, half) => {
      const memory = guardedMemory((half === 0 ? cut : node.highBytes * COUNT) - from, "end");
      freed.push(() => memory.free());
      return { startBytes: array * APART_BYTES + from, bytes: memory.bytes };
    }),
  ).flat();
}

const spaceOf = (regions: readonly Region[]) =>
  addressSpace(regions.map(({ startBytes, bytes }) => ({ startBytes, buffer: hostMemory(bytes) })));

/** The bytes that a type of COUNT elements names in some regions, in packed order. */
function gathered(type: Layout, regions: readonly Region[]): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  forEachRun(type, { count: COUNT, first: 0, length: type.sizeBytes * COUNT }, (offset, length) => {
    const region = regions.findLast(({ startBytes }) => startBytes <= offset) as Region;
    found.push(region.bytes.subarray(offset - region.startBytes, offset - region.startBytes + length));
  });
  return found;
}

const bound = (type: Layout, scattered: Memory, packed: Uint8Array, direction: "pack" | "unpack"): Binding => {
  const [there, here] = [
    { memory: scattered, originBytes: 0 },
    { memory: hostMemory(packed), originBytes: 0 },
  ];
  const [source, target] = direction === "pack" ? [there, here] : [here, there];
  return { source, target, count: COUNT, first: 0, length: type.sizeBytes * COUNT };
};

describe.each(FEATURE_LEVELS.filter((each) => machine !== undefined && runsOn(each, machine)))(
  "arrays in buffers of their own, at %s",
  (level) => {
    test.each(NODES)("%s", (_, node) => {
      const type = arraysOf(node);
      const regions = regionsOf(type, node);
      const packed = new Uint8Array(type.sizeBytes * COUNT + 256);
      const backend = new X64Backend({ level });
      const run = (direction: "pack" | "unpack"): void => {
        using kernel = backend.load(
          backend.compile([direction === "pack" ? packMove(type) : unpackMove(type)], conditions()),
        );
        using plan = kernel.bind([bound(type, spaceOf(regions), packed, direction)]);
        plan.run();
      };
      regions.forEach(({ bytes }, region) => bytes.forEach((_, i) => (bytes[i] = (i * 31 + region * 7) & 255)));
      const expected = Buffer.concat([...gathered(type, regions), new Uint8Array(256)]);
      run("pack");
      expect(Buffer.compare(packed, expected)).toBe(0);
      regions.forEach(({ bytes }) => bytes.fill(0xee));
      run("unpack");
      expect(Buffer.compare(Buffer.concat([...gathered(type, regions), new Uint8Array(256)]), expected)).toBe(0);
      for (const block of gathered(type, regions)) block.fill(0xee);
      for (const { bytes } of regions) expect(bytes.every((byte) => byte === 0xee)).toBe(true);
    });
  },
);

test.runIf(machine !== undefined)("a buffer takes one launch record, and one for each block near its end", () => {
  const node = stream(1000, 40, dense(12));
  const type = arraysOf(node);
  const binding = bound(type, spaceOf(regionsOf(type, node)), new Uint8Array(type.sizeBytes * COUNT + 256), "pack");
  const launches = launchesOf(0, packMove(type), binding, conditions(), {
    move: new MoveCode(() => 1),
    run: new MoveCode(() => 2),
  });
  expect(launches.length).toBeLessThan(12 * ARRAYS);
  expect(launches.reduce((sum, { record }) => sum + record[5], 0)).toBe(type.sizeBytes * COUNT);
});
