import { describe, expect, test, vi } from 'vitest';
import type { RefreshResult } from '../../src/domain/root-store.ts';
import { createTokenRefresher } from '../../src/portal/session/open-store.ts';
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
  const tab = (token: string | null, answer: RefreshResult = 'fresh') => {
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

describe('[SES-01] the token is refreshed every 55 s', () => {
  test('by one tab on behalf of all', async () => {
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

  test('by the next one, when that tab is closed', async () => {
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
    ['there are no locks', false],
    ['the browser refuses them', 'refused'],
  ] as const)('by every tab for itself where %s, but not right after another one', async (_, locks) => {
    const { tab, clock, write } = simulateTabs({ locks });
    write(token);
    const [first, second] = [tab(token), tab(token)];
    clock.ms += everyMs;
    await first.tick();
    await second.tick();
    expect([first.session.refresh.mock.calls.length, second.session.refresh.mock.calls.length]).toEqual([1, 0]);
    expect(second.said).toEqual(['adopt', 'in reach']);
  });

  test('once, and what goes wrong with it is no refused lock', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { session, tick } = tab(token);
    session.refresh.mockRejectedValue(new Error('broken'));
    clock.ms += everyMs;
    await expect(tick()).rejects.toThrow('broken');
    expect(session.refresh).toHaveBeenCalledTimes(1);
  });

  test('not before its time, and not when nobody is signed in', async () => {
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

  test('a refused refresh ends the session', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said } = tab(token, 'refused');
    clock.ms += everyMs;
    await tick();
    expect(said).toEqual(['lose']);
  });

  test('a broker that cannot be reached is asked again, and the session stays meanwhile', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said, session } = tab(token, 'unreachable');
    clock.ms += everyMs;
    await tick();
    await tick();
    expect([said, session.refresh.mock.calls.length]).toEqual([['in reach', 'in reach'], 2]);
  });

  test.each([60, 600, 86_400])(
    'a token that ended %i s ago, in a sleep, is asked for like any other',
    async (seconds) => {
      const { tab, clock, write } = simulateTabs();
      const ended = createToken({}, -seconds);
      write(ended);
      const slept = tab(ended);
      clock.ms += everyMs;
      await slept.tick();
      expect([slept.said, slept.session.refresh.mock.calls.length]).toEqual([['in reach'], 1]);
    },
  );

  test('after a sleep a broker that cannot be reached ends nothing, which is said until it answers', async () => {
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

  test('a session of somebody else at the broker ends nothing either: the page is left to them', async () => {
    const { tab, clock, write } = simulateTabs();
    write(token);
    const { tick, said } = tab(token, 'other');
    clock.ms += everyMs;
    await tick();
    expect(said).toEqual(['leave']);
  });
});

describe('[SES-01 SES-02] what another tab stores', () => {
  test.each([
    ['a fresh token is taken', token, createToken({}, 360), 'adopt'],
    ['the same one changes nothing', token, token, undefined],
    ['nor does it where it has ended', createToken({}, -1), createToken({}, -1), undefined],
    ['an older one of the same citizen changes nothing', token, createToken({}, -60), undefined],
    ['none: the other tab has signed out', token, null, 'leave'],
    ['none yet: the other tab still asks the broker', token, 'isRenewalPending', undefined],
    ['nor is anything done where nobody is', null, 'isRenewalPending', undefined],
    ['somebody else has signed in there', token, createToken({ cid: '18' }), 'leave'],
    ['a first sign-in is taken', null, token, 'adopt'],
    ['an expired one is not', null, createToken({}, -1), undefined],
  ])('%s', (_, own, stored, said) => {
    const { tab, write, storage } = simulateTabs();
    const heard = tab(own);
    if (stored === 'isRenewalPending') storage.setItem('portal', '{"token":null,"flows":{},"isRenewalPending":true}');
    else write(stored);
    heard.handleStorageEvent();
    expect(heard.said.filter((what) => what !== 'in reach')).toEqual(said === undefined ? [] : [said]);
  });
});
