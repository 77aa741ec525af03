import { describe, expect, test, vi } from 'vitest';
import type { TokenRefreshResult } from '../../src/domain/root-store.ts';
import { createTokenRefresher } from '../../src/portal/session/open-portal-store.ts';
import { memoryStorage, now, createToken } from '../domain/support/store.ts';

const everyMs = 55_000;

/** Simulates tabs of one browser: shared storage, one clock, and locks that only one tab can hold at a time. */
function simulateTabs({ locks = true }: { locks?: boolean | 'refused' } = {}) {
  const storage = memoryStorage();
  const clock = { ms: now.getTime() };
  const held = new Set<string>();
  const request = async (name: string, _: unknown, run: (lock: object | null) => Promise<unknown>) => {
    if (locks === 'refused') throw new DOMException('The request was denied.', 'SecurityError');
    if (held.has(name)) return run(null);
    held.add(name);
    try {
      return await run({ name });
    } finally {
      held.delete(name);
    }
  };
  const write = (token: string | null) =>
    token === null ? storage.removeItem('portal') : storage.setItem('portal', JSON.stringify({ token, flows: {} }));
  let made = 0;
  const tab = (token: string | null, answer: TokenRefreshResult = 'fresh') => {
    const held = { token };
    const said: string[] = [];
    const session = {
      token: () => held.token,
      adopt: (next: string) => {
        held.token = next;
        said.push('adopt');
      },
      refresh: vi.fn(async () => {
        await Promise.resolve();
        if (answer !== 'fresh') return answer;
        held.token = createToken({}, 300 + (made += 1));
        write(held.token);
        return answer;
      }),
      lose: () => {
        held.token = null;
        said.push('lose');
        write(null);
      },
      leave: () => said.push('leave'),
      setBrokerUnreachable: (isOut: boolean) => said.push(isOut ? 'out of reach' : 'in reach'),
    };
    const fresh = createTokenRefresher(session, {
      storage,
      everyMs,
      clock: () => new Date(clock.ms),
      locks: locks ? { request: request as unknown as LockManager['request'] } : undefined,
    });
    return { ...fresh, session, said, held };
  };
  return { storage, clock, tab, write };
}

const token = createToken();

describe('[SES-01] token refresher', () => {
  test('refreshes every 55 s in one tab, and shares the token with the others', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const tabs = [tab(token), tab(token), tab(token)];
    for (let round = 1; round <= 3; round += 1) {
      clock.ms += everyMs;
      await Promise.all(tabs.map((each) => each.tick()));
      tabs.forEach((each) => each.handleStorageEvent());
    }
    expect(tabs.map(({ session }) => session.refresh.mock.calls.length)).toEqual([3, 0, 0]);
    expect(new Set(tabs.map(({ held }) => held.token)).size).toBe(1);
  });

  test('refreshes in another tab once the first one is closed', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const [first, second] = [tab(token), tab(token)];
    clock.ms += everyMs;
    await first.tick();
    second.handleStorageEvent();
    clock.ms += everyMs / 2;
    await second.tick();
    expect(second.session.refresh).not.toHaveBeenCalled();
    clock.ms += everyMs;
    await second.tick();
    expect(second.session.refresh).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the browser has no locks', false],
    ['the browser refuses locks', 'refused'],
  ] as const)('refreshes in each tab if %s, but not right after another tab', async (_, locks) => {
    const { tab, clock, write } = simulateTabs({ locks });
    write(token);
    const [first, second] = [tab(token), tab(token)];
    clock.ms += everyMs;
    await first.tick();
    await second.tick();
    expect([first.session.refresh.mock.calls.length, second.session.refresh.mock.calls.length]).toEqual([1, 0]);
    expect(second.said).toEqual(['adopt', 'in reach']);
  });

  test('refreshes once and passes an error on, which is not mistaken for a refused lock', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { session, tick } = tab(token);
    session.refresh.mockRejectedValue(new Error('broken'));
    clock.ms += everyMs;
    await expect(tick()).rejects.toThrow('broken');
    expect(session.refresh).toHaveBeenCalledTimes(1);
  });

  test('does not refresh too early or without a session', async () => {
    const { tab, clock, write } = simulateTabs();
    const nobody = tab(null);
    write(token);
    const early = tab(token);
    clock.ms += everyMs / 2;
    await early.tick();
    expect(early.session.refresh).not.toHaveBeenCalled();
    write(null);
    clock.ms += everyMs;
    await nobody.tick();
    expect([nobody.session.refresh.mock.calls.length, nobody.said]).toEqual([0, []]);
  });

  test('ends the session if the refresh is refused', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said } = tab(token, 'refused');
    clock.ms += everyMs;
    await tick();
    expect(said).toEqual(['lose']);
  });

  test('retries an unreachable broker, and keeps the session', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said, session } = tab(token, 'unreachable');
    clock.ms += everyMs;
    await tick();
    await tick();
    expect([said, session.refresh.mock.calls.length]).toEqual([['in reach', 'in reach'], 2]);
  });

  test.each([60, 600, 86_400])('refreshes a token that ended %i s ago during a sleep', async (seconds) => {
    const { tab, clock, write } = simulateTabs();
    const ended = createToken({}, -seconds);
    write(ended);
    const slept = tab(ended);
    clock.ms += everyMs;
    await slept.tick();
    expect([slept.said, slept.session.refresh.mock.calls.length]).toEqual([['in reach'], 1]);
  });

  test('reports, after the computer has slept, that the broker is unreachable until it responds, and keeps the session', async () => {
    const { tab, clock, write } = simulateTabs();
    const ended = createToken({}, -3600);
    write(ended);
    const { tick, said, session, held } = tab(ended, 'unreachable');
    clock.ms += everyMs;
    await tick();
    await tick();
    expect([said, session.refresh.mock.calls.length, held.token]).toEqual([['out of reach', 'out of reach'], 2, ended]);
    session.refresh.mockImplementation(() => {
      held.token = createToken({}, 600);
      return Promise.resolve('fresh' as const);
    });
    await tick();
    expect(said.at(-1)).toBe('in reach');
  });

  test('leaves the page if the broker has a session of another citizen', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said } = tab(token, 'other');
    clock.ms += everyMs;
    await tick();
    expect(said).toEqual(['leave']);
  });
});

describe('[SES-01 SES-02] token stored by another tab', () => {
  test.each([
    ['is adopted if it is newer', token, createToken({}, 360), 'adopt'],
    ['is ignored if it is the same', token, token, undefined],
    ['is ignored if it is the same and has ended', createToken({}, -1), createToken({}, -1), undefined],
    ['is ignored if it is older and of the same citizen', token, createToken({}, -60), undefined],
    ['makes this tab leave the page if it was removed', token, null, 'leave'],
    ['is awaited while the other tab renews it', token, 'isRenewalPending', undefined],
    ['is awaited while the other tab renews it, even without a session here', null, 'isRenewalPending', undefined],
    ['makes this tab leave the page if it is of another citizen', token, createToken({ cid: '18' }), 'leave'],
    ['is adopted if nobody is signed in here', null, token, 'adopt'],
    ['is ignored if it has expired and nobody is signed in here', null, createToken({}, -1), undefined],
  ])('%s', (_, own, stored, said) => {
    const { tab, write, storage } = simulateTabs();
    const heard = tab(own);
    if (stored === 'isRenewalPending') storage.setItem('portal', '{"token":null,"flows":{},"isRenewalPending":true}');
    else write(stored);
    heard.handleStorageEvent();
    expect(heard.said.filter((what) => what !== 'in reach')).toEqual(said === undefined ? [] : [said]);
  });
});
