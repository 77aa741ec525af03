import type { FeatureFlags } from './feature-flags.ts';

export const languages = ['es', 'pt'] as const;
export type Language = (typeof languages)[number];
/** Language of the definitions, and default language of the portal. */
export const baseLanguage: Language = 'es';

export interface Brand {
  readonly product: string;
  readonly country: string;
  /** Domain by which citizens recognize the genuine site. */
  readonly domain: string;
  readonly institution: { readonly name: string; readonly url: string };
}

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
  /** Service in person: URL of a list of offices, street address and opening hours. Pages omit empty values. */
  readonly inPerson: { readonly url: string; readonly address: string; readonly hours: string };
  /** URL to which signed-in agents are redirected. Empty for the home page. */
  readonly agentsHost: string;
  /** Regular expression (flag `u`) for new passwords, and its description. If the description is empty, citizens see a general message. */
  readonly passwordPolicy: { readonly pattern: string; readonly text: string } | null;
  readonly redirectOrigins: readonly string[];
}
