import type { Level } from "./level.js";

/** Every level reachable from `root` once, each after those inside it. The stack is explicit: nesting has no limit. */
export function postOrder(root: Level): readonly Level[] {
  const order: Level[] = [];
  const seen = new Set<Level>();
  const stack: { readonly level: Level; readonly inside: boolean }[] = [{ level: root, inside: false }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { level, inside } = top;
    if (inside) order.push(level);
    else if (!seen.has(level)) {
      seen.add(level);
      stack.push({ level, inside: true });
      for (const inner of level.members ?? (level.child ? [level.child] : []))
        stack.push({ level: inner, inside: false });
    }
  }
  return order;
}
