/** First in, first out, each in constant time. */
export class Fifo<T> {
  #items: T[] = [];
  #first = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#first++];
    if (this.#first >= this.#items.length) [this.#items, this.#first] = [[], 0];
    return item;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }
}
