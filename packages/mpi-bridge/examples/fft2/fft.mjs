// Complex FFTs of lengths 2^a 3^b, Stockham's order: every pass reads one array and writes the other.

/** Transforms rows of `length` complex numbers in place, scaled so that their norm stays. */
export class RowFft {
  #length;
  #passes = [];
  #scratch;
  #scale;

  constructor(length) {
    this.#length = length;
    this.#scratch = new Float64Array(2 * length);
    this.#scale = 1 / Math.sqrt(length);
    for (let [rest, stride] = [length, 1]; rest > 1;) {
      const radix = rest % 2 === 0 ? 2 : 3;
      if (rest % radix !== 0) throw new Error(`length of an FFT: expected 2^a 3^b, got ${length}`);
      this.#passes.push({ run: radix === 2 ? pass2 : pass3, parts: rest / radix, stride, roots: rootsOf(rest) });
      rest /= radix;
      stride *= radix;
    }
  }

  transform(values, rows) {
    for (let row = 0; row < rows; row++) {
      this.#transformRow(values.subarray(2 * row * this.#length, 2 * (row + 1) * this.#length));
    }
  }

  #transformRow(row) {
    let [from, into] = [row, this.#scratch];
    for (const { run, parts, stride, roots } of this.#passes) {
      run(from, into, parts, stride, roots);
      [from, into] = [into, from];
    }
    const scale = this.#scale;
    for (let i = 0; i < row.length; i++) row[i] = from[i] * scale;
  }
}

/** e^(-2 pi i p / n) */
function rootsOf(n) {
  const roots = new Float64Array(2 * n);
  for (let p = 0; p < n; p++) roots.set([Math.cos((-2 * Math.PI * p) / n), Math.sin((-2 * Math.PI * p) / n)], 2 * p);
  return roots;
}

function pass2(from, into, parts, stride, roots) {
  for (let p = 0; p < parts; p++) {
    const [wr, wi] = [roots[2 * p], roots[2 * p + 1]];
    for (let q = 0; q < stride; q++) {
      const [a, b] = [2 * (q + stride * p), 2 * (q + stride * (p + parts))];
      const [c, d] = [2 * (q + stride * 2 * p), 2 * (q + stride * (2 * p + 1))];
      const [re, im] = [from[a] - from[b], from[a + 1] - from[b + 1]];
      into[c] = from[a] + from[b];
      into[c + 1] = from[a + 1] + from[b + 1];
      into[d] = re * wr - im * wi;
      into[d + 1] = re * wi + im * wr;
    }
  }
}

const SIN_60 = Math.sqrt(3) / 2;

function pass3(from, into, parts, stride, roots) {
  for (let p = 0; p < parts; p++) {
    const [w1r, w1i, w2r, w2i] = [roots[2 * p], roots[2 * p + 1], roots[4 * p], roots[4 * p + 1]];
    for (let q = 0; q < stride; q++) {
      const a = 2 * (q + stride * p);
      const b = a + 2 * stride * parts;
      const c = b + 2 * stride * parts;
      const at = 2 * (q + stride * 3 * p);
      const [sumR, sumI] = [from[b] + from[c], from[b + 1] + from[c + 1]];
      const [midR, midI] = [from[a] - 0.5 * sumR, from[a + 1] - 0.5 * sumI];
      const [turnR, turnI] = [SIN_60 * (from[b + 1] - from[c + 1]), -SIN_60 * (from[b] - from[c])];
      into[at] = from[a] + sumR;
      into[at + 1] = from[a + 1] + sumI;
      put(into, at + 2 * stride, midR + turnR, midI + turnI, w1r, w1i);
      put(into, at + 4 * stride, midR - turnR, midI - turnI, w2r, w2i);
    }
  }
}

function put(into, at, re, im, wr, wi) {
  into[at] = re * wr - im * wi;
  into[at + 1] = re * wi + im * wr;
}
