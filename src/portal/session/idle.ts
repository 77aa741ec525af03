import type { StateStorage } from '../../domain/stored-state.ts';

/** How a session stands towards its end: `idle` ends for want of activity and can go on, `limit` ends whatever the citizen does. */
export type IdleState =
  | { readonly kind: 'quiet' }
  /** `leftS`: the session ends in less than so many seconds, one of `announcedS`. */
  | { readonly kind: 'warning'; readonly reason: 'idle' | 'limit'; readonly leftS: number }
  | { readonly kind: 'over' };

/** What the watch needs of the browser and of the session. */
export interface IdleParts {
  readonly storage: StateStorage;
  readonly clock: () => Date;
  /** The end of the session that no activity puts off, in ms since 1970 (infinite: not known); null: nobody is signed in. */
  readonly end: () => number | null;
  /** How long a session lives without activity. */
  readonly idleMs: number;
  /** How long before the end it is warned of. */
  readonly warningMs: number;
  /** The session is over. */
  readonly onOver: () => void;
}

/** When the citizen last did something in any tab, in ms since 1970: shared by storage, which also a tab that slept reads before it decides. */
const key = 'portal-activity';
const noteEveryMs = 5_000;
/** What a countdown tells, in seconds: not each second, which would never let a screen reader finish. */
const announcedS = [20, 60, 120] as const;
const quiet: IdleState = { kind: 'quiet' };

/** Watches over the end of the session of a page; `tick` is to be called each second, `hear` at the storage event. */
export class IdleWatch {
  readonly #parts: IdleParts;
  readonly #listeners = new Set<() => void>();
  #state: IdleState = quiet;
  #noted = 0;
  #ticked = 0;
  #dismissed = false;

  constructor(parts: IdleParts) {
    this.#parts = parts;
  }

  get state(): IdleState {
    return this.#state;
  }

  /** Calls `listener` at each change; answers the way to stop. An own property, so that React keeps one subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** The citizen did something. Once the end is warned of, only an answer to the warning counts. */
  noteActivity(): void {
    const now = this.#now();
    if (this.#state.kind === 'quiet' && this.#parts.end() !== null && now - this.#noted >= noteEveryMs) this.#note(now);
  }

  /** The citizen wants to go on: the time without activity starts anew, in every tab. */
  stay(): void {
    this.#note(this.#now());
    this.tick();
  }

  /** The citizen has read that the limit comes. */
  dismiss(): void {
    this.#dismissed = true;
    this.tick();
  }

  /** Whether the citizen did something, in any tab, within the last `ms`. */
  isActive(ms: number): boolean {
    return this.#now() - this.#last() < ms;
  }

  tick(): void {
    const end = this.#parts.end();
    if (end === null) return this.#forget();
    if (this.#state.kind === 'over') return;
    if (this.#last() === 0) this.#note(this.#now()); // a session has just begun
    this.#wake();
    const next = this.#standing(end);
    this.#set(next);
    if (next.kind === 'over') this.#parts.onOver();
  }

  hear(): void {
    this.tick();
  }

  /**
   * A tab that slept through the warning gives it when it wakes: its citizen was not asked, and the broker may have seen them elsewhere.
   * The broker is asked meanwhile, and its refusal ends the session at once.
   */
  #wake(): void {
    const { idleMs, warningMs } = this.#parts;
    const now = this.#now();
    const slept = now - this.#ticked >= warningMs;
    this.#ticked = now;
    if (slept && this.#last() + idleMs <= now) this.#note(now - idleMs + warningMs);
  }

  #standing(end: number): IdleState {
    const { idleMs, warningMs } = this.#parts;
    const idleEnd = this.#last() + idleMs;
    const left = Math.min(idleEnd, end) - this.#now();
    if (left <= 0) return { kind: 'over' };
    const reason = end <= idleEnd ? 'limit' : 'idle';
    if (left > warningMs || (reason === 'limit' && this.#dismissed)) return quiet;
    return {
      kind: 'warning',
      reason,
      leftS: announcedS.find((seconds) => left <= seconds * 1000) ?? Math.ceil(left / 1000),
    };
  }

  #forget(): void {
    if (this.#last() !== 0) this.#write(null);
    this.#noted = 0;
    this.#dismissed = false;
    this.#set(quiet);
  }

  #note(now: number): void {
    this.#noted = now;
    this.#write(String(now));
  }

  /** What is stored, or what this tab noted where the browser stores nothing. */
  #last(): number {
    const stored = Number(this.#read());
    return Number.isFinite(stored) ? Math.max(stored, this.#noted) : this.#noted;
  }

  #read(): string | null {
    try {
      return this.#parts.storage.getItem(key);
    } catch {
      return null;
    }
  }

  #write(value: string | null): void {
    try {
      if (value === null) this.#parts.storage.removeItem(key);
      else this.#parts.storage.setItem(key, value);
    } catch {
      // nothing to do: this tab alone knows
    }
  }

  #now(): number {
    return this.#parts.clock().getTime();
  }

  #set(next: IdleState): void {
    const same = JSON.stringify(next) === JSON.stringify(this.#state);
    if (same) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}
