import { conditions, reduceMove, unpackMove } from "@stowage/backend-api";
import { openSimulatedCuda } from "@stowage/cuda-driver";
import { canonicalise, lower, predefined, resized, vector } from "@stowage/ir";
import { describe, expect, test } from "vitest";
import { CudaGenericBackend } from "../src/index.js";

const driver = openSimulatedCuda();
const ON_DEVICE = conditions({ sourceKind: "device", targetKind: "device" });

describe("reductions on a simulated device", () => {
  test("are refused where elements share bytes, or a launch would combine in two ways", () => {
    const backend = new CudaGenericBackend({ driver });
    const sum = { op: "MPI_SUM", element: "float64" } as const;
    const of = (type: Parameters<typeof lower>[0]) => canonicalise(lower(type));
    const double = predefined("MPI_DOUBLE");
    const column = of(resized(0, 8, vector(4, 1, 4, double)));
    const meets = backend.supports([reduceMove(column, sum)], ON_DEVICE);
    expect(meets).toEqual({ ok: false, reason: "its threads combine no elements that share bytes" });
    expect(backend.supports([reduceMove(column, sum)], { ...ON_DEVICE, count: 4 }).ok).toBe(true);
    const two = backend.supports([reduceMove(of(double), sum), unpackMove(of(double))], ON_DEVICE);
    expect(two).toEqual({ ok: false, reason: "a launch combines all its moves' elements in one way" });
  });

  test("say in explain() how they combine", () => {
    const backend = new CudaGenericBackend({ driver });
    const move = reduceMove(canonicalise(lower(predefined("MPI_DOUBLE"))), { op: "MPI_MAX", element: "float64" });
    using kernel = backend.load(backend.compile([move], ON_DEVICE));
    expect(kernel.explain()).toContain("move 0: MPI_MAX of float64");
  });
});
