import type { StateStorage } from '../../domain/stored-state.ts';
import { Subject } from '../../engine/core/subject.ts';

/** State of the session with regard to its end. `idle` means inactivity, which the user can extend, and `limit` the absolute end. */
export type IdleState =
  | { readonly kind: 'quiet' }
  /** `leftS`: upper bound of the remaining time in seconds, one of `announcedS`. */
  | { readonly kind: 'warning'; readonly reason: 'idle' | 'limit'; readonly leftS: number }
  | { readonly kind: 'over' };

export interface IdleParts {
  readonly storage: StateStorage;
  readonly clock: () => Date;
  /** Returns the absolute end of the session in ms since 1970, or `Infinity` if it is unknown. Returns `null` if nobody is signed in. */
  readonly end: () => number | null;
  readonly idleMs: number;
  readonly warningMs: number;
  readonly onOver: () => void;
}

/** Storage key for the time of the last activity in any tab, in ms since 1970. */
const key = 'portal-activity';
const recordIntervalMs = 5_000;
/** Steps of the countdown, in seconds. Announcing every second would never let a screen reader finish. */
const announcedS = [20, 60, 120] as const;
const quiet: IdleState = { kind: 'quiet' };

/** Watches for the end of the session. Call `tick` every second and `hear` on the storage event. */
export class IdleWatch {
  readonly #parts: IdleParts;
  readonly #state = new Subject<IdleState>(quiet);
  readonly subscribe = this.#state.subscribe;
  #noted = 0;
  #ticked = 0;
  #dismissed = false;

  constructor(parts: IdleParts) {
    this.#parts = parts;
  }

  get state(): IdleState {
    return this.#state.value;
  }

  /** Records activity of the citizen. During the warning, only its button counts as activity. */
  recordActivity(): void {
    const now = this.#now();
    if (this.state.kind === 'quiet' && this.#parts.end() !== null && now - this.#noted >= recordIntervalMs)
      this.#note(now);
  }

  stay(): void {
    this.#note(this.#now());
    this.tick();
  }

  dismiss(): void {
    this.#dismissed = true;
    this.tick();
  }

  isActive(ms: number): boolean {
    return this.#now() - this.#last() < ms;
  }

  tick(): void {
    const end = this.#parts.end();
    if (end === null) return this.#forget();
    if (this.state.kind === 'over') return;
    if (this.#last() === 0) this.#note(this.#now()); // a session has just started
    this.#wake();
    const next = this.#standing(end);
    this.#set(next);
    if (next.kind === 'over') this.#parts.onOver();
  }

  hear(): void {
    this.tick();
  }

  /**
   * Shows the warning in a tab that slept through it, because its user had no chance to respond. Meanwhile the token is renewed. If the broker
   * refuses, the session ends at once.
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

  /** Returns the stored time of the last activity, or that of this tab if storage is unavailable. */
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
      // without storage, only this tab has the time
    }
  }

  #now(): number {
    return this.#parts.clock().getTime();
  }

  #set(next: IdleState): void {
    if (JSON.stringify(next) !== JSON.stringify(this.state)) this.#state.set(next);
  }
}
