import koffi from "koffi";

/** prctl(2): the signal that this process gets when the one that started it has ended. */
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** A library that hangs must not outlive the bench that loaded it. Linux only; elsewhere nothing. */
export function dieWithParent(): void {
  if (process.platform !== "linux") return;
  const prctl = koffi
    .load("libc.so.6")
    .func("int prctl(int, unsigned long, unsigned long, unsigned long, unsigned long)");
  (prctl as (...words: number[]) => number)(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}
