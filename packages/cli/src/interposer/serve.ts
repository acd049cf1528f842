import { serve } from "@stowage/interposer";
import { print } from "../print.js";

/** What users and systemd end a service by. */
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** `stowage serve`: says where it listens, and stays until a signal comes or the service has ended. */
export async function serveUntilEnded(): Promise<void> {
  const { path, ended, end } = await serve();
  print(path);
  const asked = new Promise<void>((resolve) => {
    for (const signal of ENDINGS) process.once(signal, () => resolve());
  });
  const alive = setInterval(() => undefined, 2 ** 30);
  await Promise.race([asked, ended]);
  clearInterval(alive);
  end();
}
