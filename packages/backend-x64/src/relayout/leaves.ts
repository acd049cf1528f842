import type { Pair } from "./pair.js";

export function leavesOf(pair: Pair): readonly Pair[] {
  switch (pair.kind) {
    case "loop":
    case "walk":
      return leavesOf(pair.child);
    case "nest":
      return leavesOf(pair.pair);
    case "members":
      return pair.members.flatMap((member) => leavesOf(member.pair));
    case "run":
    case "overlaps":
    case "transposed":
      return [pair];
  }
}

export const areAll = (pair: Pair, kind: Pair["kind"]): boolean => leavesOf(pair).every((leaf) => leaf.kind === kind);

/** Whether the pair writes full pieces of so many bytes of the target, if its own start is at the start of one. */
export function fills(bytes: number, pair: Pair): boolean {
  const isWhole = (distance: number): boolean => distance % bytes === 0;
  switch (pair.kind) {
    case "run":
      return isWhole(pair.lengthBytes);
    case "loop":
      return isWhole(pair.targetBytes) && fills(bytes, pair.child);
    case "walk":
      return (
        pair.displacementsBytes.every((displacement, i) => i % 2 === 0 || isWhole(displacement)) &&
        fills(bytes, pair.child)
      );
    case "members":
      return pair.members.every((member) => isWhole(member.targetBytes) && fills(bytes, member.pair));
    case "transposed":
      return isWhole(pair.rows * pair.elementBytes) && isWhole(pair.columnStrideBytes);
    case "nest":
      return fills(bytes, pair.pair);
    case "overlaps":
      return false;
  }
}
