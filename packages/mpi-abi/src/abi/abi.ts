import type { ArrayConstants, BoundsRule, Combiner, PredefinedName } from "@stowage/ir";
import type { LibraryHandle } from "koffi";
import type { CommunicationConstants } from "./communication.js";
import type { Handles } from "./handles.js";

/** The MPI that a library belongs to, whatever its ABI. */
export type MpiFamily = "openmpi" | "mpich";

/** Handles and numbers that one loaded library gives its constants. */
export interface Constants {
  /** The handle MPI_COMM_WORLD. */
  readonly world: number;
  /** The handle MPI_COMM_SELF. */
  readonly self: number;
  /** The handle MPI_ERRORS_RETURN. */
  readonly errorsReturn: number;
  /**
   * Functions that a key of datatype attributes takes (MPI 4.1, section 7.7.4), as addresses: MPI_TYPE_DUP_FN and
   * MPI_TYPE_NULL_DELETE_FN.
   */
  readonly typeAttribute: { readonly copy: number; readonly remove: number };
  readonly communication: CommunicationConstants;
  /** Handles of predefined datatypes. Synonyms share one; names that the library lacks are absent. */
  readonly datatypes: ReadonlyMap<PredefinedName, number>;
}

/** What differs between MPIs that share an application binary interface and those of another. */
export interface Abi {
  readonly family: MpiFamily;
  /** Whether it is the ABI of the standard (MPI 5.0, chapter 20), which several MPIs have beside their own. */
  readonly isStandard: boolean;
  /** The rule by which the MPI computes bounds that nobody set: ir's option of the same name. */
  readonly bounds: BoundsRule;
  /** C type of every handle (MPI_Datatype, MPI_Comm, ...). */
  readonly handleType: "uintptr_t" | "uint32_t";
  /** Whether the MPI's plug-ins look for symbols among the process's global ones. */
  readonly wantsGlobalSymbols: boolean;
  /** The constants that constructors of subarrays and darrays take. */
  readonly arrayConstants: ArrayConstants;
  /** The constants in contents of datatypes, where a library gives back others than it takes. */
  readonly arrayConstantsInside?: ArrayConstants;
  /** The values of MPI_THREAD_SINGLE, FUNNELED, SERIALIZED and MULTIPLE. */
  readonly threadLevels: readonly [number, number, number, number];
  /** The combiners by their numbers. */
  readonly combiners: ReadonlyMap<number, Combiner>;
  /**
   * The version that a library of this family tells of itself (MPI_Get_library_version), such as "4.1.4"; undefined for
   * another family's library.
   */
  versionOf(description: string): string | undefined;
  /** Makes an array of so many handles, zeros at first. */
  handles(length: number): Handles;
  /** Reads the constants of a library that was loaded. */
  constants(library: LibraryHandle): Constants;
}
