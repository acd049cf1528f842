import { SUCCESS } from "../results.js";

/** Gives a call's output. */
export function give(output: Int32Array, value: number): number {
  output[0] = value;
  return SUCCESS;
}
