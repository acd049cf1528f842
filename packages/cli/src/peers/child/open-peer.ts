import type { PeerSpec } from "../protocol.js";
import { enginePeer } from "./engine-peer.js";
import { MEMCPY } from "./memcpy-peer.js";
import { mpiPeer } from "./mpi-peer.js";
import type { Peer } from "./peer.js";
import { plainCPeer } from "./plain-c-peer.js";

/** Starts a contender in this process. Throws one line where it cannot take part. */
export async function openPeer(spec: PeerSpec): Promise<Peer> {
  switch (spec.kind) {
    case "engine":
      return enginePeer(spec.backend);
    case "mpi":
      return mpiPeer(spec.path);
    case "plain-c":
      return plainCPeer();
    case "memcpy":
      return MEMCPY;
  }
}
