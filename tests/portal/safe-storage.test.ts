// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { safeStorage } from '../../src/portal/session/safe-storage.ts';

beforeEach(() => void localStorage.clear());

test('[SES-02] safeStorage stores values in local storage', () => {
  safeStorage.setItem('a', '1');
  expect([localStorage.getItem('a'), safeStorage.getItem('a')]).toEqual(['1', '1']);
  safeStorage.removeItem('a');
  expect(localStorage.getItem('a')).toBeNull();
});

test('[SES-02] safeStorage keeps values in memory if local storage is blocked', () => {
  vi.stubGlobal('localStorage', {
    get getItem() {
      throw new Error('blocked');
    },
    get setItem() {
      throw new Error('blocked');
    },
    get removeItem() {
      throw new Error('blocked');
    },
  });
  expect(safeStorage.getItem('b')).toBeNull();
  safeStorage.setItem('b', '2');
  expect(safeStorage.getItem('b')).toBe('2');
  safeStorage.removeItem('b');
  expect(safeStorage.getItem('b')).toBeNull();
});
