import type { Datatype } from "../datatype/datatype.js";
import { visitPostOrder } from "../datatype/visit-post-order.js";
import type { DatatypeDocument } from "./document.js";

/**
 * The JSON document of a datatype, which `parseDatatype` reads back. A datatype that is shared gives one shared object,
 * so that printing is linear in the nodes however often they are reached. Nesting costs no native stack.
 * @throws DatatypeError where `datatype` was made by no builder.
 */
export function printDatatype(datatype: Datatype): DatatypeDocument {
  const printed = new Map<Datatype, DatatypeDocument>();
  const printedChild = (child: Datatype): DatatypeDocument => printed.get(child) as DatatypeDocument;
  visitPostOrder(
    datatype,
    (node) => printed.has(node),
    (node) => printed.set(node, printNode(node, printedChild)),
  );
  return printedChild(datatype);
}

/** The document of one node from those of its children. */
export function printNode(type: Datatype, printedChild: (child: Datatype) => DatatypeDocument): DatatypeDocument {
  switch (type.kind) {
    case "predefined":
      return type.name;
    case "struct":
      return {
        kind: type.kind,
        blocklengths: [...type.blocklengths],
        displacements: [...type.displacementsBytes],
        children: type.children.map(printedChild),
      };
    case "contiguous":
    case "vector":
    case "hvector":
    case "indexed":
    case "hindexed":
    case "indexed_block":
    case "hindexed_block":
    case "subarray":
    case "darray":
    case "resized":
    case "dup":
      return printWithChild(type, printedChild(type.child));
  }
}

type WithChild = Extract<Datatype, { readonly child: Datatype }>;

function printWithChild(type: WithChild, child: DatatypeDocument): DatatypeDocument {
  switch (type.kind) {
    case "contiguous":
      return { kind: type.kind, count: type.count, child };
    case "vector":
      return { kind: type.kind, count: type.count, blocklength: type.blocklength, stride: type.stride, child };
    case "hvector":
      return { kind: type.kind, count: type.count, blocklength: type.blocklength, stride: type.strideBytes, child };
    case "indexed":
      return { kind: type.kind, blocklengths: [...type.blocklengths], displacements: [...type.displacements], child };
    case "hindexed": {
      const displacements = [...type.displacementsBytes];
      return { kind: type.kind, blocklengths: [...type.blocklengths], displacements, child };
    }
    case "indexed_block":
      return { kind: type.kind, blocklength: type.blocklength, displacements: [...type.displacements], child };
    case "hindexed_block":
      return { kind: type.kind, blocklength: type.blocklength, displacements: [...type.displacementsBytes], child };
    case "resized":
      return { kind: type.kind, lb: type.lowerBoundBytes, extent: type.extentBytes, child };
    case "dup":
      return { kind: type.kind, child };
    case "subarray": {
      const { kind, sizes, subsizes, starts, order } = type;
      return { kind, sizes: [...sizes], subsizes: [...subsizes], starts: [...starts], order, child };
    }
    case "darray": {
      const { kind, size, rank, gsizes, distribs, dargs, psizes, order } = type;
      const grid = { gsizes: [...gsizes], distribs: [...distribs], dargs: [...dargs], psizes: [...psizes] };
      return { kind, size, rank, ...grid, order, child };
    }
  }
}
