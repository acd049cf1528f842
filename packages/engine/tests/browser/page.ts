import { CpuBackend } from "@stowage/backend-cpu";
import { predefined, vector } from "@stowage/ir";
import { Engine } from "../../src/index.js";

/** What a page does: packs one column of a matrix, unpacks it into another. Printed as text. */
export function report(): string {
  const engine = new Engine({ backends: [new CpuBackend()] });
  const column = engine.commit(vector(4, 1, 4, predefined("MPI_DOUBLE")));
  const matrix = Float64Array.from({ length: 16 }, (_, i) => i);
  const [packed, restored] = [new Float64Array(4), new Float64Array(16)];
  column.pack(matrix, packed).wait();
  column.unpack(packed, restored).wait();
  return `${column.choice("pack").chosen.name}: ${packed.join(" ")}; ${restored.join(" ")}`;
}

export const EXPECTED = "cpu: 0 4 8 12; 0 0 0 0 4 0 0 0 8 0 0 0 12 0 0 0";
