import { flagDefaults, type Flags } from '../../../contract/flags.ts';
import { isObject, type Values } from '../../../engine/core/json.ts';
import type { Persona, PersonaLevel } from '../../dev-data.ts';

/** Who walks, and in which portal. */
export interface Who {
  /** Null: nobody is signed in. */
  readonly persona: Persona | null;
  /** In the place of the persona's own; null: that one. */
  readonly level: PersonaLevel | null;
  readonly hasFactor: boolean;
  /** The password, or another proof, was given a moment ago. */
  readonly isProven: boolean;
  readonly flags: Flags;
  /** Facts beside these, which they replace. */
  readonly others: Values;
}

/** A guest of the portal as it is by default. */
export const guest: Who = {
  persona: null,
  level: null,
  hasFactor: false,
  isProven: false,
  flags: flagDefaults,
  others: {},
};

/** What a walk says of it; nothing of what is known in every walk anyway. */
export function factsOf({ persona, level, hasFactor, isProven, flags, others }: Who): Values {
  const changed = Object.keys(flagDefaults).some(
    (name) => flags[name as keyof Flags] !== flagDefaults[name as keyof Flags],
  ); // keys of flags
  const user = persona && {
    ...persona.user,
    ...level?.user,
    identidad_verificada: isProven,
    segundo_factor_pendiente: !hasFactor && (level?.demandsFactor ?? persona.user['segundo_factor_pendiente'] === true),
    ...(hasFactor && { acr: 'urn:iduruguay:nid:2' }),
  };
  return { ...(user && { user, authenticated: true }), ...(changed && { flags }), ...others };
}

/** The facts of a text of JSON; null where it is none. Nothing typed is no facts. */
export function readFacts(text: string): Values | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
