import type { StudioHistory, VersionedFile } from '../studio-data.ts';
import { afterWriting, type Pending } from './pending.ts';

/** Text of a file edited as a whole, and the version that it is based on. */
export interface Draft {
  readonly text: string;
  readonly base: string | null;
}

export interface Typed {
  readonly pending: Pending;
  readonly drafts: Readonly<Record<string, Draft>>;
}

export interface TypedHistory {
  readonly now: Typed;
  readonly past: readonly Typed[];
  readonly future: readonly Typed[];
  /** Place of the last edit. Further edits there extend the same step. */
  readonly place: string | null;
  /** Id of the last write when the first step was made. `null` if there was none to undo. */
  readonly over: string | null;
}

const length = 100;

export const nothingTyped: TypedHistory = {
  now: { pending: {}, drafts: {} },
  past: [],
  future: [],
  place: null,
  over: null,
};

/** Adds a step. Edits without a place (`null`) are always steps of their own. */
export function step(history: TypedHistory, next: Typed, place: string | null, over: string | null): TypedHistory {
  const goesOn = place !== null && place === history.place;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-length);
  return { now: next, past, future: [], place, over: history.past.length === 0 ? over : history.over };
}

/** Returns the next action of undo: the last edit, or the last write if there are none. */
export function nextUndo({ past }: TypedHistory, { undo }: StudioHistory): 'typed' | 'written' | null {
  if (past.length > 0) return 'typed';
  return undo ? 'written' : null;
}

/** Returns the next action of redo. A write is redone before the edits made after it, and new edits discard it. */
export function nextRedo(
  { past, future, over }: TypedHistory,
  { undo, redo }: StudioHistory,
): ReturnType<typeof nextUndo> {
  const isBeneath = past.length === 0 && (future.length === 0 || over !== (undo?.id ?? null));
  if (redo && isBeneath) return 'written';
  return future.length > 0 ? 'typed' : null;
}

export function turned(history: TypedHistory, kind: keyof StudioHistory): TypedHistory {
  const { now, past, future } = history;
  const next = kind === 'undo' ? past.at(-1) : future.at(-1);
  if (!next) return history;
  return kind === 'undo'
    ? { ...history, now: next, past: past.slice(0, -1), future: [...future, now], place: null }
    : { ...history, now: next, past: [...past, now], future: future.slice(0, -1), place: null };
}

export function filesBetween(one: Typed, other: Typed): readonly string[] {
  return (['pending', 'drafts'] as const).flatMap((part) =>
    Object.keys({ ...one[part], ...other[part] }).filter(
      (file) => JSON.stringify(one[part][file]) !== JSON.stringify(other[part][file]),
    ),
  );
}

/** Returns the edits that remain after `sent` was written. Clears the undo steps, which would revert the write. */
export function afterWrite({ now }: TypedHistory, sent: Pending, written: readonly VersionedFile[]): TypedHistory {
  return { ...nothingTyped, now: over(now, sent, written) };
}

/** Returns the edits that remain after a write was undone or redone. */
export function afterTurn(history: TypedHistory, written: readonly VersionedFile[]): TypedHistory {
  return { ...history, now: over(history.now, {}, written), place: null };
}

function over({ pending, drafts }: Typed, sent: Pending, written: readonly VersionedFile[]): Typed {
  const isWritten = ([file, { text }]: [string, Draft]) =>
    written.some((known) => known.file === file && known.text === text);
  return {
    pending: afterWriting(pending, sent, written),
    drafts: Object.fromEntries(Object.entries(drafts).filter((entry) => !isWritten(entry))),
  };
}
