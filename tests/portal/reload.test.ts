// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { loadModule } from '../../src/portal/navigation/load-module.ts';
import { reloadPage } from '../../src/portal/navigation/reload.ts';

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

describe('[ERR-03] a part of the portal that cannot be loaded', () => {
  test('has the page load anew once, and nothing is told meanwhile', async () => {
    const reload = simulateArrival('navigate', true);
    const told = vi.fn();
    void loadModule(failToLoad).catch(told);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(told).not.toHaveBeenCalled();
  });

  test.each([
    ['after the page was loaded anew', 'reload', true],
    ['where the server does not answer: the page stays', 'navigate', false],
  ] as const)('is told %s', async (_, by, reachable) => {
    const reload = simulateArrival(by, reachable);
    await expect(loadModule(failToLoad)).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
  });

  test('once, comes at the second try, and the page stays', async () => {
    const reload = simulateArrival('navigate', true);
    const load = vi
      .fn(failToLoad)
      .mockImplementationOnce(failToLoad)
      .mockResolvedValueOnce('a part' as never);
    expect(await loadModule(load)).toBe('a part');
    expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([2, 0]);
  });

  test('has the page stay where nobody waits for it, and load anew however it was opened where somebody does', async () => {
    const reload = simulateArrival('reload', true);
    await expect(loadModule(failToLoad, 'never')).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
    void loadModule(failToLoad, 'always');
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  test('one that comes is given on', async () => {
    expect(await loadModule(async () => 1)).toBe(1);
  });
});

test('[ERR-03] trying again leaves a page that cannot be loaded anew as it is', async () => {
  const reload = simulateArrival('navigate', false);
  expect([await reloadPage(), reload.mock.calls.length]).toEqual([false, 0]);
});
