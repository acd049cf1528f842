import { canonicalise, dense, layout, stream, type Layout, type LayoutNode } from "@stowage/ir";
import type { Canonicalise } from "../../src/index.js";
import { SimpleBackend } from "../simple/simple-backend.js";
import type { Fault } from "./fault.js";

const after =
  (change: (canonical: Layout) => Layout): Canonicalise =>
  (plain, options) =>
    change(canonicalise(plain, options));

const withRoot = (of: Layout, root: LayoutNode): Layout => layout(of.startBytes, root, of);

/** A nest of two streams, the shorter stride moved inside: what TEMPI does, and a transpose does not survive. */
function sortByStride(of: Layout): Layout {
  const { root } = of;
  if (root.kind !== "stream" || root.child.kind !== "stream" || root.strideBytes >= root.child.strideBytes) return of;
  const inner = stream(root.count, root.strideBytes, root.child.child);
  return withRoot(of, stream(root.child.count, root.child.strideBytes, inner));
}

const ofNothingElse = { factory: () => new SimpleBackend() };

export const CANONICAL_FAULTS: readonly Fault[] = [
  {
    name: "sorts nested streams by their strides",
    law: 4,
    says: /in canonical form: expected run/,
    ...ofNothingElse,
    options: { canonicalise: after(sortByStride) },
  },
  {
    name: "forgets where a single block starts",
    law: 4,
    says: /in canonical form: expected run/,
    ...ofNothingElse,
    options: { canonicalise: after((of) => (of.root.kind === "dense" ? layout(0, of.root, of) : of)) },
  },
  {
    name: "takes the size for the extent",
    law: 4,
    says: /extentBytes in canonical form/,
    ...ofNothingElse,
    options: {
      canonicalise: after((of) => layout(of.startBytes, of.root, { ...of, extentBytes: of.sizeBytes })),
    },
  },
  {
    name: "drops an empty element's bounds",
    law: 4,
    says: /(lowerBoundBytes|extentBytes) in canonical form/,
    ...ofNothingElse,
    options: {
      canonicalise: after((of) =>
        of.sizeBytes > 0 ? of : layout(0, dense(0), { lowerBoundBytes: 0, extentBytes: 0 }),
      ),
    },
  },
  {
    name: "wraps the form in one more stream each time",
    law: 4,
    says: /expected itself when canonicalised again/,
    ...ofNothingElse,
    options: {
      canonicalise: (plain, options) =>
        withRoot(plain, stream(1, 0, plain.root.kind === "stream" ? plain.root : canonicalise(plain, options).root)),
    },
  },
];
