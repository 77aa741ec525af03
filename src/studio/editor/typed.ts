import type { StudioHistory, VersionedFile } from '../studio-data.ts';
import { afterWriting, type Pending } from './pending.ts';

/** A file as it was typed over a version of it. */
export interface Draft {
  readonly text: string;
  readonly base: string | null;
}

/** What was typed and not yet written: edits of files, and whole files. */
export interface Typed {
  readonly pending: Pending;
  readonly drafts: Readonly<Record<string, Draft>>;
}

/** What was typed, with the steps to undo and redo. */
export interface TypedHistory {
  readonly now: Typed;
  readonly past: readonly Typed[];
  readonly future: readonly Typed[];
  /** Where the last step typed: what follows in the same place is one step with it. */
  readonly place: string | null;
  /** The last writing when the first of these steps was made; null: none could be undone. */
  readonly over: string | null;
}

/** How many steps are kept. */
const length = 100;

export const nothingTyped: TypedHistory = {
  now: { pending: {}, drafts: {} },
  past: [],
  future: [],
  place: null,
  over: null,
};

/** One more step, typed in a place; none (null) is never one step with another. */
export function step(history: TypedHistory, next: Typed, place: string | null, over: string | null): TypedHistory {
  const goesOn = place !== null && place === history.place;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-length);
  return { now: next, past, future: [], place, over: history.past.length === 0 ? over : history.over };
}

/** What undo takes back: the last step typed, else the last writing. */
export function nextUndo({ past }: TypedHistory, { undo }: StudioHistory): 'typed' | 'written' | null {
  if (past.length > 0) return 'typed';
  return undo ? 'written' : null;
}

/** What redo brings back: writings come before the steps that were typed over them, and go with the first step that is typed in their stead. */
export function nextRedo(
  { past, future, over }: TypedHistory,
  { undo, redo }: StudioHistory,
): ReturnType<typeof nextUndo> {
  const isBeneath = past.length === 0 && (future.length === 0 || over !== (undo?.id ?? null));
  if (redo && isBeneath) return 'written';
  return future.length > 0 ? 'typed' : null;
}

/** The history one step back, or forth; itself where there is none. */
export function turned(history: TypedHistory, kind: keyof StudioHistory): TypedHistory {
  const { now, past, future } = history;
  const next = kind === 'undo' ? past.at(-1) : future.at(-1);
  if (!next) return history;
  return kind === 'undo'
    ? { ...history, now: next, past: past.slice(0, -1), future: [...future, now], place: null }
    : { ...history, now: next, past: [...past, now], future: future.slice(0, -1), place: null };
}

/** Files of which something other was typed. */
export function filesBetween(one: Typed, other: Typed): readonly string[] {
  return (['pending', 'drafts'] as const).flatMap((part) =>
    Object.keys({ ...one[part], ...other[part] }).filter(
      (file) => JSON.stringify(one[part][file]) !== JSON.stringify(other[part][file]),
    ),
  );
}

/** What is still typed once `sent` was written; steps back would lead to what is written now. */
export function afterWrite({ now }: TypedHistory, sent: Pending, written: readonly VersionedFile[]): TypedHistory {
  return { ...nothingTyped, now: over(now, sent, written) };
}

/** What is still typed once a writing was undone or redone. */
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
