import {
  boundsOf,
  contiguous,
  darray,
  hindexed,
  hindexedBlock,
  hvector,
  indexed,
  indexedBlock,
  predefined,
  printDatatype,
  resized,
  struct,
  subarray,
  vector,
  type Datatype,
} from "@stowage/ir";
import { describe, expect, it } from "vitest";
import { constructDatatype, exportDatatype, importDatatype, pack, typeBounds, type MpiDatatype } from "../src/index.js";
import { describeMpi } from "./describe-mpi.js";

const byte = predefined("MPI_BYTE");
const LARGE = 2 ** 31 + 5;

/** Every constructor that takes a count, with one that C's int cannot hold. */
const LARGE_TYPES: Readonly<Record<string, Datatype>> = {
  contiguous: contiguous(2 ** 40, byte),
  vector: vector(2, LARGE, LARGE + 1, byte),
  hvector: hvector(2, LARGE, 2 ** 33, byte),
  indexed: indexed([1, 2], [0, LARGE], byte),
  hindexed: hindexed([LARGE, 1], [0, 2 ** 33], byte),
  indexed_block: indexedBlock(2, [0, LARGE], byte),
  hindexed_block: hindexedBlock(LARGE, [0, 2 ** 33], byte),
  struct: struct([LARGE, 1], [0, 2 ** 33], [byte, predefined("MPI_INT")]),
  subarray: subarray({ sizes: [LARGE, 2], subsizes: [3, 1], starts: [LARGE - 3, 1], order: "C", child: byte }),
  darray: darray({
    size: 2,
    rank: 1,
    gsizes: [LARGE],
    distribs: ["block"],
    dargs: [null],
    psizes: [2],
    order: "C",
    child: byte,
  }),
  "resized inside": contiguous(2, resized(-8, 2 ** 34, contiguous(LARGE, byte))),
};

describeMpi("mpich", (mpi) => {
  describe.each(Object.entries(LARGE_TYPES))("counts beyond 2^31 - 1 in %s", (_name, datatype) => {
    it("keep size and bounds, and come back as they were", () => {
      using made = exportDatatype(mpi(), datatype);
      const { sizeBytes, lowerBoundBytes, extentBytes } = boundsOf(datatype, { bounds: mpi().bounds });
      expect(typeBounds(mpi(), made.handle)).toMatchObject({ sizeBytes, lowerBoundBytes, extentBytes });
      expect(printDatatype(importDatatype(mpi(), made.handle))).toEqual(printDatatype(datatype));
    });
  });

  it("makes shared children once, and gives them back shared", () => {
    const shared = vector(2, 1, 2, predefined("MPI_DOUBLE"));
    using made = exportDatatype(mpi(), struct([1, 1], [0, 64], [shared, shared]));
    const back = importDatatype(mpi(), made.handle);
    expect(back.kind === "struct" && back.children[0] === back.children[1]).toBe(true);
  });

  it("never passes for a whole pack where it packs short", () => {
    // MPICH 4.0 takes low bits of a handle for an element size once handles come from its second pool.
    const alive: MpiDatatype[] = [];
    const scattered = new Uint8Array(45).fill(7);
    try {
      for (let i = 0; i < 600; i++) {
        const made = constructDatatype(mpi(), contiguous(45, byte)).commit();
        alive.push(made);
        const packed = new Uint8Array(45);
        try {
          pack(mpi(), { datatype: made.handle, count: 1, scattered, originBytes: 0, packed });
        } catch (error) {
          expect((error as Error).message).toMatch(/^position after MPI_Pack of mpich-[\w.]+: expected 45, got \d+$/);
          continue;
        }
        expect(packed).toEqual(scattered);
      }
    } finally {
      for (const made of alive) made[Symbol.dispose]();
    }
  });
});
