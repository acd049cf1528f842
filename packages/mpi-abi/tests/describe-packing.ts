import { contiguous, predefined, struct, vector } from "@stowage/ir";
import { expect, it } from "vitest";
import { constructDatatype, exportDatatype, pack, packSize, typeBounds, unpack, type Mpi } from "../src/index.js";
import { isMispacked } from "./deviations.js";
import { goldenBuffer, goldens, sha256 } from "./goldens.js";

/** What an MPI packs and unpacks, and what is refused before it touches a byte. */
export function describePacking(mpi: () => Mpi): void {
  it("packs every golden datatype as recorded, long doubles apart", () => {
    // The padding of long doubles may differ: mayLosePadding.
    const comparable = goldens.filter(
      ({ text, datatype }) => !text.includes("LONG_DOUBLE") && !isMispacked(mpi(), datatype),
    );
    expect(comparable.length).toBeGreaterThan(400);
    const wrong = comparable.filter((golden) => sha256(packedGolden(mpi(), golden)) !== golden.sha256);
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it("unpacks what it packed to where it was, and nothing else", () => {
    using made = exportDatatype(mpi(), vector(3, 1, 2, predefined("MPI_INT")));
    const scattered = Uint8Array.from({ length: 40 }, (_, i) => i + 1);
    const packed = new Uint8Array(packSize(mpi(), made.handle, 2));
    pack(mpi(), { datatype: made.handle, count: 2, scattered, originBytes: 0, packed });
    const back = new Uint8Array(40);
    unpack(mpi(), { datatype: made.handle, count: 2, scattered: back, originBytes: 0, packed });
    // Ints 0, 2 and 4 of element 0 and, its extent being 5 ints, 5, 7 and 9 of element 1.
    const expected = scattered.map((byte, i) => ([0, 2, 4, 5, 7, 9].includes(i >> 2) ? byte : 0));
    expect(back).toEqual(expected);
  });

  it("takes a memory that is just long enough, whatever members without data do to the bounds", () => {
    const int = predefined("MPI_INT");
    using made = constructDatatype(mpi(), struct([1, 1], [0, 64], [int, contiguous(0, int)])).commit();
    const [scattered, packed] = [Uint8Array.of(1, 2, 3, 4), new Uint8Array(4)];
    pack(mpi(), { datatype: made.handle, count: 1, scattered, originBytes: 0, packed });
    expect(packed).toEqual(scattered);
    expect(() => pack(mpi(), { datatype: made.handle, count: 1, scattered, originBytes: 1, packed })).toThrow(
      /expected within a memory of 4 bytes, got bytes .1, 5./,
    );
  });

  it("refuses elements and streams outside their memory before MPI touches a byte", () => {
    using made = exportDatatype(mpi(), contiguous(4, predefined("MPI_INT")));
    const memory = new Uint8Array(16);
    const packing = { datatype: made.handle, count: 1, scattered: memory, originBytes: 0, packed: memory };
    expect(() => pack(mpi(), { ...packing, originBytes: 4 })).toThrow(
      /expected within a memory of 16 bytes, got bytes .4, 20./,
    );
    expect(() => pack(mpi(), { ...packing, positionBytes: 1 })).toThrow(/expected to end within 16 bytes, got 17/);
    expect(() => pack(mpi(), { ...packing, count: 2 ** 31 })).toThrow(/expected an integer from 0 to 2147483647/);
  });
}

/** The packed bytes of a golden case, in memory as large as the MPI's own true bounds ask for. */
function packedGolden(mpi: Mpi, golden: (typeof goldens)[number]): Uint8Array {
  using made = exportDatatype(mpi, golden.datatype, { bounds: "open-mpi" }); // whose results these are
  const { sizeBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes } = typeBounds(mpi, made.handle);
  const last = (golden.count - 1) * extentBytes;
  const before = Math.max(0, -(golden.origin + trueLowerBoundBytes + Math.min(0, last)));
  const after = Math.max(0, golden.origin + trueLowerBoundBytes + trueExtentBytes + Math.max(0, last) - golden.buffer);
  const scattered = new Uint8Array(before + golden.buffer + after);
  scattered.set(goldenBuffer(golden.buffer), before);
  const packed = new Uint8Array(golden.count * sizeBytes);
  pack(mpi, { datatype: made.handle, count: golden.count, scattered, originBytes: before + golden.origin, packed });
  return packed;
}
