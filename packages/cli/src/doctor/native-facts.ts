import { koffi } from "@stowage/host-plans";
import type { Fact } from "./machine-facts.js";

/** Whether native libraries can be called at all: without that the interpreter of the backend cpu serves alone. */
export function nativeFacts(load: typeof koffi = koffi): readonly Fact[] {
  try {
    return [{ name: "native calls", finding: `koffi ${load().version}` }];
  } catch (error) {
    return [{ name: "native calls", finding: `none: ${(error as Error).message}` }];
  }
}
