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
    end: () => end,
    idleMs,
    warningMs: 120 * second,
    onOver,
  });
  watch.tick();
  watch.recordActivity();
  return { watch, onOver };
}

const advanceTabs = (seconds: number, ...tabs: ReturnType<typeof openTab>[]) => {
  now += seconds * second;
  tabs.forEach(({ watch }) => watch.tick());
};

describe('[SEG+INACTIVIDAD] a session without activity', () => {
  test.each([
    ['long before its end', 1679, { kind: 'quiet' }],
    ['two minutes before', 1680, { kind: 'warning', reason: 'idle', leftS: 120 }],
    ['one minute before', 1740, { kind: 'warning', reason: 'idle', leftS: 60 }],
    ['twenty seconds before', 1780, { kind: 'warning', reason: 'idle', leftS: 20 }],
    ['in its last second', 1799, { kind: 'warning', reason: 'idle', leftS: 20 }],
    ['at its end', 1800, { kind: 'over' }],
  ])('%s', (_, seconds, expected) => {
    const one = openTab();
    for (let passed = 60; passed < seconds; passed += 60) advanceTabs(60, one);
    advanceTabs(seconds % 60 || 60, one);
    expect(one.watch.state).toEqual(expected);
  });

  test.each([1800, 50_000])('a tab that slept through its end for %i s is warned when it wakes', (seconds) => {
    const one = openTab();
    advanceTabs(seconds, one);
    expect([one.watch.state, one.onOver.mock.calls.length]).toEqual([
      { kind: 'warning', reason: 'idle', leftS: 120 },
      0,
    ]);
    one.watch.recordActivity();
    advanceTabs(60, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'idle', leftS: 60 });
    expect(one.watch.isActive(110 * second), 'the broker is not told that somebody is there').toBe(false);
    advanceTabs(60, one);
    expect([one.watch.state.kind, one.onOver.mock.calls.length]).toEqual(['over', 1]);
  });

  test('a tab that fell asleep while it warned warns anew', () => {
    const one = openTab();
    advanceTabs(1700, one);
    advanceTabs(3600, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'idle', leftS: 120 });
  });

  test('a countdown is told three times, not each second', () => {
    const one = openTab();
    const heard = vi.fn();
    advanceTabs(1679, one);
    one.watch.subscribe(heard);
    for (let passed = 0; passed < 120; passed += 1) advanceTabs(1, one);
    expect(heard).toHaveBeenCalledTimes(3);
  });

  test('activity puts the end off, until the end is warned of', () => {
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

  test('activity is noted now and then, not at each move of the pointer', () => {
    const one = openTab();
    const write = vi.spyOn(storage, 'setItem');
    for (let moves = 0; moves < 100; moves += 1) {
      now += 100;
      one.watch.recordActivity();
    }
    expect(write).toHaveBeenCalledTimes(2);
  });

  test('one press goes on, in every tab', () => {
    const [one, other] = [openTab(), openTab()];
    advanceTabs(1700, one, other);
    expect([one.watch.state.kind, other.watch.state.kind]).toEqual(['warning', 'warning']);
    one.watch.stay();
    other.watch.handleStorageEvent();
    expect([one.watch.state.kind, other.watch.state.kind]).toEqual(['quiet', 'quiet']);
  });

  test('activity in one tab counts for all, also for one that slept meanwhile', () => {
    const [one, asleep] = [openTab(), openTab()];
    for (let hours = 0; hours < 8; hours += 1) {
      advanceTabs(900, one);
      one.watch.recordActivity();
    }
    advanceTabs(0, asleep);
    expect([asleep.watch.state.kind, asleep.onOver.mock.calls.length]).toEqual(['quiet', 0]);
  });

  test('its end is told once', () => {
    const one = openTab();
    advanceTabs(1700, one);
    advanceTabs(100, one);
    advanceTabs(1, one);
    advanceTabs(1, one);
    expect(one.onOver).toHaveBeenCalledTimes(1);
  });

  test('a refresh tells whether the citizen is there', () => {
    const one = openTab();
    expect(one.watch.isActive(110 * second)).toBe(true);
    advanceTabs(111, one);
    expect(one.watch.isActive(110 * second)).toBe(false);
  });

  test('a tab whose browser stores nothing watches for itself', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    const one = openTab({ ...memoryStorage(), getItem: refuse, setItem: refuse, removeItem: refuse });
    advanceTabs(1700, one);
    expect(one.watch.state.kind).toBe('warning');
    one.watch.stay();
    expect(one.watch.state.kind).toBe('quiet');
  });
});

describe('[SEG+INACTIVIDAD] the limit of a session', () => {
  test('is warned of once, and no activity puts it off', () => {
    const one = openTab();
    end = start + 600 * second;
    advanceTabs(500, one);
    expect(one.watch.state).toEqual({ kind: 'warning', reason: 'limit', leftS: 120 });
    one.watch.stay();
    expect(one.watch.state.kind).toBe('warning');
    one.watch.dismiss();
    expect(one.watch.state.kind).toBe('quiet');
    advanceTabs(100, one);
    expect(one.watch.state.kind).toBe('over');
  });
});

describe('[SEG+INACTIVIDAD] without a session', () => {
  test('nothing is watched, and nothing stays stored', () => {
    const one = openTab();
    end = null;
    advanceTabs(5000, one);
    one.watch.recordActivity();
    expect([one.watch.state.kind, storage.content.size]).toEqual(['quiet', 0]);
  });

  test('the next one begins anew', () => {
    const one = openTab();
    end = null;
    advanceTabs(5000, one);
    end = Infinity;
    advanceTabs(1, one);
    expect(one.watch.state.kind).toBe('quiet');
  });
});
