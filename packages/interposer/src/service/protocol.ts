import { SERVICE_FORMAT } from "../formats/service-format.js";

/** What a rank asks: code for a description. The key is the rank's, in hexadecimal digits. */
export interface Question {
  readonly key: string;
  readonly description: Uint8Array;
}

const { constants, question: QUESTION, answer: ANSWER } = SERVICE_FORMAT;
const PROTOCOL = constants.version;
const HEAD_BYTES = QUESTION.bytes;
/** Tables of a million blocks have less. */
const LARGEST_DESCRIPTION = 256 * 2 ** 20;

/** A question of no type, which is refused: who gets an answer is among the clients. */
export const GREETING: Uint8Array = greeting();

function greeting(): Uint8Array {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.writeUInt32LE(PROTOCOL, QUESTION.offsets.version);
  return bytes;
}

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
      questions.push({
        key: bytes.toString("hex", QUESTION.offsets.key, QUESTION.offsets.key + constants.keyBytes),
        description: bytes.subarray(HEAD_BYTES, needed),
      });
      this.#chunks = [bytes.subarray(needed)];
      this.#length = bytes.length - needed;
    }
    return questions;
  }

  /** Bytes of the question that has begun; unknown while its head is cut. */
  #needed(): number | undefined {
    if (this.#length < HEAD_BYTES) return undefined;
    const head = (this.#chunks[0]?.length ?? 0) >= HEAD_BYTES ? (this.#chunks[0] as Buffer) : this.#joined();
    const [length, protocol] = [
      head.readUInt32LE(QUESTION.offsets.length),
      head.readUInt32LE(QUESTION.offsets.version),
    ];
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

export function answerBytes(key: string, answer: "stored" | "refused"): Buffer {
  const bytes = Buffer.alloc(ANSWER.bytes);
  bytes.write(key, ANSWER.offsets.key, "hex");
  bytes.writeUInt32LE(constants[answer], ANSWER.offsets.status);
  return bytes;
}
