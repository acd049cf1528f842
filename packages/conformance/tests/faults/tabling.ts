import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";

export const TABLING_FAULTS: readonly Fault[] = [
  {
    name: "declares displacement tables and moves elements an extent apart",
    law: 12,
    // An extent away lie other bytes of the buffer, or none.
    says: /law 12 moves, broken by .*: (range \[\d+, \d+\), \w+: target, byte|BindingError: memory: expected the bytes)/,
    factory: () => Object.assign(new SimpleBackend(), { tables: true }),
  },
];
