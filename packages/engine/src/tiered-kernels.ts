import type { Backend } from "@stowage/backend-api";
import { StowageError } from "@stowage/ir";
import type { Course, Tier } from "./course.js";
import type { SharedKernel } from "./shared-kernel.js";

/**
 * The kernels of a committed move: for each course one, of the tier that it has come to. Uses are counted where a later
 * tier may be repaid: it is compiled once the calls so far would have saved as much as that takes, so that no sequence
 * of calls takes more than twice what the better choice would have (renting skis; Karlin et al. 1988).
 */
export class TieredKernels implements Disposable {
  readonly #courses: readonly RunningCourse[];
  #disposed = false;

  /** `compile` gives a kernel, held once. */
  constructor(courses: readonly Course[], compile: (backend: Backend) => SharedKernel) {
    this.#courses = courses.map((course) => new RunningCourse(course, compile));
  }

  /** The kernel for a call of so many elements, which counts as a use. */
  use(count: number): SharedKernel {
    return this.#courseOf(count).use(count);
  }

  /** The kernel that calls of so many elements come to in the end, compiled now, with those of all other counts. */
  last(count: number): SharedKernel {
    for (const course of this.#courses) course.last();
    return this.#courseOf(count).last();
  }

  /** The kernel of all further calls, where that is settled. */
  get settled(): SharedKernel | undefined {
    const [first] = this.#courses;
    return this.#courses.length === 1 ? first?.settled : undefined;
  }

  /** Whether no further kernels are compiled. */
  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** Plans and runs under way hold their kernels too. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const course of this.#courses) course[Symbol.dispose]();
  }

  #courseOf(count: number): RunningCourse {
    const courses = this.#courses;
    let i = courses.length - 1;
    while (i > 0 && (courses[i] as RunningCourse).fromCount > count) i--;
    return courses[i] as RunningCourse;
  }
}

class RunningCourse implements Disposable {
  readonly fromCount: number;
  readonly #tiers: readonly Tier[];
  readonly #compile: (backend: Backend) => SharedKernel;
  #tier = 0;
  #savedNs = 0;
  #kernel: SharedKernel | undefined;

  constructor({ fromCount, tiers }: Course, compile: (backend: Backend) => SharedKernel) {
    this.fromCount = fromCount;
    this.#tiers = tiers;
    this.#compile = compile;
  }

  get settled(): SharedKernel | undefined {
    return this.#tier === this.#tiers.length - 1 ? this.#kernel : undefined;
  }

  use(count: number): SharedKernel {
    const next = this.#tiers[this.#tier + 1];
    if (next !== undefined) {
      if (this.#savedNs >= next.commitNs) this.#tryNext();
      else this.#savedNs += next.savedNsPerCall + count * next.savedNsPerElement;
    }
    return (this.#kernel ??= this.#compile((this.#tiers[this.#tier] as Tier).backend));
  }

  last(): SharedKernel {
    this.#goTo(this.#tiers.length - 1);
    return (this.#kernel ??= this.#compile((this.#tiers[this.#tier] as Tier).backend));
  }

  [Symbol.dispose](): void {
    this.#kernel?.release();
    this.#kernel = undefined;
  }

  /** Where the next tier cannot be had, what moves the bytes now goes on to. */
  #tryNext(): void {
    try {
      this.#goTo(this.#tier + 1);
    } catch (error) {
      if (!(error instanceof StowageError)) throw error;
      this.#savedNs = -Infinity;
    }
  }

  #goTo(tier: number): void {
    if (tier === this.#tier) return;
    const before = this.#kernel;
    this.#kernel = this.#compile((this.#tiers[tier] as Tier).backend);
    this.#tier = tier;
    this.#savedNs = 0;
    before?.release();
  }
}
