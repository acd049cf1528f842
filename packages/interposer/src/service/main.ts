// The compile service of a node for a cache: `node main.js SOCKET CLIENTS [temporary]`, started by startService, which
// has the socket listen already, and may have taken so many clients. It serves this user's processes until whoever
// started it has let go of it or ended, which closes its standard input, and the last client has gone.
import { rmdirSync, rmSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { dirname } from "node:path";
import { cacheFolders } from "../cache/cache-folders.js";
import { CodeCache } from "../cache/code-cache.js";
import { CompileService } from "./compile-service.js";
import { serveAt, serveOne } from "./listen.js";
import { Clients } from "./serve-clients.js";
import { FIRST_CLIENT, LISTENER, tell } from "./tell.js";

const isVerbose = !["", "0", undefined].includes(process.env["STOWAGE_VERBOSE"]);
const say = (line: string): void => void (isVerbose && process.stderr.write(`stowage: ${line}\n`));

function main(path: string, taken: number, isTemporary: boolean): void {
  process.stderr.on("error", () => undefined); // nobody reads it any more
  const service = new CompileService(new CodeCache(cacheFolders()[0]), say);
  const { ino } = statSync(path);
  const leave = (): never => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
    if (isTemporary) rmdirSync(dirname(path));
    process.exit(0);
  };
  let isLetGo = false;
  const isOver = (): boolean => isLetGo && clients.areIdle;
  // Who has connected meanwhile is met in the turns between.
  const leaveIfOver = (): void => void (isOver() && setImmediate(() => setImmediate(() => isOver() && leave())));
  const clients = new Clients(service, leaveIfOver, (waiting) => tell({ waiting }));
  for (let i = 0; i < taken; i++) serveOne(new Socket({ fd: FIRST_CLIENT + i }), (client) => clients.add(client));
  serveAt(LISTENER, (client) => clients.add(client));
  // The terminal's signals are for the program; it may have much to pack still.
  for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT"] as const) process.on(signal, () => undefined);
  process.on("SIGTERM", leave);
  process.stdin.resume().on("close", () => {
    isLetGo = true;
    leaveIfOver();
  });
  tell({ ready: true });
}

try {
  main(process.argv[2] as string, Number(process.argv[3]), process.argv[4] === "temporary");
} catch (error) {
  tell({ refused: (error as Error).message });
  process.exit(1);
}
