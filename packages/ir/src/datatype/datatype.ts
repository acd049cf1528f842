import type { Contiguous } from "./contiguous.js";
import type { Darray } from "./darray.js";
import type { Dup } from "./dup.js";
import type { Hindexed } from "./hindexed.js";
import type { HindexedBlock } from "./hindexed-block.js";
import type { Hvector } from "./hvector.js";
import type { Indexed } from "./indexed.js";
import type { IndexedBlock } from "./indexed-block.js";
import type { Predefined } from "./predefined.js";
import type { Resized } from "./resized.js";
import type { Struct } from "./struct.js";
import type { Subarray } from "./subarray.js";
import type { Vector } from "./vector.js";

/**
 * An MPI datatype as its constructors describe it: a directed acyclic graph of frozen nodes, one kind a constructor
 * (MPI 4.1, section 5.1). Make nodes with the builders only: they validate. Nodes may be shared.
 */
export type Datatype =
  | Predefined
  | Contiguous
  | Vector
  | Hvector
  | Indexed
  | Hindexed
  | IndexedBlock
  | HindexedBlock
  | Struct
  | Subarray
  | Darray
  | Resized
  | Dup;
