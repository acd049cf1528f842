/** An array of MPI handles as C sees it; in JavaScript a handle is a number. */
export interface Handles {
  /** The memory of the handles, to pass where C expects a pointer to them. */
  readonly view: ArrayBufferView;
  /** Reads handle `index`, from 0. */
  get(index: number): number;
  /** Writes handle `index`. */
  set(index: number, handle: number): void;
}

/** Handles that are pointers. User-space addresses of 64-bit Linux are safe integers. */
export function pointerHandles(length: number): Handles {
  const view = new BigUint64Array(length);
  return {
    view,
    get: (index) => Number(view[index]),
    set: (index, handle) => {
      view[index] = BigInt(handle);
    },
  };
}

/** Handles that are 32-bit integers. */
export function integerHandles(length: number): Handles {
  const view = new Uint32Array(length);
  return {
    view,
    get: (index) => view[index] as number,
    set: (index, handle) => {
      view[index] = handle;
    },
  };
}
