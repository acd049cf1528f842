import { measureTerms } from "@stowage/mpi-bridge";
import { check, equal, mpi, size } from "./checks.mjs";

check("terms of the MPI are positive, and the same on all ranks", () => {
  const terms = measureTerms(mpi);
  equal(terms.messages.length, size === 1 ? 0 : 5);
  const figures = [
    ...terms.messages.map(({ medianNs }) => medianNs),
    ...terms.packs.flatMap(({ nativeNs, packedNs }) => [nativeNs, packedNs]),
  ];
  equal(
    figures.every((ns) => ns > 0 && Number.isFinite(ns)),
    true,
  );
  const sum = new Float64Array(figures.length);
  mpi.world.allreduce(Float64Array.from(figures), sum, { op: "max" });
  equal(sum, figures);
});
