import { blocks, dense, isRuns, stream, type Blocks, type LayoutNode, type Member } from "@stowage/ir";

/** What is before a packed byte of a node, and what is from it on. */
export type Halves = readonly [before: readonly Member[], after: readonly Member[]];

const at = (offsetBytes: number, node: LayoutNode): readonly Member[] =>
  node.sizeBytes === 0 ? [] : [{ offsetBytes, node }];
const moved = (members: readonly Member[], by: number): readonly Member[] =>
  members.map(({ offsetBytes, node }) => ({ offsetBytes: offsetBytes + by, node }));

/** Cuts a node at a packed byte. undefined: in the middle of a table of copies that are no runs. */
export function cut(node: LayoutNode, bytes: number): Halves | undefined {
  if (bytes <= 0) return [[], at(0, node)];
  if (bytes >= node.sizeBytes) return [at(0, node), []];
  switch (node.kind) {
    case "dense":
      return [at(0, dense(bytes)), at(bytes, dense(node.lengthBytes - bytes))];
    case "stream": {
      const { count, strideBytes, child } = node;
      const whole = Math.floor(bytes / child.sizeBytes);
      const part = (copies: number): LayoutNode => (copies === 1 ? child : stream(copies, strideBytes, child));
      return around(part(whole), child, whole * strideBytes, bytes - whole * child.sizeBytes, (inside) => {
        const from = whole + (inside ? 1 : 0);
        return at(from * strideBytes, part(count - from));
      });
    }
    case "blocks":
      return cutBlocks(node, bytes);
    case "sequence": {
      let start = 0;
      const index = node.members.findIndex((member) => (start += member.node.sizeBytes) > bytes);
      const member = node.members[index] as Member;
      const inner = cut(member.node, bytes - (start - member.node.sizeBytes));
      if (inner === undefined) return undefined;
      const here = (members: readonly Member[]) => moved(members, member.offsetBytes);
      return [
        [...node.members.slice(0, index), ...here(inner[0])],
        [...here(inner[1]), ...node.members.slice(index + 1)],
      ];
    }
  }
}

/** Whole children, then one that the cut may go through, then the rest. */
function around(
  whole: LayoutNode,
  child: LayoutNode,
  offsetBytes: number,
  within: number,
  rest: (inside: boolean) => readonly Member[],
): Halves | undefined {
  const inside = within > 0;
  const inner = inside ? cut(child, within) : ([[], []] as const);
  if (inner === undefined) return undefined;
  return [
    [...at(0, whole), ...moved(inner[0], offsetBytes)],
    [...moved(inner[1], offsetBytes), ...rest(inside)],
  ];
}

function cutBlocks(node: Blocks, bytes: number): Halves | undefined {
  const { displacementsBytes, blocklengths, strideBytes, child } = node;
  if (blocklengths !== 1 && !isRuns(node)) return undefined;
  const lengthOf = (i: number): number => (blocklengths === 1 ? 1 : (blocklengths[i] as number)) * child.sizeBytes;
  let [index, start] = [0, 0];
  while (start + lengthOf(index) <= bytes) start += lengthOf(index++);
  const part = (from: number, to: number): readonly Member[] =>
    from >= to
      ? []
      : at(
          0,
          blocks(
            displacementsBytes.slice(from, to),
            blocklengths === 1 ? 1 : blocklengths.slice(from, to),
            strideBytes,
            child,
          ),
        );
  if (bytes === start) return [part(0, index), part(index, displacementsBytes.length)];
  const inner = cut(blocklengths === 1 ? child : dense(lengthOf(index)), bytes - start);
  if (inner === undefined) return undefined;
  const here = (members: readonly Member[]) => moved(members, displacementsBytes[index] as number);
  return [
    [...part(0, index), ...here(inner[0])],
    [...here(inner[1]), ...part(index + 1, displacementsBytes.length)],
  ];
}
