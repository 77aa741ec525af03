import { expect, test } from 'vitest';
import { rebaseAfterUndo, removeWrittenEdits, noUnsavedEdits, type UnsavedEditHistory } from './pending-edits.ts';

const file = 'flows/a.json';
const edits = [{ pointer: '/title', value: 'x' }];
const typed = (base: string): UnsavedEditHistory => ({
  ...noUnsavedEdits,
  now: { pending: { [file]: { base, edits } }, drafts: { [file]: { text: '{}', base } } },
  past: [noUnsavedEdits.now],
});

test('[EST-14] unsaved edits are rebased on the version of a write or an undo, and a draft that was written is dropped', () => {
  const written = [{ file, version: '2', text: '{ }' }];
  for (const after of [rebaseAfterUndo(typed('1'), written), removeWrittenEdits(typed('1'), {}, written)])
    expect(after.now).toEqual({ ...typed('1').now, pending: { [file]: { base: '2', edits } } });
  const { now, past } = removeWrittenEdits(typed('1'), {}, [{ file, version: '2', text: '{}' }]);
  expect([now.drafts, past]).toEqual([{}, []]);
});
