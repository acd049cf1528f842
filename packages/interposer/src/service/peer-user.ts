import type library from "koffi";
import { createRequire } from "node:module";
import type { Socket } from "node:net";

/** unix(7): pid, uid and gid of who connected, at the time of connecting. */
const [SOL_SOCKET, SO_PEERCRED] = [1, 17];
const UID_WORD = 1;

type GetSocketOption = (file: number, level: number, name: number, value: Int32Array, length: Uint32Array) => number;

let getSocketOption: GetSocketOption | undefined;

/** The user at the other end of a Unix socket; undefined where the system does not say. Node has no call for it. */
export function peerUser(socket: Socket): number | undefined {
  const file = (socket as Socket & { readonly _handle?: { readonly fd?: number } })._handle?.fd;
  if (file === undefined || file < 0) return undefined;
  // Loaded with the first connection: a report of recordings asks nobody.
  getSocketOption ??= (createRequire(import.meta.url)("koffi") as typeof library)
    .load("libc.so.6")
    .func("int getsockopt(int, int, int, void *, void *)") as unknown as GetSocketOption;
  const credentials = new Int32Array(3);
  const status = getSocketOption(file, SOL_SOCKET, SO_PEERCRED, credentials, Uint32Array.of(credentials.byteLength));
  return status === 0 ? credentials[UID_WORD] : undefined;
}
