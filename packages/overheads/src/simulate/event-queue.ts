const FIRST_CAPACITY = 1024;

/** Numbers by time, the earliest first; of one time the one that came first. A binary heap in typed arrays. */
export class EventQueue {
  #times = new Float64Array(FIRST_CAPACITY);
  #orders = new Float64Array(FIRST_CAPACITY);
  #events = new Float64Array(FIRST_CAPACITY);
  #length = 0;
  #pushed = 0;

  get length(): number {
    return this.#length;
  }

  /** The time of the event that `pop` would give. */
  get nextTime(): number {
    return this.#times[0] as number;
  }

  push(time: number, event: number): void {
    if (this.#length === this.#times.length) this.#grow();
    let at = this.#length++;
    const order = this.#pushed++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(time, order, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, time, order, event);
  }

  /** The earliest; the queue is not empty. */
  pop(): number {
    const event = this.#events[0] as number;
    const last = --this.#length;
    const [time, order, moved] = [this.#times[last], this.#orders[last], this.#events[last]] as [
      number,
      number,
      number,
    ];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (
        child + 1 < last &&
        this.#isBefore(this.#times[child + 1] as number, this.#orders[child + 1] as number, child)
      )
        child++;
      if (this.#isBefore(time, order, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, time, order, moved);
    return event;
  }

  #isBefore(time: number, order: number, other: number): boolean {
    const otherTime = this.#times[other] as number;
    return time < otherTime || (time === otherTime && order < (this.#orders[other] as number));
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from] as number, this.#orders[from] as number, this.#events[from] as number);
  }

  #put(at: number, time: number, order: number, event: number): void {
    this.#times[at] = time;
    this.#orders[at] = order;
    this.#events[at] = event;
  }

  #grow(): void {
    const larger = (old: Float64Array): Float64Array<ArrayBuffer> => {
      const made = new Float64Array(2 * old.length);
      made.set(old);
      return made;
    };
    [this.#times, this.#orders, this.#events] = [larger(this.#times), larger(this.#orders), larger(this.#events)];
  }
}
