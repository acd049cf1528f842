import { childrenOf } from "../datatype/children-of.js";
import type { Darray, Datatype } from "../datatype/datatype.js";
import { DatatypeError } from "../errors.js";
import { integerTable, type IntegerTable } from "../integer-table.js";
import { ARRAY_CONSTANTS, requireConstants, type ArrayConstants } from "./array-constants.js";
import { COMBINERS, type Combiner } from "./combiner.js";
import { requireDatatype } from "../datatype/require-datatype.js";

/**
 * The arguments of the call that made a datatype, in the order that MPI_Type_get_contents gives them (MPI 4.1, section
 * 5.1.13). Counts, lengths of lists and displacements in extents, of any size, stand among the integers; byte
 * displacements, strides and bounds among the addresses.
 */
export interface Contents {
  readonly combiner: Combiner;
  readonly integers: IntegerTable;
  readonly addresses: IntegerTable;
  readonly datatypes: readonly Datatype[];
}

/**
 * What MPI_Type_get_contents says of a datatype. MPI 4.1, section 5.1.13.
 * `constants` are those of the MPI that is to read them.
 * @throws DatatypeError for a predefined datatype: it was made by no call.
 */
export function contents(datatype: Datatype, constants: ArrayConstants = ARRAY_CONSTANTS): Contents {
  requireDatatype(datatype);
  requireConstants(constants);
  if (datatype.kind === "predefined") {
    const expected = "a datatype that a constructor made";
    throw new DatatypeError({ subject: "contents", expected, got: datatype.name });
  }
  return Object.freeze({
    combiner: COMBINERS[datatype.kind],
    integers: tableOf(integersOf(datatype, constants)),
    addresses: tableOf(addressesOf(datatype)),
    datatypes: Object.freeze([...childrenOf(datatype)]),
  });
}

type Derived = Exclude<Datatype, { readonly kind: "predefined" }>;
type Lists = readonly (number | IntegerTable | readonly number[])[];

function integersOf(type: Derived, constants: ArrayConstants): Lists {
  switch (type.kind) {
    case "contiguous":
      return [type.count];
    case "vector":
      return [type.count, type.blocklength, type.stride];
    case "hvector":
      return [type.count, type.blocklength];
    case "indexed":
      return [type.blocklengths.length, type.blocklengths, type.displacements];
    case "hindexed":
    case "struct":
      return [type.blocklengths.length, type.blocklengths];
    case "indexed_block":
      return [type.displacements.length, type.blocklength, type.displacements];
    case "hindexed_block":
      return [type.displacementsBytes.length, type.blocklength];
    case "subarray":
      return [type.sizes.length, type.sizes, type.subsizes, type.starts, constants.orders[type.order]];
    case "darray":
      return darrayIntegers(type, constants);
    case "resized":
    case "dup":
      return [];
  }
}

function darrayIntegers(type: Darray, { orders, distributions, defaultDarg }: ArrayConstants): Lists {
  const distribs = type.distribs.map((distribution) => distributions[distribution]);
  const dargs = type.dargs.map((darg) => darg ?? defaultDarg);
  return [type.size, type.rank, type.gsizes.length, type.gsizes, distribs, dargs, type.psizes, orders[type.order]];
}

function addressesOf(type: Derived): Lists {
  switch (type.kind) {
    case "hvector":
      return [type.strideBytes];
    case "hindexed":
    case "hindexed_block":
    case "struct":
      return [type.displacementsBytes];
    case "resized":
      return [type.lowerBoundBytes, type.extentBytes];
    case "contiguous":
    case "vector":
    case "indexed":
    case "indexed_block":
    case "subarray":
    case "darray":
    case "dup":
      return [];
  }
}

function tableOf(lists: Lists): IntegerTable {
  const length = lists.reduce<number>((total, list) => total + (typeof list === "number" ? 1 : list.length), 0);
  const wide = new Float64Array(length);
  let next = 0;
  for (const list of lists) {
    const entries = typeof list === "number" ? [list] : list;
    wide.set(entries, next);
    next += entries.length;
  }
  return integerTable(length, (i) => wide[i] as number);
}
