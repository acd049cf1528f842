import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";

export const REDUCING_FAULTS: readonly Fault[] = [
  {
    name: "declares reductions and overwrites what it should combine",
    law: 11,
    says: /law 11 (apart|in order), broken by .*: MPI_\w+ of \w+, range \[\d+, \d+\), \w+: target, byte/,
    factory: () => Object.assign(new SimpleBackend(), { reduces: true }),
  },
];
