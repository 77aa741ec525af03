import type { Person } from './agree.ts';

/** Whoever holds an identity card, and what stands on the newest one. */
export interface CardHolder extends Person {
  /** YYYY-MM-DD. */
  readonly birthDate: string;
  /** Six letters and digits. */
  readonly serial: string;
}

/** The identity registry (DNIC): who holds a Uruguayan identity card. */
export interface Registry {
  /** Null when nobody holds that number; throws RegistryUnreachable when the registry cannot be asked. */
  find(number: string): Promise<CardHolder | null>;
}

/** The registry did not answer, or not in its own words. */
export class RegistryUnreachable extends Error {}
