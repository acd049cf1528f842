import type { Artifact, Backend } from "@stowage/backend-api";
import { compiling } from "./compiling.js";

const keptByModule: Artifact[] = [];

/** Its payload is a number of something that `kept` holds: of all such backends in this process, unless given. */
export function keepingBackend(kept: Artifact[] = keptByModule): Backend {
  return compiling(
    (artifact) => {
      const known = kept.findIndex(({ key }) => key === artifact.key);
      return { ...artifact, payload: known >= 0 ? known : kept.push(artifact) - 1 };
    },
    (artifact) => {
      const found = kept[artifact.payload as number];
      if (found === undefined) throw new RangeError("payload: it is not kept in this process");
      return found;
    },
  );
}
