import { X64Backend } from "@stowage/backend-x64";
import { ptxBackend } from "@stowage/compile";
import { fileName, type CodeCache } from "../cache/code-cache.js";
import { compiledCode, isKeyOf, levelOf } from "./compiled-code.js";
import { DEVICE_LEVEL, deviceCode, isDeviceKeyOf } from "./device-code.js";
import type { Question } from "./protocol.js";

/** What became of a question, as c/code/client.h of libstowage numbers it. */
export type Answer = "stored" | "refused";

/**
 * Writes the code of described types into a cache. Equal types are compiled once; what fails once is not tried again.
 */
export class CompileService implements Disposable {
  readonly #backend = new X64Backend({ betweenCores: true, frames: true });
  readonly #devices = ptxBackend();
  readonly #level = levelOf(this.#backend);
  readonly #cache: CodeCache;
  readonly #say: (line: string) => void;
  readonly #refused = new Set<string>();

  constructor(cache: CodeCache, say: (line: string) => void) {
    this.#cache = cache;
    this.#say = say;
  }

  /** Never throws: what cannot be compiled or written is refused, and said. */
  answer({ key, description }: Question): Answer {
    if (this.#refused.has(key)) return "refused";
    const isDevice = isDeviceKeyOf(key, description);
    const name = fileName(key, isDevice ? DEVICE_LEVEL : this.#level);
    try {
      if (!isDevice && !isKeyOf(key, description, this.#level)) return "refused"; // another version of ours
      // Ranks that asked at once; who asks for what it could have read has met a file that is damaged or another's.
      if (this.#cache.holds(name, description)) return "stored";
      this.#cache.write(
        name,
        isDevice ? deviceCode(description, this.#devices) : compiledCode(description, this.#backend),
      );
      return "stored";
    } catch (error) {
      this.#refused.add(key);
      this.#say(`a datatype of ${description.length} bytes stays native: ${(error as Error).message}`);
      return "refused";
    }
  }

  [Symbol.dispose](): void {
    this.#devices[Symbol.dispose]();
    this.#backend[Symbol.dispose]();
  }
}
