/** Things to dispose of when a case is over, the last first. */
export class Resources implements Disposable {
  readonly #held: Disposable[] = [];

  hold<T extends Disposable>(thing: T): T {
    this.#held.push(thing);
    return thing;
  }

  [Symbol.dispose](): void {
    for (let last = this.#held.pop(); last !== undefined; last = this.#held.pop()) last[Symbol.dispose]();
  }
}
