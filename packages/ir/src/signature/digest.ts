/**
 * A polynomial hash of a sequence that composes: with it, the hash of x followed by y, and of x repeated n times,
 * come from the hashes of x and y in O(1) and O(log n). Each lane is Σ codeᵢ · base^(length - 1 - i) mod a prime.
 */
export interface Digest {
  readonly hash: readonly number[];
  /** base^length of each lane. */
  readonly power: readonly number[];
}

// The four largest primes below 2^26, so that a product of two residues is a safe integer, each with a primitive
// root as its base: swapped entries then collide only where their distance is a multiple of all four orders.
const PRIMES = [67108859, 67108837, 67108819, 67108777] as const;
const BASES = [41475556, 41475545, 41475542, 41475507] as const;

export const EMPTY_DIGEST: Digest = { hash: [0, 0, 0, 0], power: [1, 1, 1, 1] };

/** The digest of a sequence of one element; its code is a hash of its name. */
export function elementDigest(name: string): Digest {
  const hash = PRIMES.map((prime, lane) => {
    let code = 1;
    for (let i = 0; i < name.length; i++) code = product(code, BASES[lane] as number, prime) + name.charCodeAt(i);
    return code % prime;
  });
  return { hash, power: BASES };
}

/** The digest of one sequence followed by another. */
export function joinedDigest(first: Digest, second: Digest): Digest {
  const hash = [0, 0, 0, 0];
  const power = [0, 0, 0, 0];
  for (let lane = 0; lane < PRIMES.length; lane++) {
    const prime = PRIMES[lane] as number;
    const shift = second.power[lane] as number;
    const sum = product(first.hash[lane] as number, shift, prime) + (second.hash[lane] as number);
    hash[lane] = sum < prime ? sum : sum - prime;
    power[lane] = product(first.power[lane] as number, shift, prime);
  }
  return { hash, power };
}

/** The digest of `count` copies of a sequence, by squaring. O(log count). */
export function repeatedDigest(digest: Digest, count: number): Digest {
  let result = EMPTY_DIGEST;
  let doubled = digest;
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = joinedDigest(result, doubled);
    if (rest > 1) doubled = joinedDigest(doubled, doubled);
  }
  return result;
}

export function sameDigest(first: Digest, second: Digest): boolean {
  return first.hash.every((value, lane) => value === second.hash[lane]);
}

/** 28 hexadecimal digits, 7 a lane. */
export function digestText({ hash }: Digest): string {
  return hash.map((value) => value.toString(16).padStart(7, "0")).join("");
}

/** a · b mod prime. The quotient, from a rounded division, may be off by one either way. */
function product(a: number, b: number, prime: number): number {
  const whole = a * b;
  const rest = whole - Math.floor(whole / prime) * prime;
  return rest < 0 ? rest + prime : rest < prime ? rest : rest - prime;
}
