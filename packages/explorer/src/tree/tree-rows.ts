import { boundsOf, childrenOf, type Datatype, type IntegerTable } from "@stowage/ir";

/** One node of a datatype, as a line of the tree. */
export interface TreeRow {
  /** As errors name it: `type.child.children[2]`. */
  readonly path: string;
  readonly depth: number;
  readonly label: string;
  readonly facts: string;
}

const MOST_ROWS = 300;
const MOST_CHILDREN = 24;
const MOST_DEPTH = 32;

interface Pending {
  readonly path: string;
  readonly depth: number;
  /** Absent: a line about what is left out. */
  readonly type?: Datatype;
  readonly leftOut?: string;
}

/** The nodes of a datatype in preorder; what is left out is counted. */
export function treeRows(datatype: Datatype): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const stack: Pending[] = [{ path: "type", depth: 0, type: datatype }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { path, depth, type, leftOut } = top;
    if (rows.length === MOST_ROWS) return [...rows, { path, depth, label: "… more nodes", facts: "" }];
    rows.push({ path, depth, label: type ? labelOf(type) : `… ${leftOut}`, facts: type ? factsOf(type) : "" });
    if (type !== undefined) stack.push(...below(type, path, depth + 1).reverse());
  }
  return rows;
}

function below(type: Datatype, path: string, depth: number): Pending[] {
  const children = childrenOf(type);
  if (children.length > 0 && depth > MOST_DEPTH) return [{ path, depth, leftOut: "more levels" }];
  const shown = children.slice(0, MOST_CHILDREN);
  const pending = shown.map((child, i): Pending => ({ path: path + stepTo(type, i), depth, type: child }));
  const left = children.length - shown.length;
  return left === 0 ? pending : [...pending, { path, depth, leftOut: `${left} more members` }];
}

/** What a path gains from a node to its i-th child. */
export const stepTo = (type: Datatype, i: number): string => (type.kind === "struct" ? `.children[${i}]` : ".child");

function factsOf(type: Datatype): string {
  const { sizeBytes, extentBytes } = boundsOf(type);
  return sizeBytes === extentBytes ? `${sizeBytes} B` : `${sizeBytes} B in ${extentBytes} B`;
}

function labelOf(type: Datatype): string {
  switch (type.kind) {
    case "predefined":
      return type.name;
    case "contiguous":
      return `contiguous, ${type.count} ×`;
    case "vector":
      return `vector, ${type.count} × ${type.blocklength}, stride ${type.stride}`;
    case "hvector":
      return `hvector, ${type.count} × ${type.blocklength}, stride ${type.strideBytes} B`;
    case "indexed":
      return `indexed, ${type.blocklengths.length} blocks at ${list(type.displacements)}`;
    case "hindexed":
      return `hindexed, ${type.blocklengths.length} blocks at ${list(type.displacementsBytes)} B`;
    case "indexed_block":
      return `indexed_block, ${type.displacements.length} × ${type.blocklength} at ${list(type.displacements)}`;
    case "hindexed_block":
      return `hindexed_block, ${type.displacementsBytes.length} × ${type.blocklength} at ${list(type.displacementsBytes)} B`;
    case "struct":
      return `struct of ${type.children.length} at ${list(type.displacementsBytes)} B`;
    case "subarray":
      return `subarray ${type.subsizes.join(" × ")} of ${type.sizes.join(" × ")} at ${type.starts.join(", ")}, ${type.order}`;
    case "darray":
      return `darray ${type.gsizes.join(" × ")}, rank ${type.rank} of ${type.psizes.join(" × ")}, ${type.distribs.join(", ")}`;
    case "resized":
      return `resized, lb ${type.lowerBoundBytes}, extent ${type.extentBytes}`;
    case "dup":
      return "dup";
  }
}

const SHOWN = 4;

function list(table: IntegerTable): string {
  const shown = Array.from(table.subarray(0, SHOWN)).join(", ");
  return table.length > SHOWN ? `${shown}, …` : shown;
}
