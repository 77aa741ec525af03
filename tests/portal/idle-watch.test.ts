import { beforeEach, describe, expect, test, vi } from 'vitest';
import { IdleWatch } from '../../src/portal/session/idle-watch.ts';
import { memoryStorage } from '../domain/support/store.ts';

const second = 1000;
const idleMs = 1800 * second;
const start = Date.UTC(2026, 2, 2, 15);

let now = start;
let end: number | null = Infinity;
let storage = memoryStorage();

beforeEach(() => {
  now = start;
  end = Infinity;
  storage = memoryStorage();
});

function openTab(shared = storage) {
  const onOver = vi.fn();
  const watch = new IdleWatch({
    storage: shared,
    clock: () => new Date(now),
    getSessionEnd: () => end,
    idleMs,
    warningMs: 120 * second,
    onSessionOver: onOver,
  });
  watch.checkExpiry();
  watch.recordActivity();
  return { watch, onOver };
}

const advanceTabs = (seconds: number, ...tabs: ReturnType<typeof openTab>[]) => {
  now += seconds * second;
  tabs.forEach(({ watch }) => watch.checkExpiry());
};

describe('[SEG+INACTIVIDAD] IdleWatch of a session without activity', () => {
  test.each([
    ['is quiet until two minutes before the end', 1679, { kind: 'quiet' }],
    ['warns two minutes before the end', 1680, { kind: 'warning', reason: 'idle', leftS: 120 }],
    ['warns one minute before the end', 1740, { kind: 'warning', reason: 'idle', leftS: 60 }],
    ['warns twenty seconds before the end', 1780, { kind: 'warning', reason: 'idle', leftS: 20 }],
    ['warns in the last second', 1799, { kind: 'warning', reason: 'idle', leftS: 20 }],
    ['is over at the end', 1800, { kind: 'over' }],
  ])('%s', (_, seconds, expected) => {
    const one = openTab();
    for (let passed = 60; passed < seconds; passed += 60) advanceTabs(60, one);
    advanceTabs(seconds % 60 || 60, one);
    expect(one.watch.state).toEqual(expected);
  });

  test.each([1800, 50_000])('warns for two minutes in a tab that slept %i s past the end', (seconds) => {
    const one = openTab();
    advanceTabs(seconds, one);
    expect([one.watch.state, one.onOver.mock.calls.length]).toEqual([
      { kind: 'warning', reason: 'idle', leftS: 120 },
      0,
    ]);
    one.watch.recordActivity();
    advanceTabs(60, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'idle', leftS: 60 });
    expect(one.watch.isActive(110 * second), 'no activity is reported').toBe(false);
    advanceTabs(60, one);
    expect([one.watch.state.kind, one.onOver.mock.calls.length]).toEqual(['over', 1]);
  });

  test('starts the warning again in a tab that fell asleep during it', () => {
    const one = openTab();
    advanceTabs(1700, one);
    advanceTabs(3600, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'idle', leftS: 120 });
  });

  test('notifies its subscribers three times during the countdown, not each second', () => {
    const one = openTab();
    const heard = vi.fn();
    advanceTabs(1679, one);
    one.watch.subscribe(heard);
    for (let passed = 0; passed < 120; passed += 1) advanceTabs(1, one);
    expect(heard).toHaveBeenCalledTimes(3);
  });

  test('restarts its time at an activity, except during the warning', () => {
    const one = openTab();
    advanceTabs(1000, one);
    one.watch.recordActivity();
    advanceTabs(1000, one);
    expect(one.watch.state.kind).toBe('quiet');
    advanceTabs(700, one);
    one.watch.recordActivity();
    advanceTabs(1, one);
    expect(one.watch.state.kind).toBe('warning');
  });

  test('stores frequent activity only now and then', () => {
    const one = openTab();
    const write = vi.spyOn(storage, 'setItem');
    for (let moves = 0; moves < 100; moves += 1) {
      now += 100;
      one.watch.recordActivity();
    }
    expect(write).toHaveBeenCalledTimes(2);
  });

  test('continues the session in every tab when one tab chooses to stay', () => {
    const [one, other] = [openTab(), openTab()];
    advanceTabs(1700, one, other);
    expect([one.watch.state.kind, other.watch.state.kind]).toEqual(['warning', 'warning']);
    one.watch.extendSession();
    other.watch.handleStorageEvent();
    expect([one.watch.state.kind, other.watch.state.kind]).toEqual(['quiet', 'quiet']);
  });

  test('counts the activity of one tab for every tab, even for one that slept', () => {
    const [one, asleep] = [openTab(), openTab()];
    for (let hours = 0; hours < 8; hours += 1) {
      advanceTabs(900, one);
      one.watch.recordActivity();
    }
    advanceTabs(0, asleep);
    expect([asleep.watch.state.kind, asleep.onOver.mock.calls.length]).toEqual(['quiet', 0]);
  });

  test('reports the end once', () => {
    const one = openTab();
    advanceTabs(1700, one);
    advanceTabs(100, one);
    advanceTabs(1, one);
    advanceTabs(1, one);
    expect(one.onOver).toHaveBeenCalledTimes(1);
  });

  test('returns from isActive whether the citizen was active in that time', () => {
    const one = openTab();
    expect(one.watch.isActive(110 * second)).toBe(true);
    advanceTabs(111, one);
    expect(one.watch.isActive(110 * second)).toBe(false);
  });

  test('works within one tab if the browser stores nothing', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    const one = openTab({ ...memoryStorage(), getItem: refuse, setItem: refuse, removeItem: refuse });
    advanceTabs(1700, one);
    expect(one.watch.state.kind).toBe('warning');
    one.watch.extendSession();
    expect(one.watch.state.kind).toBe('quiet');
  });
});

describe('[SEG+INACTIVIDAD] IdleWatch at the limit of a session', () => {
  test('warns once, and cannot be put off', () => {
    const one = openTab();
    end = start + 600 * second;
    advanceTabs(500, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'limit', leftS: 120 });
    one.watch.extendSession();
    expect(one.watch.state.kind).toBe('warning');
    one.watch.dismiss();
    expect(one.watch.state.kind).toBe('quiet');
    advanceTabs(100, one);
    expect(one.watch.state.kind).toBe('over');
  });
});

describe('[SEG+INACTIVIDAD] IdleWatch without a session', () => {
  test('warns of nothing and stores nothing', () => {
    const one = openTab();
    end = null;
    advanceTabs(5000, one);
    one.watch.recordActivity();
    expect([one.watch.state.kind, storage.content.size]).toEqual(['quiet', 0]);
  });

  test('starts from zero for the next session', () => {
    const one = openTab();
    end = null;
    advanceTabs(5000, one);
    end = Infinity;
    advanceTabs(1, one);
    expect(one.watch.state.kind).toBe('quiet');
  });
});
