import { ARRAYS } from "./arrays.js";
import { BACKEND_API, BACKENDS } from "./backends.js";
import { BENCH } from "./bench.js";
import type { Call } from "./call.js";
import { COMPILE, LLVM, OBJECT_FILES, PREDICTIONS, ROUTES } from "./compiling.js";
import { CUDA } from "./cuda.js";
import { DATATYPES } from "./datatypes.js";
import { ENGINES } from "./engines.js";
import { ARBITRARIES, REFERENCE } from "./testing.js";
import { WORKLOADS } from "./workloads.js";

/** Every public function that needs no MPI, with arguments that it takes. */
export const CALLS: readonly Call[] = [
  ...DATATYPES,
  ...ENGINES,
  ...ARRAYS,
  ...WORKLOADS,
  ...BACKEND_API,
  ...BACKENDS,
  ...OBJECT_FILES,
  ...COMPILE,
  ...LLVM,
  ...ROUTES,
  ...PREDICTIONS,
  ...ARBITRARIES,
  ...REFERENCE,
  ...BENCH,
  ...CUDA,
];
