import type { BoundsMemo } from "../bounds/bounds-memo.js";
import type { IntegerTable } from "../integer-table.js";
import type { Distribution } from "./distribution.js";
import type { Order } from "./order.js";
import type { PredefinedName } from "./predefined-table.js";

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

/** What every datatype carries besides the arguments of its constructor. */
export interface DatatypeNode {
  /** Bounds that were computed already; ask boundsOf for them. */
  readonly memo: BoundsMemo;
}

/** A predefined datatype of the C binding (MPI 4.1, section 3.2.2); sizes are those of x86-64 Linux. */
export interface Predefined extends DatatypeNode {
  readonly kind: "predefined";
  readonly name: PredefinedName;
}

/** `count` copies of the child, one child extent apart. MPI_Type_contiguous; MPI 4.1, section 5.1.2. */
export interface Contiguous extends DatatypeNode {
  readonly kind: "contiguous";
  readonly count: number;
  readonly child: Datatype;
}

/** `count` blocks of `blocklength` children; starts of blocks are `stride` child extents apart. MPI_Type_vector. */
export interface Vector extends DatatypeNode {
  readonly kind: "vector";
  readonly count: number;
  /** Children in each block. */
  readonly blocklength: number;
  /** The distance between the starts of blocks in child extents; it may be negative. */
  readonly stride: number;
  readonly child: Datatype;
}

/** `count` blocks of `blocklength` children; starts of blocks are `strideBytes` apart. MPI_Type_create_hvector. */
export interface Hvector extends DatatypeNode {
  readonly kind: "hvector";
  readonly count: number;
  /** Children in each block. */
  readonly blocklength: number;
  readonly strideBytes: number;
  readonly child: Datatype;
}

/** Block i holds blocklengths[i] children from displacements[i] on, counted in child extents. MPI_Type_indexed. */
export interface Indexed extends DatatypeNode {
  readonly kind: "indexed";
  readonly blocklengths: IntegerTable;
  readonly displacements: IntegerTable;
  readonly child: Datatype;
}

/** Block i holds blocklengths[i] children from byte displacementsBytes[i] on. MPI_Type_create_hindexed. */
export interface Hindexed extends DatatypeNode {
  readonly kind: "hindexed";
  readonly blocklengths: IntegerTable;
  readonly displacementsBytes: IntegerTable;
  readonly child: Datatype;
}

/** Block i holds `blocklength` children from displacements[i] on, in child extents. MPI_Type_create_indexed_block. */
export interface IndexedBlock extends DatatypeNode {
  readonly kind: "indexed_block";
  readonly blocklength: number;
  readonly displacements: IntegerTable;
  readonly child: Datatype;
}

/** Block i holds `blocklength` children from byte displacementsBytes[i] on. MPI_Type_create_hindexed_block. */
export interface HindexedBlock extends DatatypeNode {
  readonly kind: "hindexed_block";
  readonly blocklength: number;
  readonly displacementsBytes: IntegerTable;
  readonly child: Datatype;
}

/** Member i is blocklengths[i] copies of children[i] from byte displacementsBytes[i] on. MPI_Type_create_struct. */
export interface Struct extends DatatypeNode {
  readonly kind: "struct";
  readonly blocklengths: IntegerTable;
  readonly displacementsBytes: IntegerTable;
  readonly children: readonly Datatype[];
}

/**
 * The box of `subsizes` elements at `starts` in an array of `sizes` elements; each list has one entry a dimension, in
 * elements, which are children. Its bounds are explicit: those of the whole array. MPI_Type_create_subarray; MPI 4.1,
 * section 5.1.3.
 */
export interface Subarray extends DatatypeNode {
  readonly kind: "subarray";
  readonly sizes: readonly number[];
  readonly subsizes: readonly number[];
  readonly starts: readonly number[];
  readonly order: Order;
  readonly child: Datatype;
}

/**
 * What process `rank` of `size` holds of an array of `gsizes` elements, dealt out over a grid of `psizes` processes.
 * The grid is in row-major order whatever the array's order. Bounds are explicit: those of the whole array.
 * The fields are those of DarrayArguments. MPI_Type_create_darray; MPI 4.1, section 5.1.4.
 */
export interface Darray extends DatatypeNode {
  readonly kind: "darray";
  readonly size: number;
  readonly rank: number;
  readonly gsizes: readonly number[];
  readonly distribs: readonly Distribution[];
  readonly dargs: readonly (number | null)[];
  readonly psizes: readonly number[];
  readonly order: Order;
  readonly child: Datatype;
}

/** The child with bounds set by the user: explicit, hence sticky. MPI_Type_create_resized; MPI 4.1, section 5.1.7. */
export interface Resized extends DatatypeNode {
  readonly kind: "resized";
  readonly lowerBoundBytes: number;
  readonly extentBytes: number;
  readonly child: Datatype;
}

/** The child itself under a new handle. MPI_Type_dup; MPI 4.1, section 5.1.10. */
export interface Dup extends DatatypeNode {
  readonly kind: "dup";
  readonly child: Datatype;
}
