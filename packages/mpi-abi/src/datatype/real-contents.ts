import { quoted, type IntegerTable } from "@stowage/ir";
import { MpiLibraryError } from "../errors.js";
import { call } from "../check.js";
import { requireMpi, type Mpi } from "../mpi.js";
import { counts, ints, int32, takeCount, takeInt } from "../native/cells.js";
import { readWide } from "../native/tables.js";

/** How a datatype was made, and how many arguments of each sort there are. */
export interface RealEnvelope {
  /** The combiner, by the MPI's own number: Abi.combiners names it. */
  readonly combiner: number;
  readonly integers: number;
  readonly addresses: number;
  /** How many arguments the calls with 64-bit counts had; none for datatypes of the others. */
  readonly largeCounts: number;
  readonly datatypes: number;
}

/** The arguments of the constructor that made a datatype (MPI_Type_get_contents; MPI 4.1, section 5.1.13). */
export interface RealContents {
  readonly integers: IntegerTable;
  readonly addresses: IntegerTable;
  readonly largeCounts: IntegerTable;
  /** Handles of the children. Those that are not predefined are the caller's to free. */
  readonly datatypes: readonly number[];
}

/** Only this form of the calls knows datatypes that were made with 64-bit counts; a library may lack it. */
const knowsLargeCounts = (mpi: Mpi): boolean => mpi.exports("MPI_Type_get_envelope_c");

/**
 * Asks an MPI how a datatype was made (MPI_Type_get_envelope; MPI 4.1, section 5.1.13). Throws a MpiLibraryError for a
 * handle that is not known to be alive.
 */
export function realEnvelope(mpi: Mpi, handle: number): RealEnvelope {
  requireMpi(mpi).live.require(handle);
  return knowsLargeCounts(mpi) ? largeEnvelope(mpi, handle) : plainEnvelope(mpi, handle);
}

/**
 * Asks an MPI for the arguments that a datatype was made with (MPI_Type_get_contents; MPI 4.1, section 5.1.13);
 * `envelope` is what realEnvelope gave. Throws a MpiError for predefined datatypes, a MpiLibraryError for a handle that
 * is not known to be alive.
 */
export function realContents(mpi: Mpi, handle: number, envelope: RealEnvelope): RealContents {
  requireMpi(mpi).live.require(handle);
  requireEnvelope(envelope);
  const integers = new Int32Array(envelope.integers);
  const addresses = new BigInt64Array(envelope.addresses);
  const largeCounts = new BigInt64Array(envelope.largeCounts);
  const datatypes = mpi.abi.handles(envelope.datatypes);
  const lengths = [integers.length, addresses.length] as const;
  if (knowsLargeCounts(mpi)) {
    const most = [...lengths, largeCounts.length, envelope.datatypes] as const;
    call(mpi, "MPI_Type_get_contents_c", handle, ...most, integers, addresses, largeCounts, datatypes.view);
  } else {
    call(mpi, "MPI_Type_get_contents", handle, ...lengths, envelope.datatypes, integers, addresses, datatypes.view);
  }
  return {
    integers,
    addresses: readWide(addresses),
    largeCounts: readWide(largeCounts),
    datatypes: Array.from({ length: envelope.datatypes }, (_, i) => mpi.live.hold(datatypes.get(i))),
  };
}

/** Room for so many arguments: realEnvelope says how many there are. */
function requireEnvelope(envelope: RealEnvelope): void {
  const isCount = (value: unknown): boolean =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31;
  const given = typeof envelope === "object" && (envelope as RealEnvelope | null) !== null ? envelope : {};
  const { integers, addresses, largeCounts, datatypes } = given as Partial<RealEnvelope>;
  if ([integers, addresses, largeCounts, datatypes].every(isCount)) return;
  throw new MpiLibraryError(`envelope of a datatype: expected what realEnvelope gave, got ${quoted(envelope)}`);
}

function plainEnvelope(mpi: Mpi, handle: number): RealEnvelope {
  call(mpi, "MPI_Type_get_envelope", handle, ints.first, ints.second, ints.third, int32);
  return {
    combiner: takeInt(),
    integers: takeInt(ints.first),
    addresses: takeInt(ints.second),
    largeCounts: 0,
    datatypes: takeInt(ints.third),
  };
}

function largeEnvelope(mpi: Mpi, handle: number): RealEnvelope {
  const { first, second, third, fourth } = counts;
  call(mpi, "MPI_Type_get_envelope_c", handle, first, second, third, fourth, int32);
  return {
    combiner: takeInt(),
    integers: takeCount(first),
    addresses: takeCount(second),
    largeCounts: takeCount(third),
    datatypes: takeCount(fourth),
  };
}
