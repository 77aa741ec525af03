import type { FeatureFlags } from './flags.ts';

export const languages = ['es', 'pt'] as const;
export type Language = (typeof languages)[number];
/** Language of the definitions, and default language of the portal. */
export const baseLanguage: Language = 'es';

/** Pattern for new passwords, in addition to the rules of the screens. */
interface PasswordPolicy {
  /** The pattern as a regular expression, compiled with the `u` flag. */
  readonly pattern: string;
  /** Description of the pattern for citizens. If empty, they see a general message. */
  readonly text: string;
}

export interface Brand {
  readonly product: string;
  readonly country: string;
  /** Domain by which citizens recognize the genuine site. */
  readonly domain: string;
  /** Responsible institution. Name and URL are empty by default. */
  readonly institution: { readonly name: string; readonly url: string };
}

/** Service in person: URL of a list of offices, street address and opening hours. Pages omit empty values. */
interface InPersonService {
  readonly url: string;
  readonly address: string;
  readonly hours: string;
}

/** Run-time configuration, embedded in every page. */
export interface PortalConfig {
  /** Origins of backend and broker. An empty string means the page's own origin. */
  readonly hosts: { readonly backend: string; readonly broker: string };
  readonly flags: FeatureFlags;
  readonly brand: Brand;
  readonly identityProviders: boolean;
  /** Whether a digital signature can raise the assurance level. Requires a trusted certificate authority. */
  readonly digitalSignature: boolean;
  readonly wallet: boolean;
  /** Whether a sign-in method reaches the assurance level Avanzado. */
  readonly advancedLevel: boolean;
  readonly sessionIdleS: number;
  /** Mailbox for an institution's requests to register agents. */
  readonly supportMailbox: string;
  readonly contactAnswerDays: number;
  readonly inPerson: InPersonService;
  /** URL to which signed-in agents are redirected. Empty for the home page. */
  readonly agentsHost: string;
  readonly passwordPolicy: PasswordPolicy | null;
  readonly redirectOrigins: readonly string[];
}
