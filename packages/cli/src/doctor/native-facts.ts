import type koffi from "koffi";
import { createRequire } from "node:module";
import type { Fact } from "./machine-facts.js";

const load = (): typeof koffi => createRequire(import.meta.url)("koffi") as typeof koffi;

/** Whether native libraries can be called at all: without that the interpreter of the backend cpu serves alone. */
export function nativeFacts(native: () => { readonly version: string } = load): readonly Fact[] {
  try {
    return [{ name: "native calls", finding: `koffi ${native().version}` }];
  } catch (error) {
    const [got = ""] = (error as Error).message.split("\n");
    const expected = `expected koffi's native part for ${process.platform}-${process.arch}`;
    return [{ name: "native calls", finding: `none: ${expected}, got none (${got}): npm install koffi` }];
  }
}
