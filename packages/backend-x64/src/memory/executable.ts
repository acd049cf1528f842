import { CodeRegion } from "./code-region.js";
import { regionBytesFor } from "./rules/region-bytes.js";

/** Where the code of a thread of JavaScript goes: pieces side by side, the lowest free place first. */
export class CodeArena {
  readonly #regions: CodeRegion[] = [];
  #pins = 0;

  /** Throws a DeviceError where the system refuses memory, or refuses to make it executable. */
  add(code: Uint8Array): ExecutableCode {
    for (const region of this.#regions) {
      const address = region.write(code);
      if (address !== undefined) return new ExecutableCode(region, address, code.length);
    }
    const region = new CodeRegion(regionBytesFor(code.length));
    this.#regions.push(region);
    region.setPins(this.#pins);
    return new ExecutableCode(region, region.write(code) as number, code.length);
  }

  /** Native threads run code of ours until unpin is called as often: it must outlive the thread of JavaScript. */
  pin(): void {
    this.#setPins(this.#pins + 1);
  }

  unpin(): void {
    this.#setPins(this.#pins - 1);
  }

  #setPins(count: number): void {
    this.#pins = count;
    for (const region of this.#regions) region.setPins(count);
  }
}

/** One piece of machine code; released once, when nobody can run it any more. */
export class ExecutableCode {
  readonly address: number;
  readonly #region: CodeRegion;
  readonly #bytes: number;

  constructor(region: CodeRegion, address: number, bytes: number) {
    this.#region = region;
    this.address = address;
    this.#bytes = bytes;
  }

  release(): void {
    this.#region.erase(this.address, this.#bytes);
  }
}
