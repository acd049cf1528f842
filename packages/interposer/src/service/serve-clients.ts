import type { Socket } from "node:net";
import type { CompileService } from "./compile-service.js";
import { answerBytes, QuestionReader, type Question } from "./protocol.js";

interface Waiting {
  readonly client: Socket;
  readonly question: Question;
}

/** The clients of a service: one question after another, and the sockets are looked at between any two. */
export class Clients {
  readonly #service: CompileService;
  readonly #onIdle: () => void;
  readonly #onWaiting: (questions: number) => void;
  readonly #open = new Set<Socket>();
  readonly #waiting: Waiting[] = [];
  #isBusy = false;
  #told = 0;

  /**
   * `onIdle` is called whenever the last client has gone and its questions are answered, `onWaiting` with how many
   * questions about datatypes have no answer yet, whenever one is begun or none is left.
   */
  constructor(service: CompileService, onIdle: () => void, onWaiting: (questions: number) => void) {
    this.#service = service;
    this.#onIdle = onIdle;
    this.#onWaiting = onWaiting;
  }

  get areIdle(): boolean {
    return this.#open.size === 0 && this.#waiting.length === 0 && !this.#isBusy;
  }

  add(client: Socket): void {
    const reader = new QuestionReader();
    this.#open.add(client);
    client.on("data", (chunk: Buffer) => {
      try {
        for (const question of reader.push(chunk)) this.#waiting.push({ client, question });
      } catch {
        client.destroy(); // it speaks another protocol
      }
      this.#goOn();
    });
    client.on("close", () => {
      this.#open.delete(client);
      if (this.areIdle) this.#onIdle();
    });
  }

  #goOn(): void {
    if (this.#isBusy) return;
    const left = this.#waiting.filter(({ question }) => question.description.length > 0).length;
    const next = this.#waiting.shift();
    if (left !== this.#told) this.#onWaiting((this.#told = left));
    if (next === undefined) {
      if (this.areIdle) this.#onIdle();
      return;
    }
    this.#isBusy = true;
    const { client, question } = next;
    // A program that has ended is likely to be started again: its code is for the cache.
    const answer = this.#service.answer(question);
    if (!client.destroyed) client.write(answerBytes(question.key, answer));
    setImmediate(() => {
      this.#isBusy = false;
      this.#goOn();
    });
  }
}
