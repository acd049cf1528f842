import koffi from "koffi";

/** The address of a view's first byte. It holds while the view's buffer is neither detached nor resized. */
export const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));
