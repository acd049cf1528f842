import { linkSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { joined } from "./join.js";
import { peerUser } from "./peer-user.js";

/** A socket at which connections wait for whoever is given its descriptor. */
export interface Listening {
  readonly file: number;
  /** The first connections: taken, for there is no other way to learn of them, and not read. */
  readonly asked: Promise<readonly Socket[]>;
  /** Closes this process's descriptor. Where no event was looked at since it listened, it has taken no connection. */
  close(): void;
}

/** The descriptor of a socket; Node tells it in no other way. */
export const descriptorOf = (socket: Server | Socket): number | undefined =>
  (socket as (Server | Socket) & { readonly _handle?: { readonly fd?: number } })._handle?.fd;

/**
 * Listens at a path in a folder that is this user's alone, or joins who does so already. A socket that nobody listens
 * at any more is replaced. Undefined where neither succeeds.
 */
export async function listening(path: string): Promise<Listening | Socket | undefined> {
  const server = createServer({ pauseOnConnect: true });
  const taken: Socket[] = [];
  const asked = new Promise<readonly Socket[]>((resolve) => {
    // Those that have come are taken in one go, before the next turn.
    server.on("connection", (client) => void (taken.push(client) === 1 && setImmediate(() => resolve(taken))));
  });
  const beside = `${path}.${process.pid}`;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(beside, resolve));
  const file = descriptorOf(server);
  const other = await published(beside, path);
  rmSync(beside, { force: true });
  // Nobody knows the socket by its first name.
  if (other === "ours" && file !== undefined) return { file, asked, close: () => void server.close() };
  server.close();
  return other === "ours" ? undefined : other;
}

/** A name that is taken is left to whoever listens there. */
async function published(beside: string, path: string): Promise<"ours" | Socket | undefined> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      linkSync(beside, path);
      return "ours";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const other = await joined(path);
      if (other !== undefined) return other;
      rmSync(path, { force: true });
    }
  }
  return undefined;
}

/** Serves processes of this user that connect to a socket which was handed over. */
export const serveAt = (file: number, serve: (client: Socket) => void): Server =>
  createServer((client) => serveOne(client, serve)).listen({ fd: file });

/** Serves a client, if it is of this user. */
export function serveOne(client: Socket, serve: (client: Socket) => void): void {
  client.on("error", () => client.destroy()); // a client that died
  if (peerUser(client) === process.geteuid?.()) serve(client);
  else client.destroy();
}
