// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest';
import { loadPart } from '../../src/portal/navigation/load-part.ts';
import { reloadPage } from '../../src/portal/navigation/reload.ts';

/** Simulates a page after a navigation, and whether the server is reachable. */
function arrive(by: 'navigate' | 'reload', reachable: boolean) {
  vi.stubGlobal('performance', { getEntriesByType: () => [{ type: by }] });
  vi.stubGlobal(
    'fetch',
    vi.fn(() => (reachable ? Promise.resolve(new Response()) : Promise.reject(new Error('offline')))),
  );
  return vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
}

const missing = () => Promise.reject(new Error('no such module'));

describe('[ERR-03] a part of the portal that cannot be loaded', () => {
  test('has the page load anew once, and nothing is told meanwhile', async () => {
    const reload = arrive('navigate', true);
    const told = vi.fn();
    void loadPart(missing).catch(told);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(told).not.toHaveBeenCalled();
  });

  test.each([
    ['after the page was loaded anew', 'reload', true],
    ['where the server does not answer: the page stays', 'navigate', false],
  ] as const)('is told %s', async (_, by, reachable) => {
    const reload = arrive(by, reachable);
    await expect(loadPart(missing)).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
  });

  test('once, comes at the second try, and the page stays', async () => {
    const reload = arrive('navigate', true);
    const load = vi
      .fn(missing)
      .mockImplementationOnce(missing)
      .mockResolvedValueOnce('a part' as never);
    expect(await loadPart(load)).toBe('a part');
    expect([load.mock.calls.length, reload.mock.calls.length]).toEqual([2, 0]);
  });

  test('has the page stay where nobody waits for it, and load anew however it was opened where somebody does', async () => {
    const reload = arrive('reload', true);
    await expect(loadPart(missing, 'never')).rejects.toThrow('no such module');
    expect(reload).not.toHaveBeenCalled();
    void loadPart(missing, 'always');
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  test('one that comes is given on', async () => {
    expect(await loadPart(async () => 1)).toBe(1);
  });
});

test('[ERR-03] trying again leaves a page that cannot be loaded anew as it is', async () => {
  const reload = arrive('navigate', false);
  expect([await reloadPage(), reload.mock.calls.length]).toEqual([false, 0]);
});
