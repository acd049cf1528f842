import type { Answer, Ask, QuestionName, Questions } from "../src/worker/protocol.js";

type Reply<Name extends QuestionName> = Awaited<ReturnType<Questions[Name]>>;

/** An answer, and how long the worker was at it. */
interface Worked {
  readonly answered: Answer;
  readonly workMs: number;
}

interface Waiting {
  readonly name: QuestionName;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A question that takes longer has its worker stopped. */
const LONGEST_MS = 20_000;

/**
 * A worker that runs this page's own script, and the questions under way. Questions of one name wait for each other,
 * and of those that wait the last one alone is asked: the others no longer matter, and their promises stay open.
 */
export class Client {
  readonly #script: string;
  readonly #onStopped: () => void;
  #worker: Worker;
  #waiting = new Map<number, Waiting>();
  readonly #next = new Map<QuestionName, (() => void) | undefined>();
  #lastId = 0;

  /** `onStopped`: told when a worker was stopped and a new one knows nothing yet. */
  constructor(script: string, onStopped: () => void) {
    this.#script = script;
    this.#onStopped = onStopped;
    this.#worker = this.#start();
  }

  ask<Name extends QuestionName>(name: Name, ...args: Parameters<Questions[Name]>): Promise<Reply<Name>> {
    return new Promise((resolve, reject) => {
      const send = (): void => this.#send(name, args, resolve as (value: unknown) => void, reject);
      if (this.#next.has(name)) this.#next.set(name, send);
      else {
        this.#next.set(name, undefined);
        send();
      }
    });
  }

  #send(
    name: QuestionName,
    args: readonly unknown[],
    resolve: (value: unknown) => void,
    reject: (e: Error) => void,
  ): void {
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#stop(name), LONGEST_MS);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      const next = this.#next.get(name);
      if (next === undefined) this.#next.delete(name);
      else this.#next.set(name, undefined);
      act();
      next?.();
    };
    this.#waiting.set(id, {
      name,
      resolve: (value) => settle(() => resolve(value)),
      reject: (error) => settle(() => reject(error)),
    });
    this.#worker.postMessage({ id, name, args } satisfies Ask);
  }

  #stop(name: QuestionName): void {
    this.#worker.terminate();
    this.#worker = this.#start();
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#next.clear();
    this.#onStopped();
    for (const { reject } of waiting.values())
      reject(new Error(`${name}: expected an answer within ${LONGEST_MS / 1000} s, got none`));
  }

  #start(): Worker {
    const url = URL.createObjectURL(new Blob([this.#script], { type: "text/javascript" }));
    const worker = new Worker(url);
    worker.onmessage = ({ data: { answered: data, workMs } }: MessageEvent<Worked>) => {
      const waiting = this.#waiting.get(data.id);
      performance.measure(`worker ${waiting?.name}`, { end: performance.now(), duration: workMs });
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value);
    };
    return worker;
  }
}
