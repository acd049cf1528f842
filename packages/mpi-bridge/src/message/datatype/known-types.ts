import { parseDatatypeText } from "@stowage/ir";
import type { BridgeType } from "./bridge-type.js";
import type { TypeCache } from "./type-cache.js";

const MOST_KEPT = 64;

/** Datatypes that other ranks told, by their text; the latest used are kept. */
export class KnownTypes implements Disposable {
  readonly #types: TypeCache;
  readonly #kept = new Map<string, BridgeType>();

  constructor(types: TypeCache) {
    this.#types = types;
  }

  of(text: string): BridgeType {
    const type = this.#kept.get(text) ?? this.#types.commit(parseDatatypeText(text));
    this.#kept.delete(text);
    this.#kept.set(text, type);
    const [oldest] = this.#kept;
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest[0]);
      oldest[1][Symbol.dispose]();
    }
    return type;
  }

  [Symbol.dispose](): void {
    for (const type of this.#kept.values()) type[Symbol.dispose]();
    this.#kept.clear();
  }
}
