import { ArgumentError, type IntegerTable, type Layout, type LayoutNode } from "@stowage/ir";

/** Numbers of all tables together: a compiler reads each as text. */
const MOST_ENTRIES = 2 ** 20;

/** C++ functions of one layout: each node has one from position to offset and one back, children's first. */
export class OffsetNodes {
  readonly #symbol: string;
  readonly #known = new Map<LayoutNode, number>();
  readonly #lines: string[] = [];
  #entries = 0;

  constructor(symbol: string) {
    this.#symbol = symbol;
  }

  /** The functions of an element: to offsets from address 0 and back, for any number of elements. */
  element({ root, startBytes, sizeBytes, extentBytes }: Layout): string {
    const node = this.#node(root);
    const to =
      sizeBytes === 0
        ? "return p;"
        : `return ${startBytes}LL + p / ${sizeBytes}LL * ${extentBytes}LL + ${node}(p % ${sizeBytes}LL);`;
    const back = firstIn(`o - (${startBytes}LL)`, "count", extentBytes, root, node);
    return [
      ...this.#lines,
      fn(`${this.#symbol}_offset(std::int64_t p)`, to),
      fn(
        `${this.#symbol}_position(std::int64_t o, std::int64_t count = 1)`,
        sizeBytes === 0 ? NOWHERE : `return ${back};`,
      ),
    ].join("\n");
  }

  #node(node: LayoutNode): string {
    const known = this.#known.get(node);
    if (known !== undefined) return this.#name(known);
    const [to, back] = this.#bodies(node);
    const number = this.#known.size;
    this.#known.set(node, number);
    const name = this.#name(number);
    this.#lines.push(fn(`${name}(std::int64_t p)`, to), fn(`${name}_back(std::int64_t o)`, back));
    return name;
  }

  #name(number: number): string {
    return `${this.#symbol}_n${number}`;
  }

  #bodies(node: LayoutNode): readonly [string, string] {
    switch (node.kind) {
      case "dense":
        return ["return p;", `return o >= 0 && o < ${node.lengthBytes}LL ? o : -1;`];
      case "stream": {
        const child = this.#node(node.child);
        const { count, strideBytes, child: inner } = node;
        const size = inner.sizeBytes;
        const back = firstIn("o", `${count}LL`, strideBytes, inner, child);
        return [`return p / ${size}LL * ${strideBytes}LL + ${child}(p % ${size}LL);`, `return ${back};`];
      }
      case "blocks":
        return this.#blocks(node);
      case "sequence":
        return this.#sequence(node);
    }
  }

  #blocks(node: Extract<LayoutNode, { kind: "blocks" }>): readonly [string, string] {
    const child = this.#node(node.child);
    const { displacementsBytes: places, blocklengths, strideBytes, child: inner } = node;
    const lengths = Array.from(places, (_, i) => (blocklengths === 1 ? 1 : (blocklengths[i] ?? 0)));
    const size = inner.sizeBytes;
    let sum = 0;
    const starts = [...lengths.map((length) => (sum += length * size) - length * size), sum];
    const order = Array.from(places, (_, i) => i).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
    const at = this.#table(places);
    const from = this.#table(starts);
    const sorted = this.#table(order);
    const n = places.length;
    const longest = lengths.reduce((most, length) => Math.max(most, length), 1) - 1;
    const low = inner.lowBytes + Math.min(0, longest * strideBytes);
    const high = inner.highBytes + Math.max(0, longest * strideBytes);
    const length = `(${from}(k + 1) - ${from}(k)) / ${size}LL`;
    const inBlock = firstIn(`o - ${at}(k)`, length, strideBytes, inner, child);
    const find =
      blocklengths === 1
        ? `const std::int64_t k = p / ${size}LL;`
        : `const std::int64_t k = stowage_offsets::at_or_before(${from}, ${n}, p);`;
    return [
      `${find} const std::int64_t q = p - ${from}(k); return ${at}(k) + q / ${size}LL * ${strideBytes}LL + ${child}(q % ${size}LL);`,
      `std::int64_t best = -1;
  for (std::int64_t i = stowage_offsets::first_above(${at}, ${sorted}, ${n}, o - ${high}LL); i < ${n} && ${at}(${sorted}(i)) <= o - (${low}LL); ++i) {
    const std::int64_t k = ${sorted}(i), q = ${inBlock};
    if (q >= 0 && (best < 0 || ${from}(k) + q < best)) best = ${from}(k) + q;
  }
  return best;`,
    ];
  }

  #sequence(node: Extract<LayoutNode, { kind: "sequence" }>): readonly [string, string] {
    let p = 0;
    const members = node.members.filter(({ node: member }) => member.sizeBytes > 0);
    const named = members.map(({ offsetBytes, node: member }) => {
      const start = p;
      p += member.sizeBytes;
      return { name: this.#node(member), offsetBytes, start, end: p };
    });
    const to = named.map(
      ({ name, offsetBytes, start, end }) => `if (p < ${end}LL) return ${offsetBytes}LL + ${name}(p - ${start}LL);`,
    );
    const back = named.map(
      ({ name, offsetBytes, start }) => `q = ${name}_back(o - (${offsetBytes}LL)); if (q >= 0) return ${start}LL + q;`,
    );
    return [`${to.join("\n  ")}\n  return -1;`, `std::int64_t q = -1;\n  ${back.join("\n  ")}\n  return -1;`];
  }

  /** A table, and what reads it on the host and on a device; its name. */
  #table(values: IntegerTable | readonly number[]): string {
    this.#entries += values.length;
    if (this.#entries > MOST_ENTRIES)
      throw new ArgumentError(`tables of ${this.#symbol}`, `at most ${MOST_ENTRIES} numbers in a header`, "more");
    const name = `${this.#symbol}_t${this.#lines.length}`;
    const list = Array.from(values, (value) => `${value}`).join(", ");
    this.#lines.push(`STOWAGE_TABLE(${name}, ${list})`);
    return name;
  }
}

const NOWHERE = "return (void)o, (void)count, -1;";

/** The first position of an offset in copies of a node, a stride apart. */
const firstIn = (
  offset: string,
  count: string,
  strideBytes: number,
  { lowBytes, highBytes, sizeBytes }: LayoutNode,
  name: string,
) =>
  `stowage_offsets::first_in(${offset}, ${count}, ${strideBytes}LL, ${lowBytes}LL, ${highBytes}LL, ${sizeBytes}LL, ${name}_back)`;

const fn = (signature: string, body: string): string =>
  `STOWAGE_BOTH constexpr std::int64_t ${signature} {\n  ${body}\n}`;
