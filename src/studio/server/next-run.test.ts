import { expect, test } from 'vitest';
import { nextRun } from './studio-routes.ts';

test('[EST-09] who asks while an older run goes on hears of the next one, also where the older one failed', async () => {
  const runs: { readonly resolve: (answer: string) => void; readonly reject: (error: Error) => void }[] = [];
  const ask = nextRun(() => new Promise<string>((resolve, reject) => runs.push({ resolve, reject })));
  const first = ask();
  const later = [ask(), ask()];
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve('new');
  expect(await Promise.all(later)).toEqual(['new', 'new']);
  const last = ask();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve('last');
  expect(await last).toBe('last');
});
