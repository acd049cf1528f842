import { describe, expect, test } from "vitest";
import { processGrid } from "../src/halo/process-grid.js";
import { describeProgram } from "./describe-programs.js";

// One rank, four and eight: tests/long.
describeProgram("halo-exchange", [2]);
// Where no memory is shared by IPC, "auto" is NCCL's.
describeProgram("halo-exchange", [2], { "of a host each": { MPIR_CVAR_ODD_EVEN_CLIQUES: "1" } }, ["mpich"]);

describe("a grid of processes", () => {
  test.each([
    [1, 3, [1, 1, 1]],
    [6, 2, [3, 2]],
    [8, 3, [2, 2, 2]],
    [12, 2, [4, 3]],
    [7, 2, [7, 1]],
    [24, 3, [4, 3, 2]],
  ])("of %d in %d dimensions is as square as can be", (processes, dimensions, grid) => {
    expect(processGrid(processes, dimensions)).toEqual(grid);
  });
});
