import { contiguous, predefined } from "@stowage/ir";
import { expect, it } from "vitest";
import { exportDatatype } from "../src/index.js";
import { describeMpi } from "./describe-mpi.js";

describeMpi("openmpi", (mpi) => {
  it("says that it has no calls for counts beyond 2^31 - 1", () => {
    if (mpi().exports("MPI_Type_contiguous_c")) return; // from Open MPI 6 on
    expect(() => exportDatatype(mpi(), contiguous(2 ** 31, predefined("MPI_BYTE")))).toThrow(
      /kind contiguous: expected counts up to 2\^31 - 1, for openmpi-[\d.]+ has no calls for larger ones/,
    );
  });
});
