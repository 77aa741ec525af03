// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { loadModuleWithRetry } from '../../src/portal/navigation/load-module.ts';
import { reloadPageIfReachable } from '../../src/portal/navigation/reload-page.ts';

/** Simulates the type of the last navigation, and whether the server is reachable. */
function simulateArrival(by: 'navigate' | 'reload', reachable: boolean) {
  vi.stubGlobal('performance', { getEntriesByType: () => [{ type: by }] });
  vi.stubGlobal(
    'fetch',
    vi.fn(() => (reachable ? Promise.resolve(new Response()) : Promise.reject(new Error('offline')))),
  );
  return vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
}

const failToLoad = () => Promise.reject(new Error('no such module'));

describe('[ERR-03] loadModuleWithRetry', () => {
  test('reloads the page once and stays pending if a module cannot be loaded', async () => {
    const reload = simulateArrival('navigate', true);
    const told = vi.fn();
    void loadModuleWithRetry(failToLoad).catch(told);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(told).not.toHaveBeenCalled();
  });

  test.each([
    ['if the page was already reloaded', 'reload', true],
    ['without a reload if the server is unreachable', 'navigate', false],
  ] as const)('rejects %s', async (_, by, reachable) => {
    const reload = simulateArrival(by, reachable);
    await expect(loadModuleWithRetry(failToLoad)).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
  });

  test('returns a module that loads at the second try, without a reload', async () => {
    const reload = simulateArrival('navigate', true);
    const load = vi
      .fn(failToLoad)
      .mockImplementationOnce(failToLoad)
      .mockResolvedValueOnce('a part' as never);
    expect(await loadModuleWithRetry(load)).toBe('a part');
    expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([2, 0]);
  });

  test('never reloads the page with `never`, and reloads it again with `always`', async () => {
    const reload = simulateArrival('reload', true);
    await expect(loadModuleWithRetry(failToLoad, 'never')).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
    void loadModuleWithRetry(failToLoad, 'always');
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  test('returns a module that loads', async () => {
    expect(await loadModuleWithRetry(async () => 1)).toBe(1);
  });
});

test('[ERR-03] reloadPageIfReachable returns false without a reload if the server is unreachable', async () => {
  const reload = simulateArrival('navigate', false);
  expect([await reloadPageIfReachable(), reload.mock.calls.length]).toEqual([false, 0]);
});
