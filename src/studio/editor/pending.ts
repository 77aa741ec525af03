import { valueAt } from '../../engine/core/json-pointer.ts';
import type { Json } from '../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet, VersionedFile } from '../studio-data.ts';

/** What was edited and not yet written, by file; each remembers the version that it was begun on. */
export type Pending = Readonly<Record<string, { readonly base: string | null; readonly edits: readonly StudioEdit[] }>>;

/** The pending edits with one more, which takes the place of another of the same pointer. */
export function stage(pending: Pending, set: StudioSet, file: string, edit: StudioEdit): Pending {
  const own = pending[file] ?? { base: set.files[file]?.version ?? null, edits: [] };
  const others = own.edits.filter(({ pointer }) => pointer !== edit.pointer);
  const isBack = edit.value !== undefined && edit.value === valueIn(set, file, edit.pointer);
  const edits = isBack ? others : [...others, edit];
  const { [file]: _, ...rest } = pending;
  return edits.length === 0 ? rest : { ...rest, [file]: { ...own, edits } };
}

/** The pending edits as they are sent. */
export function changesOf(pending: Pending): readonly FileChange[] {
  return Object.entries(pending).map(([file, { base, edits }]) => ({ file, base, edits }));
}

/** What is still pending once `sent` was written: what was typed meanwhile, over the files as this page left them. */
export function afterWriting(now: Pending, sent: Pending, written: readonly VersionedFile[]): Pending {
  return Object.fromEntries(
    Object.entries(now).flatMap(([file, own]) => {
      const edits = own.edits.filter((edit) => !sent[file]?.edits.includes(edit));
      const left = written.find((known) => known.file === file);
      return edits.length === 0 ? [] : [[file, { base: left ? left.version : own.base, edits }] as const];
    }),
  );
}

/** The pending edits over the files as they are now. */
export function overNow(pending: Pending, set: StudioSet): Pending {
  return Object.fromEntries(
    Object.entries(pending).map(([file, { edits }]) => [file, { base: set.files[file]?.version ?? null, edits }]),
  );
}

/** Files that somebody else changed while they were edited here. */
export function overtaken(pending: Pending, set: StudioSet): readonly string[] {
  return Object.entries(pending)
    .filter(([file, { base }]) => base !== (set.files[file]?.version ?? null))
    .map(([file]) => file);
}

/** What a file holds at a pointer, without what is pending; undefined where there is nothing. */
export function valueIn(set: StudioSet, file: string, pointer = ''): Json | undefined {
  const own = set.files[file];
  return own && valueAt(contentOf(own), pointer);
}

/** What files hold, each read once: panels and the search ask for the same ones hundreds of times. */
const contents = new WeakMap<VersionedFile, { readonly json: Json | undefined }>();

function contentOf(file: VersionedFile): Json | undefined {
  const known = contents.get(file) ?? { json: parsed(file.text) };
  contents.set(file, known);
  return known.json;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return undefined; // a broken file is among the problems
  }
}
