import { describe, expect, test } from 'vitest';
import type { OperationResult } from '../../src/engine/core/operation.ts';
import { SourceCache } from '../../src/portal/navigation/source-cache.ts';

const countries = [{ codigo: 'uy', nombre: 'Uruguay', documentos: [] }];
const refused: OperationResult = { ok: false, failure: { status: 500, error: '', errors: {}, outdated: false } };

/** Creates a source cache. Its operations stay pending until the test responds. */
function open(data: ConstructorParameters<typeof SourceCache>[0] = {}) {
  const asked: string[] = [];
  const answers: ((answer: OperationResult) => void)[] = [];
  const sources = new SourceCache(data, (call) => {
    asked.push(call);
    return new Promise((resolve) => answers.push(resolve));
  });
  const answer = async (result: OperationResult) => {
    answers.shift()?.(result);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { sources, asked, answer };
}

describe('[ENG-01] reference data', () => {
  test('that the page carries are there at once and never asked for', () => {
    const { sources, asked } = open({ getCountries: countries });
    expect(sources.get('getCountries')).toEqual({ state: 'ready', data: countries });
    expect(asked).toEqual([]);
  });

  test('are loaded once for all who ask, and tell those who listen', async () => {
    const { sources, asked, answer } = open();
    let told = 0;
    const stop = sources.subscribe('getCountries', {}, () => (told += 1));
    sources.subscribe('getCountries', {}, () => (told += 1));
    const stopOther = sources.subscribe('getCaptcha', {}, () => (told += 100));
    expect(sources.get('getCountries')).toEqual({ state: 'loading' });
    expect(sources.get('getCountries'), 'the same object, or React would draw forever').toBe(
      sources.get('getCountries'),
    );
    await answer({ ok: true, result: countries });
    expect([sources.get('getCountries'), asked, told]).toEqual([
      { state: 'ready', data: countries },
      ['getCountries'],
      2,
    ]);
    stop();
    stopOther();
  });

  test('tell nobody who stopped listening', async () => {
    const { sources, answer } = open();
    let told = 0;
    sources.subscribe('getCountries', {}, () => (told += 1))();
    sources.get('getCountries');
    await answer({ ok: true, result: countries });
    expect(told).toBe(0);
  });

  test('that cannot be loaded say so', async () => {
    const { sources, answer } = open();
    sources.get('getCountries');
    await answer(refused);
    expect(sources.get('getCountries')).toEqual({ state: 'failed', status: 500 });
  });
});
