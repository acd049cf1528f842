import { createInterface } from "node:readline";
import { pinThread } from "../native/pin.js";
import { encodeLine, type Failed, type PeerSpec, type Place, type Request } from "../protocol.js";
import { openPeer } from "./open-peer.js";
import { Server } from "./serve.js";
import { sharedMemory } from "./shared-memory.js";

// One contender in a process of its own: `peer-process.js SPEC PLACE`. Requests come in on standard input, one
// a line; answers go out on standard output, marked, for libraries print there too.

const say = (message: object): void => void process.stdout.write(encodeLine(message));
const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");

async function main(spec: PeerSpec, { processor, memoryFile }: Place): Promise<void> {
  const pinned = processor !== undefined && pinThread(processor);
  using server = await start(spec, pinned, memoryFile);
  if (server === undefined) return;
  for await (const line of createInterface({ input: process.stdin }))
    say(answered(server, JSON.parse(line) as Request));
}

async function start(spec: PeerSpec, pinned: boolean, memoryFile: number | undefined): Promise<Server | undefined> {
  try {
    const peer = await openPeer(spec);
    say({ name: peer.name, pinned });
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

process.on("SIGINT", () => undefined); // the parent decides when to stop, after the cell at hand
await main(JSON.parse(process.argv[2] ?? "") as PeerSpec, JSON.parse(process.argv[3] ?? "{}") as Place);
