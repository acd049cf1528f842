import { createInterface } from "node:readline";
import { dieWithParent } from "../native/die-with-parent.js";
import { pinThread } from "../native/pin.js";
import { encodeLine, type Failed, type PeerSpec, type ProcessSettings, type Request } from "../protocol.js";
import type { Peer } from "./peer.js";
import { Server } from "./serve.js";
import { sharedMemory } from "./shared-memory.js";

const say = (message: object): void => void process.stdout.write(encodeLine(message));
const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");

/**
 * Does all that the script of a contender's process does: `node SCRIPT SPEC SETTINGS`, as benchPeers starts it.
 * Requests come in on standard input, one a line; answers go out on standard output, marked, for libraries print there
 * too. `open` starts the contender that the specification names; what it throws is one line for the parent, and the
 * contender does not take part.
 *
 * @example
 * ```ts
 * await servePeer((spec) => {
 *   if (spec.title === "memcpy") return MEMCPY;
 *   throw new Error(`contender ${spec.title}: expected memcpy, got another`);
 * });
 * ```
 */
export async function servePeer(open: (spec: PeerSpec) => Peer | Promise<Peer>): Promise<void> {
  dieWithParent();
  process.on("SIGINT", () => undefined); // the parent decides when to stop
  const spec = JSON.parse(process.argv[2] ?? "") as PeerSpec;
  const { processor, memoryFile } = JSON.parse(process.argv[3] ?? "{}") as ProcessSettings;
  const pinned = processor !== undefined && pinThread(processor);
  using server = await start(() => open(spec), pinned, memoryFile);
  if (server === undefined) return;
  for await (const line of createInterface({ input: process.stdin }))
    say(answered(server, JSON.parse(line) as Request));
}

async function start(
  open: () => Peer | Promise<Peer>,
  pinned: boolean,
  memoryFile: number | undefined,
): Promise<Server | undefined> {
  try {
    const peer = await open();
    say({ name: peer.name, pinned, copiesStream: peer.copiesStream === true });
    return new Server(peer, memoryFile === undefined ? undefined : sharedMemory(memoryFile));
  } catch (error) {
    say({ refused: oneLine(error) });
    return undefined;
  }
}

function answered(server: Server, request: Request): object {
  try {
    return server.answer(request);
  } catch (error) {
    return { failed: oneLine(error) } satisfies Failed;
  }
}
