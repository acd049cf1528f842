import { StowageError } from "@stowage/ir";

export type Arguments = readonly unknown[];

/** A public function, by its name, and arguments that it takes. */
export type Call = readonly [name: string, call: (...given: never[]) => unknown, right: () => Arguments];

/** A method of an object that lives as long as the tests. */
export const bound =
  <T extends object>(owner: T, method: keyof T): Call[1] =>
  (...given) =>
    Reflect.apply(owner[method] as (...given: unknown[]) => unknown, owner, given);

/** A class; what has been made is disposed of. */
export const made =
  (Made: new (...given: never[]) => unknown): Call[1] =>
  (...given) =>
    new Made(...given);

/** What this machine may refuse although it is rightly asked, for want of a library or a driver. */
export const refusing =
  (call: Call[1]): Call[1] =>
  (...given) => {
    try {
      return call(...given);
    } catch (error) {
      if (error instanceof StowageError) return undefined;
      throw error;
    }
  };

/** Values taken of a generator, which may well be told to go on for ever. */
const MOST_YIELDED = 100;

/** Calls a function with whatever it is given, walks what it yields, and disposes of what it makes. */
export function called(call: Call[1], given: Arguments): unknown {
  const result: unknown = Reflect.apply(call, undefined, given);
  if (typeof result !== "object" || result === null) return undefined;
  if ("next" in result) yielded(result as Iterator<unknown>);
  if (Symbol.dispose in result) (result as Disposable)[Symbol.dispose]();
  return result instanceof Promise ? result : undefined;
}

function yielded(items: Iterator<unknown>): void {
  for (let i = 0; i < MOST_YIELDED && items.next().done !== true; i++);
}
