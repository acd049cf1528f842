import { linkSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { joined } from "./join.js";
import { peerUser } from "./peer-user.js";

/** A socket at which connections wait for whoever is given its descriptor. */
export interface Listening {
  readonly file: number;
  /** Closes this process's descriptor; it has taken no connection. */
  close(): void;
}

/**
 * Listens at a path in a folder that is this user's alone, or joins who does so already. A socket that nobody listens
 * at any more is replaced. Undefined where neither succeeds.
 */
export async function listening(path: string): Promise<Listening | Socket | undefined> {
  const server = createServer();
  const beside = `${path}.${process.pid}`;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(beside, resolve));
  const file = (server as Server & { readonly _handle?: { readonly fd?: number } })._handle?.fd;
  const other = await published(beside, path);
  rmSync(beside, { force: true });
  // Nobody knows the socket by its first name, and from here to `close` no event is looked at: it takes no connection.
  if (other === "ours" && file !== undefined) return { file, close: () => void server.close() };
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
export function serveAt(file: number, serve: (client: Socket) => void): Server {
  const server = createServer((client) => {
    client.on("error", () => client.destroy()); // a client that died
    if (peerUser(client) === process.geteuid?.()) serve(client);
    else client.destroy();
  });
  return server.listen({ fd: file });
}
