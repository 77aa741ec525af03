import type { Person } from './agree.ts';

/** The holder of an identity card, with the data of the latest card. */
export interface CardHolder extends Person {
  /** YYYY-MM-DD. */
  readonly birthDate: string;
  /** Six letters and digits. */
  readonly serial: string;
}

/** The identity registry (DNIC) of holders of Uruguayan identity cards. */
export interface Registry {
  /** Returns `null` if the number is not assigned. Throws `RegistryUnreachable` if the registry cannot be queried. */
  find(number: string): Promise<CardHolder | null>;
}

/** Thrown if the registry does not respond, or its response is invalid. */
export class RegistryUnreachable extends Error {}
