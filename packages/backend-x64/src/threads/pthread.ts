import { DeviceError } from "@stowage/backend-api";
import { koffi } from "@stowage/host-plans";

/** The calls that start and end native threads; addresses and threads are numbers. */
export interface Pthread {
  /** Returns an error number, 0 where it succeeds. */
  readonly create: (thread: BigUint64Array, attributes: number, start: number, argument: number) => number;
  readonly join: (thread: number, result: number) => number;
  readonly futex: (number: number, word: number, operation: number, value: number) => number;
}

let bound: Pthread | undefined;

/** Throws a DeviceError where the system's library has no threads. */
export function pthread(): Pthread {
  bound ??= bind();
  return bound;
}

// Since glibc 2.34 the C library has them itself.
const LIBRARIES = ["libc.so.6", "libpthread.so.0"];

function bind(): Pthread {
  const failures: unknown[] = [];
  for (const name of LIBRARIES) {
    try {
      const library = koffi().load(name);
      return {
        create: library.func(
          "int pthread_create(_Out_ uint64_t *, uintptr_t, uintptr_t, uintptr_t)",
        ) as Pthread["create"],
        join: library.func("int pthread_join(uintptr_t, uintptr_t)") as Pthread["join"],
        futex: koffi().load("libc.so.6").func("long syscall(long, uintptr_t, int, uint32_t)") as Pthread["futex"],
      };
    } catch (cause) {
      failures.push(cause);
    }
  }
  throw new DeviceError(`pthread_create: expected it in ${LIBRARIES.join(" or ")}, got neither`, {
    cause: failures[0],
  });
}
