// One application of a staggered operator: sums over directions of links times the vectors of neighbours.
import { DIRECTIONS, fillSite, MATRIX, VECTOR } from "./lattice.mjs";

/** Neighbours and links of every site of one rank's lattice. */
export class Dslash {
  /** `ghosts`: for z and t whether neighbours beyond the face are another rank's. */
  constructor(lattice, whole, isDivided) {
    this.lattice = lattice;
    const { sites, sizes, begin } = lattice;
    this.links = new Float32Array(sites * DIRECTIONS * 2 * MATRIX);
    /** By site and by direction, forward and backward: a site, or a place of that ghost behind all sites. */
    this.neighbours = new Int32Array(sites * DIRECTIONS * 2);
    for (const site of lattice) {
      const at = lattice.index(...site);
      const global = site.map((c, d) => (c + begin[d]) % whole[d]);
      for (let d = 0; d < DIRECTIONS; d++) {
        for (const [sign, step] of [1, -1].entries()) {
          const place = (at * DIRECTIONS + d) * 2 + sign;
          const from = sign === 0 ? global : global.map((c, i) => (i === d ? (c - 1 + whole[d]) % whole[d] : c));
          fillSite(this.links, place * MATRIX, MATRIX, from, 1 + d);
          const next = site.map((c, i) => (i === d ? c + step : c));
          const isBeyond = next[d] < 0 || next[d] >= sizes[d];
          next[d] = (next[d] + sizes[d]) % sizes[d];
          this.neighbours[place] = isBeyond && isDivided[d] ? -1 - lattice.faceIndex(d, next) : lattice.index(...next);
        }
      }
    }
  }

  /** out = (or +=) the sum over some directions; `ghosts` hold the vectors beyond faces, by direction and sign. */
  apply(out, vectors, ghosts, directions, scale) {
    const { links, neighbours } = this;
    for (let site = 0; site < this.lattice.sites; site++) {
      for (const d of directions) {
        for (let sign = 0; sign < 2; sign++) {
          const place = (site * DIRECTIONS + d) * 2 + sign;
          const neighbour = neighbours[place];
          const from = neighbour >= 0 ? vectors : ghosts[d][sign];
          const at = (neighbour >= 0 ? neighbour : -1 - neighbour) * VECTOR;
          const link = place * MATRIX;
          if (sign === 0) addProduct(out, site * VECTOR, links, link, from, at, scale);
          else addAdjoint(out, site * VECTOR, links, link, from, at, -scale);
        }
      }
    }
  }
}

function addProduct(out, o, m, a, v, b, scale) {
  for (let row = 0; row < 3; row++) {
    let [re, im] = [0, 0];
    for (let col = 0; col < 3; col++) {
      const [mr, mi] = [m[a + 6 * row + 2 * col], m[a + 6 * row + 2 * col + 1]];
      const [vr, vi] = [v[b + 2 * col], v[b + 2 * col + 1]];
      re += mr * vr - mi * vi;
      im += mr * vi + mi * vr;
    }
    out[o + 2 * row] += scale * re;
    out[o + 2 * row + 1] += scale * im;
  }
}

function addAdjoint(out, o, m, a, v, b, scale) {
  for (let row = 0; row < 3; row++) {
    let [re, im] = [0, 0];
    for (let col = 0; col < 3; col++) {
      const [mr, mi] = [m[a + 6 * col + 2 * row], -m[a + 6 * col + 2 * row + 1]];
      const [vr, vi] = [v[b + 2 * col], v[b + 2 * col + 1]];
      re += mr * vr - mi * vi;
      im += mr * vi + mi * vr;
    }
    out[o + 2 * row] += scale * re;
    out[o + 2 * row + 1] += scale * im;
  }
}
