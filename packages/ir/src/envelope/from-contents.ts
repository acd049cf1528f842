import { contiguous } from "../datatype/contiguous.js";
import { darray } from "../datatype/darray.js";
import type { Datatype } from "../datatype/datatype.js";
import { dup } from "../datatype/dup.js";
import { hindexed } from "../datatype/hindexed.js";
import { hindexedBlock } from "../datatype/hindexed-block.js";
import { hvector } from "../datatype/hvector.js";
import { indexed } from "../datatype/indexed.js";
import { indexedBlock } from "../datatype/indexed-block.js";
import type { IntegerList } from "../datatype/integer-list.js";
import { resized } from "../datatype/resized.js";
import { struct } from "../datatype/struct.js";
import { subarray } from "../datatype/subarray.js";
import { vector } from "../datatype/vector.js";
import { DatatypeError } from "../errors.js";
import { ArgumentReader } from "./argument-reader.js";
import { ARRAY_CONSTANTS, requireConstants, type ArrayConstants } from "./array-constants.js";
import type { Combiner } from "./combiner.js";
import { quoted } from "../checks/quoted.js";
import { requireArray, requireObject } from "../checks/require-argument.js";

/** Contents as anyone may hand them over: as `contents` returns them, or read by MPI_Type_get_contents. */
export interface ContentsArguments {
  readonly combiner: Combiner;
  readonly integers: IntegerList;
  readonly addresses: IntegerList;
  readonly datatypes: readonly Datatype[];
}

/**
 * The datatype that was made with these arguments; `contents` of it gives them back. MPI 4.1, section 5.1.13. Orders
 * and distributions among the integers are read by `constants`: those of the MPI that the contents came from.
 * @throws DatatypeError where the lists do not fit the combiner or each other, or the combiner is MPI_COMBINER_NAMED;
 * ArgumentError where an argument is no object of this form.
 */
export function fromContents(given: ContentsArguments, constants: ArrayConstants = ARRAY_CONSTANTS): Datatype {
  requireObject(given, "contents", "an object of combiner, integers, addresses, datatypes");
  requireArray(given.datatypes, "datatypes of contents", "a list of datatypes");
  requireConstants(constants);
  const integers = new ArgumentReader("integers", given.integers);
  const addresses = new ArgumentReader("addresses", given.addresses);
  const datatype = rebuilt(given, integers, addresses, constants);
  integers.requireEnd();
  addresses.requireEnd();
  return datatype;
}

function rebuilt(
  given: ContentsArguments,
  integers: ArgumentReader,
  addresses: ArgumentReader,
  constants: ArrayConstants,
): Datatype {
  switch (given.combiner) {
    case "MPI_COMBINER_NAMED":
      throw new DatatypeError({ subject: "combiner", expected: "a constructor's", got: given.combiner });
    case "MPI_COMBINER_CONTIGUOUS":
      return contiguous(integers.one(), onlyDatatype(given));
    case "MPI_COMBINER_VECTOR":
      return vector(integers.one(), integers.one(), integers.one(), onlyDatatype(given));
    case "MPI_COMBINER_HVECTOR":
      return hvector(integers.one(), integers.one(), addresses.one(), onlyDatatype(given));
    case "MPI_COMBINER_INDEXED": {
      const count = integers.count();
      return indexed(integers.many(count), integers.many(count), onlyDatatype(given));
    }
    case "MPI_COMBINER_HINDEXED": {
      const count = integers.count();
      return hindexed(integers.many(count), addresses.many(count), onlyDatatype(given));
    }
    case "MPI_COMBINER_INDEXED_BLOCK": {
      const count = integers.count();
      return indexedBlock(integers.one(), integers.many(count), onlyDatatype(given));
    }
    case "MPI_COMBINER_HINDEXED_BLOCK": {
      const count = integers.count();
      return hindexedBlock(integers.one(), addresses.many(count), onlyDatatype(given));
    }
    case "MPI_COMBINER_STRUCT": {
      const count = integers.count();
      return struct(integers.many(count), addresses.many(count), given.datatypes);
    }
    case "MPI_COMBINER_SUBARRAY":
      return rebuiltSubarray(integers, onlyDatatype(given), constants);
    case "MPI_COMBINER_DARRAY":
      return rebuiltDarray(integers, onlyDatatype(given), constants);
    case "MPI_COMBINER_RESIZED":
      return resized(addresses.one(), addresses.one(), onlyDatatype(given));
    case "MPI_COMBINER_DUP":
      return dup(onlyDatatype(given));
  }
  const got = quoted(given.combiner);
  throw new DatatypeError({ subject: "combiner", expected: "the MPI name of a combiner", got });
}

function onlyDatatype({ combiner, datatypes }: ContentsArguments): Datatype {
  const [child] = datatypes;
  if (datatypes.length === 1 && child !== undefined) return child;
  const subject = `datatypes of ${combiner}`;
  throw new DatatypeError({ path: "datatypes", subject, expected: "1", got: String(datatypes.length) });
}

function rebuiltSubarray(integers: ArgumentReader, child: Datatype, { orders }: ArrayConstants): Datatype {
  const dimensions = integers.count();
  const sizes = integers.many(dimensions);
  const subsizes = integers.many(dimensions);
  const starts = integers.many(dimensions);
  return subarray({ sizes, subsizes, starts, order: named(orders, integers.one(), "order"), child });
}

function rebuiltDarray(
  integers: ArgumentReader,
  child: Datatype,
  { orders, distributions, defaultDarg }: ArrayConstants,
): Datatype {
  const size = integers.one();
  const rank = integers.one();
  const dimensions = integers.count();
  const gsizes = integers.many(dimensions);
  const distribs = Array.from(integers.many(dimensions), (value) => named(distributions, value, "distribution"));
  const dargs = Array.from(integers.many(dimensions), (darg) => (darg === defaultDarg ? null : darg));
  const psizes = integers.many(dimensions);
  return darray({ size, rank, gsizes, distribs, dargs, psizes, order: named(orders, integers.one(), "order"), child });
}

/** The name that an MPI's constant stands for. */
function named<T extends string>(constants: Readonly<Record<T, number>>, value: number, subject: string): T {
  const names = Object.keys(constants) as T[];
  const name = names.find((candidate) => constants[candidate] === value);
  if (name !== undefined) return name;
  const expected = `one of ${names.map((known) => constants[known]).join(", ")}`;
  throw new DatatypeError({ path: "integers", subject: `constant of ${subject}`, expected, got: String(value) });
}
