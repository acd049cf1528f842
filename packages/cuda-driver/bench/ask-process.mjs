// Another process, for what belongs to two of them.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A question to another process that loads the driver itself; `ipc-peer.mjs` has what it can be asked. */
export async function askProcess(message) {
  const child = fork(fileURLToPath(new URL("ipc-peer.mjs", import.meta.url)));
  const reply = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (status) =>
      reject(new Error(`other process: expected an answer, it ended with status ${status}`)),
    );
    child.send(message);
  });
  const end = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", resolve);
      child.send("end");
    });
  return { reply, end };
}
