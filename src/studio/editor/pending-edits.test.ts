import { expect, test } from 'vitest';
import {
  listUnsavedChanges,
  rebaseEditsAfterUndo,
  removeWrittenEdits,
  omitEditsOfDraftedFiles,
  emptyUnsavedEditHistory,
  type UnsavedEditHistory,
} from './pending-edits.ts';

const file = 'flows/a.json';
const edits = [{ pointer: '/title', value: 'x' }];
const typed = (base: string): UnsavedEditHistory => ({
  ...emptyUnsavedEditHistory,
  now: { pending: { [file]: { base, edits } }, drafts: { [file]: { text: '{}', base } } },
  past: [emptyUnsavedEditHistory.now],
});

test('[EST-14] unsaved edits are rebased on the version of a write or an undo, and a draft that was written is dropped', () => {
  const written = [{ file, version: '2', text: '{ }' }];
  for (const after of [rebaseEditsAfterUndo(typed('1'), written), removeWrittenEdits(typed('1'), {}, written)])
    expect(after.now).toEqual({ ...typed('1').now, pending: { [file]: { base: '2', edits } } });
  const { now, past } = removeWrittenEdits(typed('1'), {}, [{ file, version: '2', text: '{}' }]);
  expect([now.drafts, past]).toEqual([{}, []]);
});

test('[EST-14] one save writes edited texts of files and other edits, and keeps the edits that a text overrides', () => {
  const other = { 'flows/b.json': { base: '1', edits } };
  const { now } = typed('1');
  const unsaved = { ...now, pending: { ...now.pending, ...other } };
  expect(listUnsavedChanges(unsaved)).toEqual([
    { file, base: '1', text: '{}' },
    { file: 'flows/b.json', base: '1', edits },
  ]);
  const written = [{ file, version: '2', text: '{}' }];
  const after = removeWrittenEdits({ ...typed('1'), now: unsaved }, omitEditsOfDraftedFiles(unsaved), written);
  expect(after.now).toEqual({ pending: { [file]: { base: '2', edits } }, drafts: {} });
});
