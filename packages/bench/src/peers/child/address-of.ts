import koffi from "koffi";

export const addressOf = (view: ArrayBufferView): number => Number(koffi.address(view));
