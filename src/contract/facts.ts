import { flagDefaults } from './flags.ts';

/** What rules may read of the citizen and the installation, in the browser and in the server's own verdict alike. */
export const sharedFacts = ['flags', 'passwordPolicy', 'user', 'authenticated'] as const;

/** What the browser alone knows: rules that the server judges by, too, may not read it. */
export const portalFacts = [
  'product',
  'supportMailbox',
  'inPersonUrl',
  'identityProviders',
  'digitalSignature',
  'wallet',
  'signatureObstacle',
  'passkeys',
] as const;

/** What the server alone knows: rules of plugins may read it, and pass in the browser, which has it not. */
export const serverFacts = ['person'] as const;

/** The facts of the server's verdict. */
export type SharedFacts = Readonly<Record<(typeof sharedFacts)[number], unknown>> &
  Readonly<Partial<Record<(typeof serverFacts)[number], unknown>>>;
/** The facts of the browser. */
export type PortalFacts = SharedFacts & Readonly<Record<(typeof portalFacts)[number], unknown>>;

/** The facts as paths that rules are checked against: a flag by its name, anything else whole. */
export function factPaths(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (name === 'flags' ? Object.keys(flagDefaults).map((flag) => `flags.${flag}`) : name));
}
