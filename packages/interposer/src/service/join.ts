import { connect, type Socket } from "node:net";
import { GREETING } from "./protocol.js";

/** One that compiles answers after it. */
const BUSY_MS = 2_000;

/**
 * A connection to who listens at a socket, which serves as long as somebody is connected. Undefined where nobody does,
 * or one that is leaving: the system lets who comes late connect, but nobody answers.
 */
export function joined(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write(GREETING));
    const settle = (got: Socket | undefined): void => {
      clearTimeout(timer);
      if (got === undefined) socket.destroy();
      else got.unref();
      resolve(got);
    };
    const timer = setTimeout(() => settle(socket), BUSY_MS);
    socket.once("data", () => settle(socket));
    socket.on("error", () => settle(undefined)).once("close", () => settle(undefined));
  });
}
