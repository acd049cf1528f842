import { addressesOf, type AddressAt, type Binding, type Conditions } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";

/** One side of a bound move, as copies see it. */
export interface Side {
  readonly at: AddressAt;
  readonly host: boolean;
}

export function sideOf(
  layout: Layout,
  name: "source" | "target",
  i: number,
  binding: Binding,
  conditions: Conditions,
): Side {
  const kind = name === "source" ? conditions.sourceKind : conditions.targetKind;
  return { host: kind === "pinned", at: addressesOf(layout, name, i, binding) };
}
