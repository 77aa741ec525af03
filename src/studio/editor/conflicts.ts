import type { Json } from '../../engine/core/json.ts';
import type { StudioSet } from '../studio-data.ts';
import { overNow, valueIn } from './pending.ts';
import { placesIn } from './titles.ts';
import type { Typed } from './typed.ts';

/** Edit of a text that has changed in its file meanwhile. */
export interface Conflict {
  /** Key of the edit, or of the file if it was edited as a whole. */
  readonly key: string;
  readonly file: string;
  /** Description of the place for the analyst. Empty for a whole file. */
  readonly place: string;
  /** `null` if removed. */
  readonly mine: string | null;
  readonly now: string | null;
}

export function conflictsIn({ pending, drafts }: Typed, set: StudioSet): readonly Conflict[] {
  const isOvertaken = (file: string, base: string | null) => base !== (set.files[file]?.version ?? null);
  const ofEdits = Object.entries(pending).flatMap(([file, { base, edits }]) =>
    isOvertaken(file, base)
      ? edits.map(({ pointer, value }) => ({
          key: keyOf(file, pointer),
          file,
          place: placesIn(set, file)(pointer),
          mine: written(value),
          now: written(valueIn(set, file, pointer)),
        }))
      : [],
  );
  const ofDrafts = Object.entries(drafts).flatMap(([file, { base, text }]) => {
    if (!isOvertaken(file, base)) return [];
    const [mine, now] = differingLines(text, set.files[file]?.text ?? '');
    return [{ key: keyOf(file), file, place: '', mine, now }];
  });
  return [...ofEdits, ...ofDrafts];
}

/** Rebases the edits on the current files. `given` has the keys of the conflicts in which the file wins. */
export function chosenOver({ pending, drafts }: Typed, set: StudioSet, given: ReadonlySet<string>): Typed {
  const kept = Object.entries(pending).flatMap(([file, { base, edits }]) => {
    const left = edits.filter(({ pointer }) => !given.has(keyOf(file, pointer)));
    return left.length === 0 ? [] : [[file, { base, edits: left }] as const];
  });
  return {
    pending: overNow(Object.fromEntries(kept), set),
    drafts: Object.fromEntries(
      Object.entries(drafts).flatMap(([file, { text }]) =>
        given.has(keyOf(file)) ? [] : [[file, { text, base: set.files[file]?.version ?? null }] as const],
      ),
    ),
  };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join(' ');
}

function written(value: Json | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the differing lines of two texts, from the first difference to the last. */
function differingLines(one: string, other: string): readonly [string, string] {
  const [mine, now] = [one.split('\n'), other.split('\n')];
  const shorter = Math.min(mine.length, now.length);
  let start = 0;
  while (start < shorter && mine[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && mine.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end).join('\n');
  return [middle(mine), middle(now)];
}
