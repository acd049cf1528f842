import type { Backend } from "@stowage/backend-api";
import type { LawOptions } from "../../src/index.js";

/** A backend that is wrong in one way, and the law that must catch it. */
export interface Fault {
  readonly name: string;
  readonly law: number;
  /** What the violation must say, so that it is caught for what it is. */
  readonly says: RegExp;
  readonly factory: () => Backend;
  readonly options?: LawOptions;
}
