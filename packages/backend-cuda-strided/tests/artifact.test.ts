import { describe, expect, it } from "vitest";
import {
  ArtifactError,
  conditions,
  decodeArtifact,
  directionOf,
  encodeArtifact,
  packMove,
  unpackMove,
} from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { boxOf, forEachRun, hvector, lower, predefined, resized, vector } from "@stowage/ir";
import { print, SimulatedMemory, translate } from "@stowage/ptx";
import { CudaStridedBackend } from "../src/index.js";
import { standaloneOf } from "../src/standalone.js";

const backend = new CudaStridedBackend(openSimulatedCuda);
const double = predefined("MPI_DOUBLE");
const layout = lower(resized(0, 400, hvector(3, 1, 96, vector(4, 1, 3, double))));
const KINDS = { sourceKind: "device", targetKind: "device", sourceAlignment: 8, targetAlignment: 8 } as const;

describe("an artifact holds a kernel for loaders without this package", () => {
  for (const move of [packMove(layout), unpackMove(layout)]) {
    for (const count of ["any", 5] as const) {
      it(`${directionOf(move)} of count ${count}: filled in by its offsets, it moves a range`, () => {
        const known = conditions({ ...KINDS, count });
        const { payload } = decodeArtifact(encodeArtifact(backend.compile([move], known)));
        const { standalone } = payload as { readonly standalone: Standalone };
        const rebuilt = standaloneOf(move, requireBox(), known);
        if (rebuilt === undefined) throw new Error("expected a kernel");
        expect(standalone.ptx).toBe(print(rebuilt.program.kernel, { arch: 75 }));
        expect(moved(standalone, rebuilt.program.kernel, directionOf(move) === "unpack")).toBe(true);
      });
    }
  }
});

it("load takes the rows from the payload, and refuses what it does not understand", () => {
  const artifact = backend.compile([packMove(layout)], conditions(KINDS));
  expect(() => backend.load({ ...artifact, payload: null })).toThrow(ArtifactError);
  expect(() => backend.load({ ...artifact, payload: { boxes: [] } })).toThrow("expected 1, one a move");
  expect(() =>
    backend.load({ ...artifact, payload: { boxes: [{ startBytes: 0, rowBytes: 8, dimensions: [[1]] }] } }),
  ).toThrow("a count and a stride");
  expect(() => backend.load({ ...artifact, formatVersion: 1 })).toThrow(
    "expected format 2 of cuda-strided, got format 1 of cuda-strided",
  );
});

/** A type, not an interface: it is plain data. */
type Standalone = {
  readonly entry: string;
  readonly ptx: string;
  readonly parameters: Uint8Array;
  readonly offsets: Readonly<Record<"tiles" | "packedAddress" | "scatteredAddress" | "firstWord" | "words", number>>;
  readonly wordBytes: number;
  readonly threads: number;
  readonly tileBytes: number;
};

function requireBox() {
  const box = boxOf(layout);
  if (box === undefined) throw new Error("expected a strided layout");
  return box;
}

/** Moves bytes [16, 400) of five elements, and compares with the byte map. */
function moved(
  { parameters, offsets, wordBytes, threads, tileBytes }: Standalone,
  kernel: Parameters<typeof translate>[0],
  unpacks: boolean,
): boolean {
  const [count, first, length] = [5, 16, 384];
  const memory = new SimulatedMemory();
  const [scattered, packed] = [memory.allocate(400 * count), memory.allocate(layout.sizeBytes * count)];
  const input = Uint8Array.from({ length: 2000 }, (_, i) => (i * 131 + (i >> 8) * 17) & 255);
  memory.write(
    unpacks ? packed.address : scattered.address,
    input.subarray(0, unpacks ? layout.sizeBytes * count : 400 * count),
  );
  const filled = parameters.slice();
  const view = new DataView(filled.buffer);
  const tiles = Math.ceil(length / tileBytes);
  view.setUint32(offsets.tiles, tiles, true);
  view.setBigUint64(offsets.packedAddress, BigInt(packed.address) + BigInt(first), true);
  view.setBigUint64(offsets.scatteredAddress, BigInt(scattered.address) + BigInt(requireBox().startBytes), true);
  view.setBigUint64(offsets.firstWord, BigInt(first / wordBytes), true);
  view.setBigUint64(offsets.words, BigInt(length / wordBytes), true);
  translate(kernel).launch(memory, { grid: [tiles, 1, 1], block: [threads, 1, 1], parameters: filled });
  const [far, near] = [
    memory.read(scattered.address, 400 * count),
    memory.read(packed.address, layout.sizeBytes * count),
  ];
  let at = first;
  let right = true;
  forEachRun(layout, { count, first, length }, (offset, bytes) => {
    for (let i = 0; i < bytes; i++) right &&= far[offset + i] === near[at++];
  });
  return right && at === first + length && near.some((byte) => byte !== 0);
}
