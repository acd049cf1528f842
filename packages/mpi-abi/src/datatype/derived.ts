import type { Datatype, Predefined } from "@stowage/ir";

/** A datatype that a constructor made. */
export type Derived = Exclude<Datatype, Predefined>;
