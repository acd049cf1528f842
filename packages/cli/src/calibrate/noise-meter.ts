const BYTES = 64 * 1024;
const CALLS = 40;

/** How much one and the same piece of work varies while others are measured. */
export interface NoiseMeter {
  look(): void;
  /** Half of what lies between the first and the last tenth, over the median. */
  relative(): number;
}

export function noiseMeter(): NoiseMeter {
  const [from, to] = [new Uint8Array(BYTES).fill(1), new Uint8Array(BYTES)];
  const times: number[] = [];
  return {
    look() {
      const begin = performance.now();
      for (let i = 0; i < CALLS; i++) to.set(from);
      times.push(performance.now() - begin);
    },
    relative() {
      const sorted = [...times].sort((a, b) => a - b);
      const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
      return at(0.5) === 0 ? 0 : Number(((at(0.9) - at(0.1)) / 2 / at(0.5)).toPrecision(2));
    },
  };
}
