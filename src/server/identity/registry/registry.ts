import type { Person } from './agree.ts';

/** The identity registry (DNIC): who holds a Uruguayan identity card. */
export interface Registry {
  /** Null when nobody holds that number; throws RegistryUnreachable when the registry cannot be asked. */
  find(number: string): Promise<Person | null>;
}

/** The registry did not answer, or not in its own words. */
export class RegistryUnreachable extends Error {}
