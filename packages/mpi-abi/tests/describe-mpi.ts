import {
  boundsOf,
  contiguous,
  dup,
  forEachRun,
  hvector,
  lower,
  predefined,
  PREDEFINED_NAMES,
  printDatatype,
  resized,
  struct,
  vector,
  type BoundsRule,
  type Datatype,
} from "@stowage/ir";
import { anyDatatype } from "@stowage/arbitraries";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  call,
  constructDatatype,
  exportDatatype,
  finalise,
  importDatatype,
  initialise,
  loadMpi,
  pack,
  packSize,
  predefinedHandle,
  trustHandle,
  typeBounds,
  type Mpi,
  type MpiFamily,
} from "../src/index.js";
import { CONSTRUCTORS, MADE_OTHERWISE } from "./constructors.js";
import { describeBounds } from "./describe-bounds.js";
import { describeElements } from "./describe-elements.js";
import { describePacking } from "./describe-packing.js";
import { goldens } from "./goldens.js";
import { ADVICE, installed } from "./installed.js";

const WANTED_MEMORY_EVENTS = process.env["UCX_MEM_EVENTS"];

/** What is asked of every MPI. One file and so one process each: no two MPIs can share one. */
export function describeMpi(family: MpiFamily, specifics: (mpi: () => Mpi) => void, isStandard = false): void {
  const path = installed(family, isStandard);
  if (path === undefined) {
    describe.skip(`${family}: not installed here; ${ADVICE} installs it`, () => it("is not run", () => undefined));
    return;
  }
  describe(family, () => {
    let mpi: Mpi;
    beforeAll(() => {
      mpi = loadMpi(path);
      initialise(mpi);
    });
    afterAll(() => finalise(mpi));
    describeLoading(() => mpi, family, path, isStandard);
    describeDatatypes(() => mpi);
    describeRules(() => mpi);
    describePacking(() => mpi);
    describeImport(() => mpi);
    describeHandles(() => mpi);
    describeBounds(() => mpi);
    describeElements(() => mpi);
    specifics(() => mpi);
  });
}

function describeLoading(mpi: () => Mpi, family: MpiFamily, path: string, isStandard: boolean): void {
  it("is loaded where UCX leaves the memory calls of a process with threads alone, unless the user wants otherwise", () => {
    expect(process.env["UCX_MEM_EVENTS"]).toBe(WANTED_MEMORY_EVENTS ?? "no");
  });

  it("is recognised, with its version in its name", () => {
    expect(mpi().family).toBe(family);
    expect(mpi().name).toMatch(new RegExp(`^${family}-\\d+\\.\\d+[\\w.]*${isStandard ? "-abi" : ""}$`));
    expect(mpi().abi.isStandard).toBe(isStandard);
    expect(mpi().description).toContain(mpi().version);
  });

  it("is the only one that its process will load", () => {
    expect(loadMpi(path)).toBe(mpi());
    expect(() => loadMpi(process.execPath)).toThrow(/expected one MPI in a process, got a second after .*libmpi/);
  });

  it("may be initialised again while it runs, and tells its level of threading", () => {
    expect(initialise(mpi())).toMatch(/^(funneled|serialized|multiple)$/);
  });

  it("fails in one line that names the call and holds the library's own words", () => {
    const made = mpi().abi.handles(1);
    const fail = (): void => call(mpi(), "MPI_Type_contiguous", -1, predefinedHandle(mpi(), "MPI_INT"), made.view);
    expect(fail).toThrow(/^MPI_Type_contiguous: .*(count|negative)/i);
    expect(fail).not.toThrow(/\n/);
  });
}

const sizeAndBounds = (datatype: Datatype, bounds: BoundsRule): object => {
  const { sizeBytes, lowerBoundBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes } = boundsOf(datatype, {
    bounds,
  });
  return { sizeBytes, lowerBoundBytes, extentBytes, trueLowerBoundBytes, trueExtentBytes };
};

function describeDatatypes(mpi: () => Mpi): void {
  it.each(PREDEFINED_NAMES)("gives %s the size and bounds that ir gives it", (name) => {
    const handle = predefinedHandle(mpi(), name);
    expect(typeBounds(mpi(), handle)).toEqual(sizeAndBounds(predefined(name), mpi().bounds));
  });

  it.each(Object.entries(CONSTRUCTORS))("gives %s the size and bounds that ir gives it", (_name, datatype) => {
    using made = constructDatatype(mpi(), datatype);
    expect(typeBounds(mpi(), made.handle)).toEqual(sizeAndBounds(datatype, mpi().bounds));
  });

  it("keeps ir's size and extent in every golden datatype it exports", () => {
    const wrong = goldens.filter(({ datatype }) => {
      using made = exportDatatype(mpi(), datatype);
      const { sizeBytes, lowerBoundBytes, extentBytes } = typeBounds(mpi(), made.handle);
      const ours = boundsOf(datatype, { bounds: mpi().bounds });
      return (
        sizeBytes !== ours.sizeBytes || lowerBoundBytes !== ours.lowerBoundBytes || extentBytes !== ours.extentBytes
      );
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });
}

/** Where each packed byte lies, as one string; good only for small types. */
function byteMap(datatype: Datatype, bounds: BoundsRule): string {
  const layout = lower(datatype, { bounds });
  const places: string[] = [`${layout.lowerBoundBytes}/${layout.extentBytes}`];
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    for (let i = 0; i < length; i++) places.push(String(offset + i));
  });
  return places.join(" ");
}

function describeRules(mpi: () => Mpi): void {
  it.each(["standard", "open-mpi", "mpich"] as const)(
    "exports with bounds by the rule that was asked for: %s",
    (bounds) => {
      using made = exportDatatype(mpi(), hvector(3, 1, 11, predefined("MPI_DOUBLE")), { bounds });
      const { lowerBoundBytes, extentBytes } = boundsOf(hvector(3, 1, 11, predefined("MPI_DOUBLE")), { bounds });
      expect(typeBounds(mpi(), made.handle)).toMatchObject({ lowerBoundBytes, extentBytes });
    },
  );
}

function describeImport(mpi: () => Mpi): void {
  it.each(Object.entries(CONSTRUCTORS))("gives %s back as it was made", (_name, datatype) => {
    using made = exportDatatype(mpi(), datatype);
    expect(printDatatype(importDatatype(mpi(), made.handle))).toEqual(printDatatype(datatype));
  });

  it("gives every golden datatype back with the same byte map", () => {
    const { bounds } = mpi();
    const wrong = goldens.filter(({ datatype }) => {
      using made = exportDatatype(mpi(), datatype);
      return byteMap(importDatatype(mpi(), made.handle), bounds) !== byteMap(datatype, bounds);
    });
    expect(wrong.map(({ text }) => text)).toEqual([]);
  });

  it("keeps size, bounds and byte map of any datatype, there and back", () => {
    const { bounds } = mpi();
    const property = fc.property(anyDatatype(), (datatype) => {
      using made = exportDatatype(mpi(), datatype);
      const { sizeBytes, lowerBoundBytes, extentBytes } = boundsOf(datatype, { bounds });
      expect(typeBounds(mpi(), made.handle)).toMatchObject({ sizeBytes, lowerBoundBytes, extentBytes });
      expect(byteMap(importDatatype(mpi(), made.handle), bounds)).toBe(byteMap(datatype, bounds));
    });
    fc.assert(property, { numRuns: 300, seed: Number(process.env["STOWAGE_SEED"] ?? 5) });
  });

  it.each(Object.entries(MADE_OTHERWISE))("makes %s so that its own pack moves the right bytes", (_name, datatype) => {
    const { bounds } = mpi();
    using made = exportDatatype(mpi(), datatype);
    const { sizeBytes, extentBytes } = boundsOf(datatype, { bounds });
    const scattered = Uint8Array.from({ length: 400 }, (_, i) => i & 255);
    const packed = new Uint8Array(3 * sizeBytes + 1); // never empty: Open MPI refuses a null address
    pack(mpi(), { datatype: made.handle, count: 3, scattered, originBytes: 150, packed });
    const places = byteMap(datatype, bounds).split(" ").slice(1).map(Number);
    const expected = [0, 1, 2].flatMap((element) => places.map((at) => (150 + element * extentBytes + at) & 255));
    expect([...packed.subarray(0, 3 * sizeBytes)]).toEqual(expected);
  });

  it("takes the MPI's own bounds where they are not ir's", () => {
    const plainBesideResized = struct([1, 1], [0, 100], [predefined("MPI_INT"), resized(0, 8, predefined("MPI_INT"))]);
    using made = constructDatatype(mpi(), plainBesideResized);
    const { lowerBoundBytes, extentBytes } = typeBounds(mpi(), made.handle);
    const imported = boundsOf(importDatatype(mpi(), made.handle), { bounds: mpi().bounds });
    expect(imported).toMatchObject({ lowerBoundBytes, extentBytes });
  });

  it("walks a chain of 2,000 datatypes", () => {
    let chain: Datatype = vector(2, 1, 2, predefined("MPI_DOUBLE"));
    for (let i = 0; i < 2000; i++) chain = dup(chain);
    using made = exportDatatype(mpi(), chain);
    expect(printDatatype(importDatatype(mpi(), made.handle))).toEqual(printDatatype(chain));
  });

  it("refuses what no constructor of C makes, by its name", () => {
    const parametrised = mpi().abi.handles(1);
    const createF90Integer = mpi().bind("MPI_Type_create_f90_integer", "int, void *") as Create;
    expect(createF90Integer(6, parametrised.view)).toBe(0);
    const trusted = trustHandle(mpi(), parametrised.get(0));
    expect(() => importDatatype(mpi(), parametrised.get(0))).toThrow(/expected one that C's constructors make, got /);
    using within = wrapped(mpi(), parametrised.get(0));
    const trustedWithin = trustHandle(mpi(), within.handle);
    expect(() => importDatatype(mpi(), within.handle)).toThrow(/expected one that C's constructors make, got /);
    for (const each of [trusted, trustedWithin]) each[Symbol.dispose]();
  });
}

type Create = (range: number, made: ArrayBufferView) => number;

/** contiguous(2) of a handle that ir does not know. */
function wrapped(mpi: Mpi, child: number): Disposable & { readonly handle: number } {
  const made = mpi.abi.handles(1);
  call(mpi, "MPI_Type_contiguous", 2, child, made.view);
  return { handle: made.get(0), [Symbol.dispose]: () => call(mpi, "MPI_Type_free", made.view) };
}

function describeHandles(mpi: () => Mpi): void {
  it("refuses handles that are freed, made up or no numbers, before the library sees them", () => {
    const made = constructDatatype(mpi(), vector(2, 1, 3, predefined("MPI_INT")));
    made[Symbol.dispose]();
    for (const handle of [made.handle, 0, 1, -1, 12345, 0x8c0000ff, 0xcc123456, 2 ** 46, NaN]) {
      const refused = /^datatype handle of \S+: expected one that is alive, got (0x[\da-f]+|-1|NaN), which is freed or/;
      const packing = { datatype: handle, count: 1, scattered: new Uint8Array(8), originBytes: 0 };
      expect(() => importDatatype(mpi(), handle)).toThrow(refused);
      expect(() => typeBounds(mpi(), handle)).toThrow(refused);
      expect(() => packSize(mpi(), handle, 1)).toThrow(refused);
      expect(() => pack(mpi(), { ...packing, packed: new Uint8Array(8) })).toThrow(refused);
    }
  });

  it("takes a handle from elsewhere once the caller vouches for it, and no longer", () => {
    const made = mpi().abi.handles(1);
    call(mpi(), "MPI_Type_contiguous", 3, predefinedHandle(mpi(), "MPI_INT"), made.view);
    const handle = made.get(0);
    const trusted = trustHandle(mpi(), handle);
    expect(printDatatype(importDatatype(mpi(), handle))).toEqual(printDatatype(contiguous(3, predefined("MPI_INT"))));
    trusted[Symbol.dispose]();
    expect(() => importDatatype(mpi(), handle)).toThrow(/expected one that is alive/);
    call(mpi(), "MPI_Type_free", made.view);
    expect(() => trustHandle(mpi(), 0.5)).toThrow(/expected an integer above 0, got 0\.5/);
  });
}
