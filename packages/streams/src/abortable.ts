/** Passes items on until the signal is aborted: then its reason is thrown, though the next item may never come. */
export async function* abortable<T>(
  items: AsyncIterable<T> | Iterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  signal?.throwIfAborted();
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const aborted = abortion(signal);
  let isOver = false;
  try {
    for (;;) {
      const next = iterator.next();
      const result: IteratorResult<T, unknown> = await (aborted === undefined
        ? next
        : Promise.race([next, aborted.promise]));
      if (result.done === true) {
        isOver = true;
        return;
      }
      yield result.value;
    }
  } finally {
    aborted?.forget();
    // Not awaited: an iterator that waits for its next item would never answer.
    if (!isOver) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function abortion(signal: AbortSignal | undefined): { readonly promise: Promise<never>; forget(): void } | undefined {
  if (signal === undefined) return undefined;
  let listener = (): void => undefined;
  const promise = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason as Error);
    signal.addEventListener("abort", listener, { once: true });
  });
  promise.catch(() => undefined); // it may be aborted between two items
  return { promise, forget: () => signal.removeEventListener("abort", listener) };
}
