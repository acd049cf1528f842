import { darray, subarray, type Darray, type Datatype, type Subarray } from "@stowage/ir";
import { fewer, kept, oneTowards, towards } from "./towards.js";

/** Fewer dimensions, a shorter box nearer to the array's beginning, an array that ends with the box. */
export function* simplerSubarrays(type: Subarray): Generator<Datatype> {
  const { sizes, subsizes, starts, child } = type;
  if (type.order === "F") yield subarray({ ...type, order: "C" });
  for (const some of fewer(sizes.length)) {
    if (some.length === 0) continue;
    const [ofSome, within, from] = [kept(sizes, some), kept(subsizes, some), kept(starts, some)];
    yield subarray({ sizes: ofSome, subsizes: within, starts: from, order: type.order, child });
  }
  for (const shorter of oneTowards(1, subsizes)) yield subarray({ ...type, subsizes: shorter });
  for (const nearer of oneTowards(0, starts)) yield subarray({ ...type, starts: nearer });
  for (const [d, size] of sizes.entries()) {
    const least = (starts[d] as number) + (subsizes[d] as number);
    for (const smaller of towards(least, size)) yield subarray({ ...type, sizes: sizes.with(d, smaller) });
  }
}

/** Fewer dimensions, fewer processes along one, a smaller array, another rank. */
export function* simplerDarrays(type: Darray): Generator<Datatype> {
  const { gsizes, distribs, dargs, psizes } = type;
  if (type.order === "F") yield darray({ ...type, order: "C" });
  for (const some of fewer(gsizes.length)) {
    if (some.length === 0) continue;
    const of = { gsizes: kept(gsizes, some), distribs: kept(distribs, some), dargs: kept(dargs, some) };
    yield onGrid({ ...type, ...of }, kept(psizes, some));
  }
  for (const [d, processes] of psizes.entries()) {
    if (processes > 1) yield onGrid({ ...type, dargs: dargs.with(d, null) }, psizes.with(d, 1));
    if (dargs[d] !== null) yield darray({ ...type, dargs: dargs.with(d, null) });
  }
  for (const smaller of oneTowards(1, gsizes)) yield darray({ ...type, gsizes: smaller });
  for (const rank of towards(0, type.rank)) yield darray({ ...type, rank });
}

function onGrid(type: Omit<Darray, "psizes" | "size">, psizes: readonly number[]): Datatype {
  const size = psizes.reduce((product, along) => product * along, 1);
  return darray({ ...type, psizes, size, rank: type.rank % size });
}
