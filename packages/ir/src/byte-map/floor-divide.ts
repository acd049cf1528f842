/**
 * ⌊a / b⌋ of safe integers, a ≥ 0 and b > 0, exactly. Doubles suffice: where the quotient is no integer it lies at
 * least 1/b below the next one, and rounding a/b moves it by at most (a/b)·2^-53 < 1/b because a < 2^53, so the
 * rounded quotient never reaches that integer. The remainder a - b·⌊a/b⌋ is then exact too.
 */
export const floorDivide = (a: number, b: number): number => Math.floor(a / b);
