import { valueAt } from '../../engine/core/json-pointer.ts';
import type { Json } from '../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet, VersionedFile } from '../studio-data.ts';

/** Unsaved edits by file, with the version that they are based on. */
export type Pending = Readonly<Record<string, { readonly base: string | null; readonly edits: readonly StudioEdit[] }>>;

/** Adds an edit. It replaces an earlier one at the same pointer. */
export function stage(pending: Pending, set: StudioSet, file: string, edit: StudioEdit): Pending {
  const own = pending[file] ?? { base: set.files[file]?.version ?? null, edits: [] };
  const others = own.edits.filter(({ pointer }) => pointer !== edit.pointer);
  const isBack = edit.value !== undefined && edit.value === valueIn(set, file, edit.pointer);
  const edits = isBack ? others : [...others, edit];
  const { [file]: _, ...rest } = pending;
  return edits.length === 0 ? rest : { ...rest, [file]: { ...own, edits } };
}

export function changesOf(pending: Pending): readonly FileChange[] {
  return Object.entries(pending).map(([file, { base, edits }]) => ({ file, base, edits }));
}

/** Returns the edits made while `sent` was being written, rebased on the written files. */
export function afterWriting(now: Pending, sent: Pending, written: readonly VersionedFile[]): Pending {
  return Object.fromEntries(
    Object.entries(now).flatMap(([file, own]) => {
      const edits = own.edits.filter((edit) => !sent[file]?.edits.includes(edit));
      const left = written.find((known) => known.file === file);
      return edits.length === 0 ? [] : [[file, { base: left ? left.version : own.base, edits }] as const];
    }),
  );
}

/** Rebases the pending edits on the current files. */
export function overNow(pending: Pending, set: StudioSet): Pending {
  return Object.fromEntries(
    Object.entries(pending).map(([file, { edits }]) => [file, { base: set.files[file]?.version ?? null, edits }]),
  );
}

/** Files with pending edits that have changed on disk meanwhile. */
export function overtaken(pending: Pending, set: StudioSet): readonly string[] {
  return Object.entries(pending)
    .filter(([file, { base }]) => base !== (set.files[file]?.version ?? null))
    .map(([file]) => file);
}

/** Returns the saved value at a pointer, or `undefined`. */
export function valueIn(set: StudioSet, file: string, pointer = ''): Json | undefined {
  const own = set.files[file];
  return own && valueAt(contentOf(own), pointer);
}

/** Parsed files: panels and the search read the same ones hundreds of times. */
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
    return undefined; // invalid files are reported as problems
  }
}
