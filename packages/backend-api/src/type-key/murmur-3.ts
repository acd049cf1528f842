// MurmurHash3_x86_128 (Appleby, public domain): 32-bit arithmetic alone, so that C and JavaScript agree at full speed.

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;
const BLOCK_BYTES = 16;

const rotl = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

/** How much of a word goes into the hash. */
const scrambled = (word: number, before: number, by: number, after: number): number =>
  Math.imul(rotl(Math.imul(word, before), by), after);

/** 128 bits of a hash, as four words of 32. */
export function murmur3(bytes: Uint8Array, seed: number): Uint32Array<ArrayBuffer> {
  const h = new Uint32Array(4).fill(seed);
  const whole = bytes.length - (bytes.length % BLOCK_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += BLOCK_BYTES) mixBlock(h, view, at);
  const tail = new Uint8Array(BLOCK_BYTES);
  tail.set(bytes.subarray(whole));
  mixTail(h, new DataView(tail.buffer));
  return finalised(h, bytes.length);
}

function mixBlock(h: Uint32Array, view: DataView, at: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = h;
  a = Math.imul(rotl(a ^ scrambled(view.getUint32(at, true), C1, 15, C2), 19) + b, 5) + 0x561ccd1b;
  b = Math.imul(rotl(b ^ scrambled(view.getUint32(at + 4, true), C2, 16, C3), 17) + c, 5) + 0x0bcaa747;
  c = Math.imul(rotl(c ^ scrambled(view.getUint32(at + 8, true), C3, 17, C4), 15) + d, 5) + 0x96cd1c35;
  d = Math.imul(rotl(d ^ scrambled(view.getUint32(at + 12, true), C4, 18, C1), 13) + a, 5) + 0x32ac3b17;
  h[0] = a;
  h[1] = b;
  h[2] = c;
  h[3] = d;
}

/** Zeros behind the last bytes change nothing. */
function mixTail(h: Uint32Array, tail: DataView): void {
  const words = [scrambled(tail.getUint32(0, true), C1, 15, C2), scrambled(tail.getUint32(4, true), C2, 16, C3)];
  words.push(scrambled(tail.getUint32(8, true), C3, 17, C4), scrambled(tail.getUint32(12, true), C4, 18, C1));
  words.forEach((word, i) => (h[i] = (h[i] as number) ^ word));
}

function finalised(h: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const spread = (): void => {
    h[0] = h.reduce((sum, each) => sum + each);
    for (let i = 1; i < 4; i++) h[i] = (h[i] as number) + h[0];
  };
  h.forEach((each, i) => (h[i] = each ^ length));
  spread();
  h.forEach((each, i) => (h[i] = finalMix(each)));
  spread();
  return h;
}

function finalMix(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return second ^ (second >>> 16);
}
