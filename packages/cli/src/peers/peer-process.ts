import { MEMCPY, servePeer, type Peer, type PeerSpec } from "@stowage/bench/peers";
import type { OurSpec } from "./peer-specs.js";

// One contender of `bench --peers`, in a process of its own. Each loads only what it is made of.

/** Starts a contender in this process. Throws one line where it cannot take part. */
async function openPeer(spec: OurSpec): Promise<Peer> {
  switch (spec.kind) {
    case "engine":
      return (await import("./engine-peer.js")).enginePeer(spec.backend);
    case "mpi":
      return (await import("./mpi-peer.js")).mpiPeer(spec.path);
    case "plain-c":
      return (await import("./plain-c-peer.js")).plainCPeer();
    case "memcpy":
      return MEMCPY;
  }
}

await servePeer((spec: PeerSpec) => openPeer(spec as OurSpec));
