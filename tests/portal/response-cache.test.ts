import { describe, expect, test } from 'vitest';
import type { OperationResult } from '../../src/engine/core/operation-result.ts';
import { ResponseCache } from '../../src/portal/navigation/response-cache.ts';

const countries = [{ codigo: 'uy', nombre: 'Uruguay', documentos: [] }];
const refused: OperationResult = { ok: false, failure: { status: 500, error: '', errors: {}, outdated: false } };

/** Creates a response cache. Its operations stay pending until the test responds. */
function open(data: ConstructorParameters<typeof ResponseCache>[0] = {}) {
  const asked: string[] = [];
  const answers: ((answer: OperationResult) => void)[] = [];
  const sources = new ResponseCache(data, (call) => {
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

describe('[ENG-01] ResponseCache', () => {
  test('returns the reference data of the page without a request', () => {
    const { sources, asked } = open({ getCountries: countries });
    expect(sources.get('getCountries')).toEqual({ state: 'ready', data: countries });
    expect(asked).toEqual([]);
  });

  test('loads reference data once, and notifies its subscribers', async () => {
    const { sources, asked, answer } = open();
    let told = 0;
    const stop = sources.subscribe('getCountries', {}, () => (told += 1));
    sources.subscribe('getCountries', {}, () => (told += 1));
    const stopOther = sources.subscribe('getCaptcha', {}, () => (told += 100));
    expect(sources.get('getCountries')).toEqual({ state: 'loading' });
    expect(sources.get('getCountries'), 'the same object, otherwise React would render endlessly').toBe(
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

  test('does not notify a subscriber that has unsubscribed', async () => {
    const { sources, answer } = open();
    let told = 0;
    sources.subscribe('getCountries', {}, () => (told += 1))();
    sources.get('getCountries');
    await answer({ ok: true, result: countries });
    expect(told).toBe(0);
  });

  test('returns a failed state with the status of the response', async () => {
    const { sources, answer } = open();
    sources.get('getCountries');
    await answer(refused);
    expect(sources.get('getCountries')).toEqual({ state: 'failed', status: 500 });
  });
});
