import { nowNs, samplesOf, type Bench } from "./bench.js";

/** Turns of the first of a series, until its code is compiled, and of the others. */
const WARM_UP_TURNS = { first: 3000, other: 200 };
const [TOLD, SENT] = [0, 1];

/** How rank 0 receives one message that lies in its memory when the clock starts: its sender has said so by a flag. */
export interface Behind {
  /** Whether nothing of this kind was measured before. */
  readonly isFirst: boolean;
  /** Before the message is sent. */
  readonly post?: () => void;
  readonly send: () => void;
  /** After it has come, before the clock starts. */
  readonly settle?: () => void;
  /** What is timed. */
  readonly receive: () => void;
}

let told = 0;

/** Samples of rank 0; of rank 1 nothing. */
export function timesBehind(bench: Bench, { isFirst, post, send, settle, receive }: Behind): readonly number[] {
  const { comm, gate } = bench;
  const times: number[] = [];
  for (let i = -(isFirst ? WARM_UP_TURNS.first : WARM_UP_TURNS.other); i < 2 * samplesOf(bench); i++) {
    told++;
    if (comm.rank === 1) {
      gate.wait(TOLD, told);
      send();
      gate.set(SENT, told);
      continue;
    }
    post?.();
    gate.set(TOLD, told);
    gate.wait(SENT, told);
    settle?.();
    const start = nowNs();
    receive();
    if (i >= 0) times.push(nowNs() - start);
  }
  return times;
}
