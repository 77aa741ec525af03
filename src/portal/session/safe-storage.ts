import type { StateStorage } from '../../domain/stored-state.ts';

const memory = new Map<string, string>();

/** `localStorage`. Keeps values in memory if the browser rejects access (site data blocked, quota). */
export const safeStorage: StateStorage = {
  getItem: (key) =>
    memory.get(key) ??
    tryStorage(
      (storage) => storage.getItem(key),
      () => null,
    ),
  setItem: (key, value) =>
    tryStorage(
      (storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      },
      () => void memory.set(key, value),
    ),
  removeItem: (key) => {
    memory.delete(key);
    tryStorage(
      (storage) => storage.removeItem(key),
      () => undefined,
    );
  },
};

/** Accesses `localStorage`. Returns the result of `otherwise` if the access throws, as it does if the browser blocks site data. */
function tryStorage<Result>(work: (storage: Storage) => Result, otherwise: () => Result): Result {
  try {
    return work(window.localStorage);
  } catch {
    return otherwise();
  }
}
