import { ArgumentError, quoted, requireArray } from "@stowage/ir";

/**
 * Groups items by a key, in the order in which the keys first come. Throws an ArgumentError for what is no list, or no
 * function.
 */
export function grouped<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  requireArray(items, "items", "a list");
  if (typeof keyOf !== "function") throw new ArgumentError("key of items", "a function", quoted(keyOf));
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
