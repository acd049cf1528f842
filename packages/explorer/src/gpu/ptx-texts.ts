import { conditions, packMove } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { attempt, type MachineText } from "../steps/machine-text.js";
import { simulatedBackends } from "./simulated-backends.js";

const ON_DEVICE = conditions({
  sourceKind: "device",
  targetKind: "device",
  sourceAlignment: 256,
  targetAlignment: 256,
});

/** The kernel that each GPU backend packs with, as PTX, or why it has none. */
export function ptxTexts(layout: Layout): readonly MachineText[] {
  const moves = [packMove(layout)];
  return simulatedBackends().backends.map((backend) => ({
    title: `PTX, ${backend.name}`,
    text: attempt(() => {
      const { payload } = backend.compile(moves, ON_DEVICE);
      const { standalone } = payload as { readonly standalone?: { readonly ptx?: string } | null };
      return standalone?.ptx ?? "none: no byte moves";
    }),
  }));
}
