import { predefined, struct, type Datatype } from "@stowage/ir";
import { repeated } from "../definition.js";

/** double, int, int, char: 17 bytes of data in 24 with C's padding. */
function struct24(): Datatype {
  const int = predefined("MPI_INT");
  const members = [predefined("MPI_DOUBLE"), int, int, predefined("MPI_CHAR")];
  return struct([1, 1, 1, 1], [0, 8, 12, 16], members);
}

export const STRUCT24 = {
  ...repeated(
    {
      name: "struct24",
      group: "jenkins",
      description: "array of C structs {double, int, int, char} of 24 bytes",
      source: "Jenkins et al., TPDS 2014, section 4.1",
    },
    17,
    struct24,
  ),
  defaultScale: 1000,
};
