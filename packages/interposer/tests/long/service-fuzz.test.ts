import { describeType } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { hindexed, predefined, resized, struct, subarray, vector } from "@stowage/ir";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { deviceKeyOf } from "../../src/service/device-code.js";
import { keyOf, levelOf } from "../../src/service/compiled-code.js";
import { withService } from "../service/with-service.js";

const FUZZED = Number(process.env["STOWAGE_LAW_RUNS"] ?? 100_000);
const SEED = Number(process.env["STOWAGE_SEED"] ?? 14);
const AT_ONCE = 8;
/** So little that the cache is pruned all the time. */
const CACHE_BYTES = 2 ** 20;
const [HEAD_BYTES, ANSWER_BYTES, PROTOCOL] = [24, 24, 1];

const double = predefined("MPI_DOUBLE");
const TYPES = [
  vector(3, 1, 2, predefined("MPI_SHORT")),
  resized(-8, 64, hindexed([2, 1, 3], [0, 40, 16], predefined("MPI_INT"))),
  struct([1, 3], [0, 8], [predefined("MPI_CHAR"), double]),
  subarray({ sizes: [6, 7, 8], subsizes: [2, 3, 4], starts: [1, 2, 3], order: "C", child: double }),
  vector(4, 2, 9, struct([2, 1], [0, 24], [vector(2, 1, 3, double), predefined("MPI_FLOAT")])),
].map((type) => describeType(type));

/** mulberry32: whole numbers below a bound. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const EXTREMES = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 40, 2 ** 53, -(2 ** 53)].map(BigInt);
EXTREMES.push(2n ** 63n - 1n, -(2n ** 63n));

class Fuzzer {
  readonly #draw: (below: number) => number;
  readonly #level: string;

  constructor(seed: number, level: string) {
    this.#draw = drawing(seed);
    this.#level = level;
  }

  /** A question, right or damaged; some have the key of what they say, so that it is read as a type. */
  message(): Buffer {
    const description = Buffer.from(this.#pick(TYPES));
    const whole = this.#question(this.#draw(2) === 0 ? description : this.#damaged(description));
    switch (this.#draw(6)) {
      case 0:
        return this.#damaged(whole);
      case 1:
        return whole.subarray(0, this.#draw(whole.length));
      case 2:
        return Buffer.concat([whole, this.#bytes(this.#draw(64)), this.#question(description)]);
      case 3:
        whole.writeUInt32LE(this.#pick([0, 1, whole.length, 2 ** 20, 2 ** 28, 2 ** 28 + 1, 2 ** 31, 2 ** 32 - 1]), 0);
        return whole;
      default:
        return whole;
    }
  }

  question(description: Uint8Array): Buffer {
    return this.#question(Buffer.from(description));
  }

  #question(description: Buffer): Buffer {
    const head = Buffer.alloc(HEAD_BYTES);
    const key = this.#draw(4) === 0 ? deviceKeyOf(description) : keyOf(description, this.#level);
    head.writeUInt32LE(description.length, 0);
    head.writeUInt32LE(PROTOCOL, 4);
    head.write(key, 8, "hex");
    return Buffer.concat([head, description]);
  }

  #damaged(bytes: Buffer): Buffer {
    const damaged = Buffer.from(bytes);
    for (let left = 1 + this.#draw(4); left > 0; left--) {
      if (this.#draw(2) === 0) damaged[this.#draw(damaged.length)] = this.#draw(256);
      else if (damaged.length >= 8)
        damaged.writeBigInt64LE(this.#pick(EXTREMES), 8 * this.#draw(Math.floor(damaged.length / 8)));
    }
    return damaged;
  }

  #bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#draw(256)));
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#draw(list.length)] as T;
  }
}

/** What a service answers to bytes behind which nothing follows. */
const answered = (path: string, bytes: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const client = connect(path, () => client.end(bytes));
    client.on("data", (chunk: Buffer) => chunks.push(chunk));
    // It closes on who speaks another protocol, and may not have read all of it.
    client.on("error", (error: NodeJS.ErrnoException) =>
      ["ECONNRESET", "EPIPE"].includes(error.code ?? "") ? undefined : reject(error),
    );
    client.on("close", () => resolve(Buffer.concat(chunks)));
  });

/** A rank keeps its socket open until its answer is there. */
const asked = (path: string, question: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const client = connect(path, () => client.write(question));
    client.once("data", (answer: Buffer) => client.end(() => resolve(answer)));
    client.on("error", reject);
  });

test(`the service answers or closes on ${FUZZED} damaged messages, and serves on`, { timeout: 7_200_000 }, () =>
  withService(
    async ({ service, cache }) => {
      using backend = new X64Backend();
      const fuzzer = new Fuzzer(SEED, levelOf(backend));
      let [sent, answers, stored] = [0, 0, 0];
      const send = async (): Promise<void> => {
        while (sent < FUZZED) {
          sent++;
          const message = fuzzer.message();
          const got =
            sent % 2 === 0
              ? await answered(service.path, message)
              : await answered(service.path, Buffer.concat([message, message]));
          expect(got.length % ANSWER_BYTES).toBe(0);
          for (let at = 0; at < got.length; at += ANSWER_BYTES, answers++) {
            const status = got.readUInt32LE(at + 16);
            expect(status).toBeLessThanOrEqual(1);
            stored += status === 0 ? 1 : 0;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, send));
      console.log(`seed ${SEED}: ${FUZZED} messages, ${answers} answers, ${stored} of them stored`);
      for (const description of TYPES)
        expect((await asked(service.path, fuzzer.question(description))).readUInt32LE(16)).toBe(0);
      expect(
        readdirSync(cache).filter((name) => !/^[0-9a-f]{32}-(?:sse2|avx2|avx512|ptx)-\d+\.stowage$/.test(name)),
      ).toEqual([]);
    },
    { STOWAGE_CACHE_BYTES: String(CACHE_BYTES) },
  ),
);
