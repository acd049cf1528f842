import { linkSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { privateFolder } from "../cache/private-folder.js";
import { peerUser } from "./peer-user.js";

/** Whether someone listens at a socket. */
export function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });
}

/**
 * Listens at a path, in a folder that is this user's alone, to processes of this user. Undefined: another does so
 * already. A socket that nobody listens at any more is replaced.
 * @throws InterposerError where the folder is not ours
 */
export async function listen(path: string, serve: (client: Socket) => void): Promise<Server | undefined> {
  privateFolder(dirname(path));
  const server = createServer((client) => {
    client.on("error", () => client.destroy()); // a client that died
    if (peerUser(client) === process.geteuid?.()) serve(client);
    else client.destroy();
  });
  const beside = `${path}.${process.pid}`;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(beside, resolve));
  const listening = await published(beside, path);
  rmSync(beside, { force: true });
  if (listening) return server;
  server.close();
  return undefined;
}

/** A name that is taken is left to whoever listens there. */
async function published(beside: string, path: string): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      linkSync(beside, path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (await isAlive(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}
