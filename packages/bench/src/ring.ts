/** As many as a program that calls with other buffers each time may have; a power of two. */
const RING = 8;

/** Makes eight of something, and returns a function that gives them in turn for ever. */
export function ring<Item>(make: () => Item): () => Item {
  const items = Array.from({ length: RING }, make);
  let at = 0;
  return () => items[(at = (at + 1) & (RING - 1))] as Item;
}
