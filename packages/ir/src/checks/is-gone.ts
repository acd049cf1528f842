/**
 * Whether the bytes of a view are gone: its buffer was transferred, or has shrunk below it. Such a view looks empty,
 * and most methods of it throw; Node 20 has no other way to ask.
 */
export function isGone(view: ArrayBufferView): boolean {
  if (view instanceof DataView) return false;
  try {
    Uint8Array.prototype.keys.call(view as Uint8Array);
    return false;
  } catch {
    return true;
  }
}
