import type { Json } from '../../engine/core/json.ts';
import type { FileChange, JsonEdit, StudioHistory, StudioDefinitions, VersionedFile } from '../studio-api-types.ts';
import { findFileVersion, readFileValue } from './definition-set.ts';
import { createTextPlaceDescriber } from './titles.ts';

export type PendingEdits = Readonly<
  Record<string, { readonly base: string | null; readonly edits: readonly JsonEdit[] }>
>;

export interface FileDraft {
  readonly text: string;
  readonly base: string | null;
}

export interface UnsavedEdits {
  readonly pending: PendingEdits;
  readonly drafts: Readonly<Record<string, FileDraft>>;
}

export interface UnsavedEditHistory {
  readonly now: UnsavedEdits;
  readonly past: readonly UnsavedEdits[];
  readonly future: readonly UnsavedEdits[];
  /** Location of the last edit. A further edit at this location belongs to the same undo step. `null` if the next edit starts a step. */
  readonly place: string | null;
  /** Id of the last write before the first undo step. `null` if there was none. */
  readonly baseWrite: string | null;
}

const maxSteps = 100;

export const emptyUnsavedEditHistory: UnsavedEditHistory = {
  now: { pending: {}, drafts: {} },
  past: [],
  future: [],
  place: null,
  baseWrite: null,
};

/** Adds an edit. Replaces an earlier edit with the same pointer. */
export function stageEdit(pending: PendingEdits, set: StudioDefinitions, file: string, edit: JsonEdit): PendingEdits {
  const own = pending[file] ?? { base: findFileVersion(set, file), edits: [] };
  const others = own.edits.filter(({ pointer }) => pointer !== edit.pointer);
  const isBack = edit.value !== undefined && edit.value === readFileValue(set, file, edit.pointer);
  const edits = isBack ? others : [...others, edit];
  const { [file]: _, ...rest } = pending;
  return edits.length === 0 ? rest : { ...rest, [file]: { ...own, edits } };
}

/** Returns the pending edits, without those of files that are also edited as text. */
export function omitEditsOfDraftedFiles({ pending, drafts }: UnsavedEdits): PendingEdits {
  return mapFiles(pending, (file, own) => (drafts[file] ? null : own));
}

/** Returns the changes of all unsaved edits. The text of a file takes precedence over its other edits. */
export function listUnsavedChanges(edits: UnsavedEdits): readonly FileChange[] {
  const all = { ...edits.drafts, ...omitEditsOfDraftedFiles(edits) };
  return Object.entries(all).map(([file, change]) => ({ file, ...change }));
}

/** Adds an undo step. An edit at the same place as the previous edit extends the step of that edit, unless the place is `null`. */
export function addUndoStep(
  history: UnsavedEditHistory,
  next: UnsavedEdits,
  place: string | null,
  over: string | null,
): UnsavedEditHistory {
  const goesOn = place !== null && place === history.place;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-maxSteps);
  return { now: next, past, future: [], place, baseWrite: history.past.length === 0 ? over : history.baseWrite };
}

type UndoKind = 'typed' | 'written' | null;

export function getUndoKind({ past }: UnsavedEditHistory, { undo }: StudioHistory): UndoKind {
  if (past.length > 0) return 'typed';
  return undo ? 'written' : null;
}

/** A write is redone before the edits that followed it, and cannot be redone after a new edit. */
export function getRedoKind({ past, future, baseWrite }: UnsavedEditHistory, { undo, redo }: StudioHistory): UndoKind {
  const isBeneath = past.length === 0 && (future.length === 0 || baseWrite !== (undo?.id ?? null));
  if (redo && isBeneath) return 'written';
  return future.length > 0 ? 'typed' : null;
}

export function moveInUndoHistory(history: UnsavedEditHistory, kind: keyof StudioHistory): UnsavedEditHistory {
  const [from, to] = kind === 'undo' ? (['past', 'future'] as const) : (['future', 'past'] as const);
  const now = history[from].at(-1);
  if (!now) return history;
  return { ...history, now, [from]: history[from].slice(0, -1), [to]: [...history[to], history.now], place: null };
}

export function listFilesWithDifferentEdits(one: UnsavedEdits, other: UnsavedEdits): readonly string[] {
  return (['pending', 'drafts'] as const).flatMap((part) =>
    Object.keys({ ...one[part], ...other[part] }).filter(
      (file) => JSON.stringify(one[part][file]) !== JSON.stringify(other[part][file]),
    ),
  );
}

/** Removes the written edits, and clears the undo steps, because undoing a step would revert the write. */
export function removeWrittenEdits(
  { now }: UnsavedEditHistory,
  sent: PendingEdits,
  written: readonly VersionedFile[],
): UnsavedEditHistory {
  return { ...emptyUnsavedEditHistory, now: rebaseUnsavedEdits(now, sent, written) };
}

export function rebaseEditsAfterUndo(
  history: UnsavedEditHistory,
  written: readonly VersionedFile[],
): UnsavedEditHistory {
  return { ...history, now: rebaseUnsavedEdits(history.now, {}, written), place: null };
}

function rebaseUnsavedEdits(
  { pending, drafts }: UnsavedEdits,
  sent: PendingEdits,
  written: readonly VersionedFile[],
): UnsavedEdits {
  const writtenAs = (file: string) => written.find((known) => known.file === file);
  return {
    pending: mapFiles(pending, (file, { base, edits }) => {
      const remaining = edits.filter((edit) => !sent[file]?.edits.includes(edit));
      const now = writtenAs(file);
      return remaining.length === 0 ? null : { base: now ? now.version : base, edits: remaining };
    }),
    drafts: mapFiles(drafts, (file, draft) => (writtenAs(file)?.text === draft.text ? null : draft)),
  };
}

function mapFiles<Own>(files: Readonly<Record<string, Own>>, map: (file: string, own: Own) => Own | null) {
  const mapped = Object.entries(files).map(([file, own]) => [file, map(file, own)] as const);
  return Object.fromEntries(mapped.flatMap(([file, own]) => (own === null ? [] : [[file, own] as const])));
}

export interface EditConflict {
  /** Key of the unsaved edit. If the file is edited as text, the key of the file. */
  readonly key: string;
  readonly file: string;
  readonly place: string;
  readonly mine: string | null;
  readonly now: string | null;
}

export function listEditConflicts({ pending, drafts }: UnsavedEdits, set: StudioDefinitions): readonly EditConflict[] {
  const isOvertaken = ([file, { base }]: readonly [string, { readonly base: string | null }]) =>
    base !== findFileVersion(set, file);
  const ofEdits = Object.entries(pending)
    .filter(isOvertaken)
    .flatMap(([file, { edits }]) =>
      edits.map(({ pointer, value }) => ({
        key: `${file} ${pointer}`,
        file,
        place: createTextPlaceDescriber(set, file)(pointer),
        mine: readText(value),
        now: readText(readFileValue(set, file, pointer)),
      })),
    );
  const ofDrafts = Object.entries(drafts)
    .filter(isOvertaken)
    .map(([file, { text }]) => {
      const [mine, now] = findDifferingLines(text, set.files[file]?.text ?? '');
      return { key: file, file, place: '', mine, now };
    });
  return [...ofEdits, ...ofDrafts];
}

export function rebaseEdits(
  { pending, drafts }: UnsavedEdits,
  set: StudioDefinitions,
  discarded: ReadonlySet<string>,
): UnsavedEdits {
  return {
    pending: mapFiles(pending, (file, { edits }) => {
      const remaining = edits.filter(({ pointer }) => !discarded.has(`${file} ${pointer}`));
      return remaining.length === 0 ? null : { base: findFileVersion(set, file), edits: remaining };
    }),
    drafts: mapFiles(drafts, (file, { text }) =>
      discarded.has(file) ? null : { text, base: findFileVersion(set, file) },
    ),
  };
}

function readText(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function findDifferingLines(one: string, other: string): readonly [string, string] {
  const [mine, now] = [one.split('\n'), other.split('\n')];
  const shorter = Math.min(mine.length, now.length);
  let start = 0;
  while (start < shorter && mine[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && mine.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n');
  return [middle(mine), middle(now)];
}
