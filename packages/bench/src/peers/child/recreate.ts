import { childrenOf, visitPostOrder, withChildren, type Datatype } from "@stowage/ir";

/** Makes an equal datatype anew, by the calls that an application would make; shared children stay shared. */
export function recreate(datatype: Datatype): Datatype {
  const made = new Map<Datatype, Datatype>();
  const copyOf = (child: Datatype): Datatype => made.get(child) as Datatype;
  visitPostOrder(
    datatype,
    (node) => made.has(node),
    (node) => made.set(node, withChildren(node, childrenOf(node).map(copyOf))),
  );
  return copyOf(datatype);
}
