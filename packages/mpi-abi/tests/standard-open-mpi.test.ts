import { expect, it } from "vitest";
import { describeMpi } from "./describe-mpi.js";

describeMpi(
  "openmpi",
  (mpi) => {
    it("has the handles of the standard", () => {
      expect([mpi().constants.world, mpi().constants.datatypes.get("MPI_BYTE")]).toEqual([0x101, 0x247]);
    });
  },
  true,
);
