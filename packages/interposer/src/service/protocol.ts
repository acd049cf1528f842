/** What a rank asks: code for a description. The key is the rank's, in hexadecimal digits. */
export interface Question {
  readonly key: string;
  readonly description: Uint8Array;
}

/** As c/store/client.c has it: length of the description, version of the protocol, key; then the description. */
const PROTOCOL = 1;
const KEY_BYTES = 16;
const HEAD_BYTES = 8 + KEY_BYTES;
const ANSWER_BYTES = 24;
/** Tables of a million blocks have less. */
const LARGEST_DESCRIPTION = 256 * 2 ** 20;
const STATUS = { stored: 0, refused: 1 } as const;

/** A question of no type, which is refused: who gets an answer is among the clients. */
export const GREETING: Uint8Array = Uint8Array.of(0, 0, 0, 0, PROTOCOL, 0, 0, 0, ...new Uint8Array(KEY_BYTES));

/** Cuts what comes through a socket into questions. */
export class QuestionReader {
  #chunks: Buffer[] = [];
  #length = 0;

  /** The questions that these bytes complete. Throws an Error where they are none: the connection is to be closed. */
  push(chunk: Buffer): readonly Question[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const questions: Question[] = [];
    for (let needed = this.#needed(); needed !== undefined && this.#length >= needed; needed = this.#needed()) {
      const bytes = this.#joined();
      questions.push({ key: bytes.toString("hex", 8, HEAD_BYTES), description: bytes.subarray(HEAD_BYTES, needed) });
      this.#chunks = [bytes.subarray(needed)];
      this.#length = bytes.length - needed;
    }
    return questions;
  }

  /** Bytes of the question that has begun; unknown while its head is cut. */
  #needed(): number | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    const head = (this.#chunks[0]?.length ?? 0) >= HEAD_BYTES ? (this.#chunks[0] as Buffer) : this.#joined();
    const [length, protocol] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    if (protocol !== PROTOCOL || length > LARGEST_DESCRIPTION)
      throw new Error(`question: expected protocol ${PROTOCOL}`);
    return HEAD_BYTES + length;
  }

  #joined(): Buffer {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }
}

export function answerBytes(key: string, answer: keyof typeof STATUS): Buffer {
  const bytes = Buffer.alloc(ANSWER_BYTES);
  bytes.write(key, "hex");
  bytes.writeUInt32LE(STATUS[answer], KEY_BYTES);
  return bytes;
}
