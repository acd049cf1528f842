import type library from "koffi";
import { createRequire } from "node:module";
import { DeviceError } from "@stowage/backend-api";

type Koffi = typeof library;

let loaded: Koffi | undefined;

/**
 * The library koffi, loaded when it is first asked for: most of what imports machine code's packages may never need it.
 * Throws a DeviceError, one line, where its native part is not there.
 */
export const koffi = (): Koffi => (loaded ??= load());

function load(): Koffi {
  try {
    return createRequire(import.meta.url)("koffi") as Koffi;
  } catch (cause) {
    const [got = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new DeviceError(
      `koffi: expected its native part for ${process.platform}-${process.arch}, got none (${got}): npm install koffi`,
      { cause },
    );
  }
}
