import type { Fragment, Label } from "@stowage/asm-x64";
import type { FeatureLevel } from "../feature-level.js";
import { NearRounds } from "../loops/facts/near-rounds.js";
import { ReadableGaps } from "../loops/facts/readable-gaps.js";
import type { ClipKind } from "./routines.js";
import { VaryingBlocks } from "./varying-blocks.js";

/** What the copies of a run-time length depend on. */
export interface CopyVariant {
  readonly level: FeatureLevel;
  readonly nonTemporalBytes: number;
  readonly maskedRuns: boolean;
  readonly repMovsbBytes: number;
  readonly alignedStoresBytes: number;
}

/** The copies of a run-time length, and where each begins. */
export interface CopyFragment extends Fragment {
  readonly nonTemporal: Label;
  readonly bytes: Label;
}

/** What the programs of one backend share: code that is assembled once, and what is found of blocks and nodes once. */
export class AssemblerSession {
  /**
   * Whether programs keep to indirect branch tracking (Intel SDM volume 1, section 17.3): they begin with ENDBR64, and
   * enter routines by addresses out of their own tables without being tracked.
   */
  readonly branchTracking: boolean;
  readonly nearRounds = new NearRounds();
  readonly readableGaps = new ReadableGaps();
  readonly varyingBlocks = new VaryingBlocks();
  readonly #nops = new Map<number, Fragment>();
  readonly #clips = { pack: new Map<ClipKind, Fragment>(), unpack: new Map<ClipKind, Fragment>() };
  /** A few variants. */
  readonly #copies: { readonly variant: CopyVariant; readonly fragment: CopyFragment }[] = [];

  constructor({ branchTracking = false }: { readonly branchTracking?: boolean } = {}) {
    this.branchTracking = branchTracking;
  }

  /** So many instructions of padding. */
  nops(count: number, assemble: (count: number) => Fragment): Fragment {
    return known(this.#nops, count, () => assemble(count));
  }

  /** What finds the parts of all nodes of a kind. */
  clip(direction: "pack" | "unpack", kind: ClipKind, assemble: () => Fragment): Fragment {
    return known(this.#clips[direction], kind, assemble);
  }

  copies(variant: CopyVariant, assemble: () => CopyFragment): CopyFragment {
    const found = this.#copies.find((each) => isSame(each.variant, variant));
    if (found !== undefined) return found.fragment;
    const fragment = assemble();
    this.#copies.push({ variant, fragment });
    return fragment;
  }
}

const isSame = (a: CopyVariant, b: CopyVariant): boolean =>
  a.level === b.level &&
  a.nonTemporalBytes === b.nonTemporalBytes &&
  a.maskedRuns === b.maskedRuns &&
  a.repMovsbBytes === b.repMovsbBytes &&
  a.alignedStoresBytes === b.alignedStoresBytes;

function known<K>(fragments: Map<K, Fragment>, key: K, assemble: () => Fragment): Fragment {
  const found = fragments.get(key) ?? assemble();
  fragments.set(key, found);
  return found;
}
