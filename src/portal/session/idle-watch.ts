import type { StateStorage } from '../../domain/stored-state.ts';
import { ObservableValue } from '../../engine/core/observable-value.ts';

/** `reason` is `idle` for an end that the user can postpone, `limit` for the absolute end. */
export type SessionExpiryState =
  | { readonly kind: 'quiet' }
  /** `leftS`: remaining time in seconds, rounded up to a value of `countdownStepsS`. */
  | { readonly kind: 'warning'; readonly reason: 'idle' | 'limit'; readonly leftS: number }
  | { readonly kind: 'over' };

export interface IdleWatchOptions {
  readonly storage: StateStorage;
  readonly clock: () => Date;
  /** Returns the absolute end of the session in milliseconds since 1970. Returns `Infinity` if it is unknown, or `null` if nobody is signed in. */
  readonly getSessionEnd: () => number | null;
  readonly idleMs: number;
  readonly warningMs: number;
  readonly onSessionOver: () => void;
}

/** Storage key for the last activity in any tab, in milliseconds since 1970. */
const storageKey = 'portal-activity';
const recordIntervalMs = 5_000;
/** Steps of the countdown, in seconds. With a step every second, a screen reader could not finish an announcement. */
const countdownStepsS = [20, 60, 120] as const;
const quiet: SessionExpiryState = { kind: 'quiet' };

/** Detects the end of the session. Call `tick` every second and `handleStorageEvent` on the storage event. */
export class IdleWatch {
  readonly #parts: IdleWatchOptions;
  readonly #state = new ObservableValue<SessionExpiryState>(quiet);
  readonly subscribe = this.#state.subscribe;
  #lastActivity = 0;
  #lastTick = 0;
  #dismissed = false;

  constructor(parts: IdleWatchOptions) {
    this.#parts = parts;
  }

  get state(): SessionExpiryState {
    return this.#state.value;
  }

  /** Records activity of the citizen. Ignored during the warning, in which only its button counts as activity. */
  recordActivity(): void {
    const now = this.#now();
    if (
      this.state.kind === 'quiet' &&
      this.#parts.getSessionEnd() !== null &&
      now - this.#lastActivity >= recordIntervalMs
    )
      this.#storeActivity(now);
  }

  extendSession(): void {
    this.#storeActivity(this.#now());
    this.checkExpiry();
  }

  dismiss(): void {
    this.#dismissed = true;
    this.checkExpiry();
  }

  isActive(ms: number): boolean {
    return this.#now() - this.#readLastActivity() < ms;
  }

  checkExpiry(): void {
    const end = this.#parts.getSessionEnd();
    if (end === null) return this.#reset();
    if (this.state.kind === 'over') return;
    if (this.#readLastActivity() === 0) this.#storeActivity(this.#now()); // a session without a recorded activity has just started
    this.#warnAfterSleep();
    const next = this.#computeState(end);
    this.#set(next);
    if (next.kind === 'over') this.#parts.onSessionOver();
  }

  handleStorageEvent(): void {
    this.checkExpiry();
  }

  /** In a tab that was asleep, warns instead of ending the session at once. Renews the token meanwhile. If the broker refuses, ends the session. */
  #warnAfterSleep(): void {
    const { idleMs, warningMs } = this.#parts;
    const now = this.#now();
    const slept = now - this.#lastTick >= warningMs;
    this.#lastTick = now;
    if (slept && this.#readLastActivity() + idleMs <= now) this.#storeActivity(now - idleMs + warningMs);
  }

  #computeState(end: number): SessionExpiryState {
    const { idleMs, warningMs } = this.#parts;
    const idleEnd = this.#readLastActivity() + idleMs;
    const remainingMs = Math.min(idleEnd, end) - this.#now();
    if (remainingMs <= 0) return { kind: 'over' };
    const reason = end <= idleEnd ? 'limit' : 'idle';
    if (remainingMs > warningMs || (reason === 'limit' && this.#dismissed)) return quiet;
    return {
      kind: 'warning',
      reason,
      leftS: countdownStepsS.find((seconds) => remainingMs <= seconds * 1000) ?? Math.ceil(remainingMs / 1000),
    };
  }

  #reset(): void {
    if (this.#readLastActivity() !== 0) this.#write(null);
    this.#lastActivity = 0;
    this.#dismissed = false;
    this.#set(quiet);
  }

  #storeActivity(now: number): void {
    this.#lastActivity = now;
    this.#write(String(now));
  }

  /** Returns the time of the last activity in any tab. Returns the time in this tab if storage is unavailable. */
  #readLastActivity(): number {
    const stored = Number(this.#read());
    return Number.isFinite(stored) ? Math.max(stored, this.#lastActivity) : this.#lastActivity;
  }

  #read(): string | null {
    try {
      return this.#parts.storage.getItem(storageKey);
    } catch {
      return null;
    }
  }

  #write(value: string | null): void {
    try {
      if (value === null) this.#parts.storage.removeItem(storageKey);
      else this.#parts.storage.setItem(storageKey, value);
    } catch {
      // without storage, only this tab has the time of the last activity
    }
  }

  #now(): number {
    return this.#parts.clock().getTime();
  }

  #set(next: SessionExpiryState): void {
    if (JSON.stringify(next) !== JSON.stringify(this.state)) this.#state.set(next);
  }
}
