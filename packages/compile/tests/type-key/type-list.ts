import {
  boundsOf,
  childrenOf,
  contents,
  contiguous,
  darray,
  dup,
  predefined,
  PREDEFINED_NAMES,
  struct,
  subarray,
  type BoundsRule,
  type Datatype,
} from "@stowage/ir";
import { datatypeOf, goldenTypes } from "../golden/golden-types.js";

export const KINDS = [
  "predefined",
  "contiguous",
  "vector",
  "hvector",
  "indexed",
  "hindexed",
  "indexed_block",
  "hindexed_block",
  "struct",
  "subarray",
  "darray",
  "resized",
  "dup",
] as const satisfies readonly Datatype["kind"][];

const int = predefined("MPI_INT");
const pair = struct([2, 2], [0, 64], [contiguous(2, int), contiguous(2, predefined("MPI_INT"))]);

/** Every constructor's, every predefined name's, nodes that are shared, and equal ones that are not. */
export const describedTypes = (): readonly Datatype[] => [
  ...goldenTypes().map(datatypeOf),
  ...PREDEFINED_NAMES.map((name) => contiguous(2, predefined(name))),
  pair,
  struct([1, 1], [0, 512], [dup(pair), pair]),
  subarray({ sizes: [9, 8, 7], subsizes: [3, 2, 1], starts: [1, 2, 3], order: "F", child: int }),
  ...([0, 3] as const).map((rank) =>
    darray({
      size: 4,
      rank,
      gsizes: [9, 8, 5],
      distribs: ["block", "cyclic", "none"],
      dargs: [null, 3, null],
      psizes: [2, 2, 1],
      order: rank === 0 ? "C" : "F",
      child: int,
    }),
  ),
];

/** The list that describe.c reads. */
export const listOf = (types: readonly Datatype[], bounds: BoundsRule): string =>
  types.map((type) => `${nodesOf(type, bounds).join("\n")}\nend\n`).join("");

function nodesOf(type: Datatype, bounds: BoundsRule): readonly string[] {
  const lines: string[] = [];
  const numbers = new Map<Datatype, number>();
  const visit = (node: Datatype): void => {
    for (const child of childrenOf(node)) if (!numbers.has(child)) visit(child);
    numbers.set(node, lines.push(lineOf(node, numbers, bounds)) - 1);
  };
  visit(type);
  return lines;
}

function lineOf(node: Datatype, numbers: ReadonlyMap<Datatype, number>, bounds: BoundsRule): string {
  const { lowerBoundBytes, extentBytes } = boundsOf(node, { bounds });
  if (node.kind === "predefined") return `named ${node.name} ${lowerBoundBytes} ${extentBytes}`;
  const { integers, addresses } = contents(node);
  const children = childrenOf(node).map((child) => numbers.get(child) ?? -1);
  const lists = [integers, addresses, children].map((list) => [list.length, ...Array.from(list)].join(" "));
  return `node ${KINDS.indexOf(node.kind)} ${lowerBoundBytes} ${extentBytes} ${lists.join(" ")}`;
}
