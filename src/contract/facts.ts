import { isObject } from '../engine/core/json.ts';
import { flagDefaults } from './flags.ts';

/** What rules may read of the citizen and the installation, in the browser and in the server's own verdict alike. */
export const sharedFacts = ['flags', 'passwordPolicy', 'user', 'authenticated'] as const;

/** What the browser alone knows: rules that the server runs as well may not read it. */
export const portalFacts = [
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
] as const;

/**
 * What rules of plugins alone may read. `person`: names, document and e-mail of who is signed in, in browser and server. `linkOwner`: the same
 * of whom a mailed link belongs to; the browser never learns it, and the rule passes there.
 */
export const ruleFacts = ['person', 'linkOwner'] as const;

/** The person of a citizen's record as the operations answer it; null: nobody is signed in. */
export function personOfRecord(user: unknown): Readonly<Record<string, string>> | null {
  if (!isObject(user)) return null;
  const account = isObject(user['user']) ? user['user'] : {};
  const facts = { ...Object.fromEntries(personFields.map((name) => [name, user[name]])), email: account['email'] };
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const personFields = [
  'primer_nombre',
  'segundo_nombre',
  'primer_apellido',
  'segundo_apellido',
  'numero_documento',
] as const;

/** The facts of the server's verdict. */
export type SharedFacts = Readonly<Record<(typeof sharedFacts)[number], unknown>> &
  Readonly<Partial<Record<(typeof ruleFacts)[number], unknown>>>;
/** The facts of the browser. */
export type PortalFacts = SharedFacts & Readonly<Record<(typeof portalFacts)[number], unknown>>;

/** The facts as paths that rules are checked against: a flag by its name, anything else whole. */
export function factPaths(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (name === 'flags' ? Object.keys(flagDefaults).map((flag) => `flags.${flag}`) : name));
}
