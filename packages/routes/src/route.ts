/** One way between a device and the host. */
export interface Route {
  readonly name: "one-shot" | "device" | "staged" | "pipelined";
  /** Kinds of host memory that the route takes. "host" is pageable memory, which it copies through pinned buffers. */
  readonly host: readonly ("pinned" | "host")[];
  /** Whether the packer works on a buffer of the device, which copies fill or empty; else on mapped host memory. */
  readonly throughDevice: boolean;
  /** Whether the bytes go in chunks that overlap: while one is copied, the next is packed. */
  readonly chunked: boolean;
  /** What the route does, in words for a person. */
  readonly text: string;
}

/**
 * The four routes: TEMPI's transports (Pearson et al. 2021, section 3.4) and Jenkins' zero-copy (Cluster 2012), in
 * today's words.
 */
export const ROUTES: readonly Route[] = Object.freeze([
  {
    name: "one-shot",
    host: ["pinned"],
    throughDevice: false,
    chunked: false,
    text: "one launch on mapped host memory",
  },
  {
    name: "device",
    host: ["pinned"],
    throughDevice: true,
    chunked: false,
    text: "packed on the device, and one copy over the bus",
  },
  {
    name: "staged",
    host: ["host"],
    throughDevice: true,
    chunked: false,
    text: "packed on the device, one copy over the bus to or from a pinned buffer, one by the processor",
  },
  {
    name: "pipelined",
    host: ["pinned", "host"],
    throughDevice: true,
    chunked: true,
    text: "packed on the device in chunks, each copied over the bus while the next is packed",
  },
]);
