import type { Backend } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";
import { hvector, indexed, predefined, resized, struct, subarray, vector, type Datatype } from "@stowage/ir";
import { createEngine } from "@stowage/selector";
import { ownBackend } from "previous-backend";

// What the previous backend-api promised is what today's engine asks for: the assignment is half of the test.
const previous: Backend = ownBackend;

const double = predefined("MPI_DOUBLE");
const datatypes: readonly Datatype[] = [
  vector(4, 1, 4, double),
  hvector(3, 2, 24, vector(2, 1, 2, predefined("MPI_FLOAT"))),
  indexed([2, 1, 3], [0, 7, 11], predefined("MPI_SHORT")),
  struct([1, 2], [0, 8], [double, predefined("MPI_INT")]),
  resized(
    0,
    20,
    subarray({ sizes: [4, 4], subsizes: [2, 2], starts: [1, 1], order: "C", child: predefined("MPI_BYTE") }),
  ),
];

const COUNT = 3;
const scattered = Uint8Array.from({ length: 1024 }, (_, i) => (i * 37 + 11) & 255);

/** What a backend packs of a datatype, and what it then makes of zeros by unpacking that. */
function moved(backend: Backend, datatype: Datatype): string {
  using engine = createEngine({ backends: [backend] });
  const committed = engine.commit(datatype);
  const packed = new Uint8Array(committed.layout.sizeBytes * COUNT);
  committed.pack(scattered, packed, { count: COUNT });
  const restored = new Uint8Array(scattered.length);
  committed.unpack(packed, restored, { count: COUNT });
  const copied = new Uint8Array(scattered.length);
  engine.copy(scattered, datatype, copied, datatype, { count: COUNT });
  return [packed, restored, copied].join("\n");
}

for (const datatype of datatypes) {
  const got = moved(previous, datatype);
  const expected = moved(new CpuBackend(), datatype);
  if (got !== expected) throw new Error(`${datatype.kind}: expected what cpu moves, got ${got}`);
}

/** What the engine says where such a backend is asked to combine: it has never heard of that. */
function refusalOfReduction(backend: Backend): string {
  using engine = createEngine({ backends: [backend] });
  try {
    engine.commit("MPI_DOUBLE").unpack(new Float64Array(1), new Float64Array(1), { op: "MPI_SUM" });
    return "nothing";
  } catch (error) {
    return String(error);
  }
}

const refusal = refusalOfReduction(previous);
if (!/^NoBackendError: [^\n]*declares no reducing moves$/.test(refusal))
  throw new Error(`an unpack with an operation: expected a refusal in one line, got ${refusal}`);
console.log(`${datatypes.length} datatypes moved by a backend of the previous backend-api`);
