import type { Route } from "../datatype/hints.js";

/**
 * How a message goes: directly where its elements are one run of bytes, else by the route that was chosen. "device":
 * packed in the memory of a device, whose address the MPI is given. "copied": a run of bytes that the MPI is not shown,
 * for its memory may shrink while the message is under way.
 */
export type Way = Route | "direct" | "copied" | "apart" | "device";
