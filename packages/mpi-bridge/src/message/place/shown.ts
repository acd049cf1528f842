/**
 * What the MPI is shown of elements: "native", as they lie, by a type of its own; "packed", in memory of the host;
 * "gapped", packed as two blocks with a gap between; "device", packed in the memory of a device; "copied", a run of
 * bytes in other memory than its own, which may shrink while the message is under way.
 */
export type Shown = "native" | "packed" | "gapped" | "device" | "copied";
