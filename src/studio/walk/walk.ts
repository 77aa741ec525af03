import type { Json, Values } from '../../engine/core/json.ts';

/** What an operation answers in a walk: a result, or an error. */
export interface WalkAnswer {
  readonly operation: string;
  readonly result?: Json;
  readonly error?: WalkError;
}

/** An error of an operation; what it leaves out is as of a refused form. */
export interface WalkError {
  readonly code?: string;
  /** HTTP status; 400 where nothing else is said. */
  readonly status?: number;
  readonly field?: string;
  /** Message by field. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly next?: string;
}

/** Where a walk stands after a step; what it leaves out is empty. */
export interface WalkPlace {
  /** Empty where nothing is drawn, because the flow was left at once. */
  readonly state: string;
  /** Name of the notice that is shown. */
  readonly notice?: string;
  /** The address that the flow left for; `history` where it went to the page before it. */
  readonly left?: string;
  /** The messages on screen, by field. */
  readonly errors?: Readonly<Record<string, string>>;
  /** The variables that changed. */
  readonly set?: Values;
}

/** What is done in a state. */
export interface WalkStep {
  /** What is typed, by field; of a block what it sends. */
  readonly fill?: Values;
  readonly raise: string;
  /** What the operations answer that follow, in their order. */
  readonly operations?: readonly WalkAnswer[];
  readonly then?: WalkPlace;
}

/** A walk through a flow: the arrival, and steps one after the other. */
export interface Walk {
  readonly name: string;
  /** What of it is still to be done; it is not walked then. */
  readonly todo?: string;
  /** The state of the address that is opened; absent: the initial one. */
  readonly at?: string;
  /** The query of that address, e.g. `?uuid=1`. */
  readonly search?: string;
  /** Values of the parameters of its path. */
  readonly params?: Readonly<Record<string, string>>;
  /** What is known, beside a guest with the flags as they are by default. */
  readonly facts?: Values;
  /** What the operations answer that the arrival makes. */
  readonly operations?: readonly WalkAnswer[];
  readonly then?: WalkPlace;
  readonly steps?: readonly WalkStep[];
}

/** `tests/definitions/walks/<flow>.json`. */
export interface WalkFile {
  readonly walks: readonly Walk[];
}

/** What a place says that is not empty, as files hold it. */
export function slim({ state, notice, left, errors = {}, set = {} }: WalkPlace): WalkPlace {
  return {
    state,
    ...(notice ? { notice } : {}),
    ...(left ? { left } : {}),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
    ...(Object.keys(set).length > 0 ? { set } : {}),
  };
}

/** Folder of the walks, below the project's. */
export const walksFolder = 'tests/definitions/walks';

/** The file of a flow's walks. */
export function walksFile(flow: string): string {
  return `${walksFolder}/${flow}.json`;
}
