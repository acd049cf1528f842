import type { Datatype } from "../datatype/datatype.js";
import { COMBINERS, type Combiner } from "./combiner.js";
import { contents } from "./contents.js";
import { requireDatatype } from "../datatype/require-datatype.js";

/** How a datatype was made, and how many integers, addresses and datatypes its contents hold. */
export interface Envelope {
  readonly combiner: Combiner;
  readonly integers: number;
  readonly addresses: number;
  readonly datatypes: number;
}

/**
 * What MPI_Type_get_envelope says of a datatype. MPI 4.1, section 5.1.13.
 * @throws DatatypeError where `datatype` was made by no builder.
 */
export function envelope(datatype: Datatype): Envelope {
  requireDatatype(datatype);
  const combiner = COMBINERS[datatype.kind];
  if (datatype.kind === "predefined") return Object.freeze({ combiner, integers: 0, addresses: 0, datatypes: 0 });
  const { integers, addresses, datatypes } = contents(datatype);
  return Object.freeze({
    combiner,
    integers: integers.length,
    addresses: addresses.length,
    datatypes: datatypes.length,
  });
}
