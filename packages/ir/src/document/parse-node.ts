import { contiguous } from "../datatype/contiguous.js";
import { darray } from "../datatype/darray.js";
import type { Datatype } from "../datatype/datatype.js";
import type { Distribution } from "../datatype/distribution.js";
import { dup } from "../datatype/dup.js";
import { hindexed } from "../datatype/hindexed.js";
import { hindexedBlock } from "../datatype/hindexed-block.js";
import { hvector } from "../datatype/hvector.js";
import { indexed } from "../datatype/indexed.js";
import { indexedBlock } from "../datatype/indexed-block.js";
import type { Order } from "../datatype/order.js";
import { resized } from "../datatype/resized.js";
import { struct } from "../datatype/struct.js";
import { subarray } from "../datatype/subarray.js";
import { vector } from "../datatype/vector.js";
import { listField, numberField, type Fields } from "./fields.js";

/** Builds the datatype of one document from its children's. The builders check every value. */
export function parseNode(fields: Fields, children: readonly Datatype[]): Datatype {
  const child = children[0] as Datatype;
  const number = (name: string): number => numberField(fields, name);
  const list = (name: string): readonly number[] => listField<number>(fields, name);
  switch (fields.kind) {
    case "contiguous":
      return contiguous(number("count"), child);
    case "vector":
      return vector(number("count"), number("blocklength"), number("stride"), child);
    case "hvector":
      return hvector(number("count"), number("blocklength"), number("stride"), child);
    case "indexed":
      return indexed(list("blocklengths"), list("displacements"), child);
    case "hindexed":
      return hindexed(list("blocklengths"), list("displacements"), child);
    case "indexed_block":
      return indexedBlock(number("blocklength"), list("displacements"), child);
    case "hindexed_block":
      return hindexedBlock(number("blocklength"), list("displacements"), child);
    case "struct":
      return struct(list("blocklengths"), list("displacements"), children);
    case "subarray":
      return subarray({
        sizes: list("sizes"),
        subsizes: list("subsizes"),
        starts: list("starts"),
        order: fields.value["order"] as Order,
        child,
      });
    case "darray":
      return darray({
        size: number("size"),
        rank: number("rank"),
        gsizes: list("gsizes"),
        distribs: listField<Distribution>(fields, "distribs"),
        dargs: listField<number | null>(fields, "dargs"),
        psizes: list("psizes"),
        order: fields.value["order"] as Order,
        child,
      });
    case "resized":
      return resized(number("lb"), number("extent"), child);
    case "dup":
      return dup(child);
  }
}
