import { expect, test } from 'vitest';
import { afterTurn, afterWrite, nothingTyped, type UnsavedEditHistory } from './pending-edits.ts';

const file = 'flows/a.json';
const edits = [{ pointer: '/title', value: 'x' }];
const typed = (base: string): UnsavedEditHistory => ({
  ...nothingTyped,
  now: { pending: { [file]: { base, edits } }, drafts: { [file]: { text: '{}', base } } },
  past: [nothingTyped.now],
});

test('[EST-14] what is typed stands over the version that a writing leaves, undone or not; a file that was written as typed is typed no more', () => {
  const written = [{ file, version: '2', text: '{ }' }];
  for (const after of [afterTurn(typed('1'), written), afterWrite(typed('1'), {}, written)])
    expect(after.now).toEqual({ ...typed('1').now, pending: { [file]: { base: '2', edits } } });
  const { now, past } = afterWrite(typed('1'), {}, [{ file, version: '2', text: '{}' }]);
  expect([now.drafts, past]).toEqual([{}, []]);
});
