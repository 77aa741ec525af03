import type { StateStorage } from '../../domain/stored-state.ts';

const memory = new Map<string, string>();

/** What the browser keeps of this portal. Where it refuses (site data blocked, full), it is kept in memory, as long as the page lives. */
export const safeStorage: StateStorage = {
  getItem: (key) =>
    memory.get(key) ??
    attempt(
      (storage) => storage.getItem(key),
      () => null,
    ),
  setItem: (key, value) =>
    attempt(
      (storage) => {
        storage.setItem(key, value);
        memory.delete(key);
      },
      () => void memory.set(key, value),
    ),
  removeItem: (key) => {
    memory.delete(key);
    attempt(
      (storage) => storage.removeItem(key),
      () => undefined,
    );
  },
};

/** The mere mention of the storage throws where the browser blocks it. */
function attempt<Result>(work: (storage: Storage) => Result, otherwise: () => Result): Result {
  try {
    return work(window.localStorage);
  } catch {
    return otherwise();
  }
}
