// The compile service of a node: `node main.js SOCKET`, started by startService. It serves this user's processes until
// whoever started it has ended, which closes its standard input, and the last client has gone.
import { rmSync, statSync } from "node:fs";
import { cacheFolders } from "../cache/cache-folders.js";
import { CodeCache } from "../cache/code-cache.js";
import { CompileService } from "./compile-service.js";
import { listen } from "./listen.js";
import { READY, TAKEN } from "./start-service.js";
import { Clients } from "./serve-clients.js";

const isVerbose = !["", "0", undefined].includes(process.env["STOWAGE_VERBOSE"]);
const say = (line: string): void => void (isVerbose && process.stderr.write(`stowage: ${line}\n`));

async function main(path: string): Promise<void> {
  const service = new CompileService(new CodeCache(cacheFolders()[0]), say);
  let isParentGone = false;
  const clients = new Clients(service, () => isParentGone && leave());
  const server = await listen(path, (client) => clients.add(client));
  if (server === undefined) {
    process.stdout.write(TAKEN, () => process.exit(0));
    return;
  }
  const { ino } = statSync(path);
  const leave = (): never => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
    process.exit(0);
  };
  // The terminal's signals are for the program; it may have much to pack still.
  for (const signal of ["SIGINT", "SIGHUP", "SIGQUIT"] as const) process.on(signal, () => undefined);
  process.on("SIGTERM", leave);
  process.stdin.resume().on("close", () => {
    isParentGone = true;
    if (clients.areIdle) leave();
  });
  process.stdout.on("error", () => undefined); // nobody waits for the line any more
  process.stdout.write(READY);
}

try {
  await main(process.argv[2] as string);
} catch (error) {
  process.stderr.write(`stowage: compile service: ${(error as Error).message}\n`);
  process.exit(1);
}
