import { asObject, isObject } from '../engine/core/json.ts';
import { featureFlagDefaults } from './feature-flags.ts';

export const sharedFactNames = ['flags', 'passwordPolicy', 'user', 'authenticated'] as const;

/** Facts that only the browser has. Rules that also run on the server may not read them. */
export const browserOnlyFactNames = [
  'document',
  'product',
  'supportMailbox',
  'contactAnswerDays',
  'inPersonUrl',
  'identityProviders',
  'digitalSignature',
  'wallet',
  'signatureObstacle',
  'passkeys',
  'carried',
  'language',
  'dates',
] as const;

/** Possible values of the fact `signatureObstacle`, besides `null`. */
export const signatureObstacles = ['mobile', 'inactive', 'email'] as const;

/** `person` is the signed-in citizen, `linkOwner` the owner of a mailed link. Only the server knows the owner, so rules that read it pass in the browser. */
export const pluginRuleFactNames = ['person', 'linkOwner'] as const;

export function toPersonFact(user: unknown): Readonly<Record<string, string>> | null {
  if (!isObject(user)) return null;
  const account = asObject(user['user']);
  const names = ['primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido', 'numero_documento'];
  return Object.fromEntries(
    [...names.map((name) => [name, user[name]]), ['email', account['email']]].filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

export type SharedFacts = Readonly<Record<(typeof sharedFactNames)[number], unknown>> &
  Readonly<Partial<Record<(typeof pluginRuleFactNames)[number], unknown>>>;
export type PortalFacts = SharedFacts & Readonly<Record<(typeof browserOnlyFactNames)[number], unknown>>;

/** Returns the paths under which rules read these facts: `flags.<name>` for each flag, and the name itself for every other fact. */
export function listFactPaths(names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    name === 'flags' ? Object.keys(featureFlagDefaults).map((flag) => `flags.${flag}`) : name,
  );
}
