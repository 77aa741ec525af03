import type { Flags } from './flags.ts';

/** The languages of the portal. */
export const languages = ['es', 'pt'] as const;
export type Language = (typeof languages)[number];
/** The language that definitions are written in, and of who asks for none of the others. */
export const baseLanguage: Language = 'es';

/** A pattern that new passwords must match, beside the rules of the screens. */
export interface PasswordPolicy {
  /** A regular expression, read with the `u` flag. */
  readonly pattern: string;
  /** What it asks for, as citizens read it; empty: a general message. */
  readonly text: string;
}

/** Who the portal belongs to. */
export interface Brand {
  readonly product: string;
  readonly country: string;
  /** The domain by which citizens tell the true site; empty: nothing is said of it. */
  readonly domain: string;
  /** Who answers for the portal; empty: nobody is named, or there is no page to link. */
  readonly institution: { readonly name: string; readonly url: string };
}

/** Where citizens are attended in person: a page of the points, an address and hours as they are read; empty: nothing is said. */
export interface InPerson {
  readonly url: string;
  readonly address: string;
  readonly hours: string;
}

/** The portal's run-time configuration, delivered with every page. */
export interface PortalConfig {
  /** Origins of the two hosts; empty: the origin of the page. */
  readonly hosts: { readonly backend: string; readonly broker: string };
  readonly flags: Flags;
  readonly brand: Brand;
  /** Whether citizens may sign in by providers beside the own account. */
  readonly identityProviders: boolean;
  /** Whether the level may be raised by a digital signature: some authority is trusted. */
  readonly digitalSignature: boolean;
  /** A digital wallet signs in. */
  readonly wallet: boolean;
  /** How long a session lives without activity, in seconds. */
  readonly sessionIdleS: number;
  /** Where agents ask for the registration of their institution. */
  readonly supportMailbox: string;
  /** In how many days a contact message is answered. */
  readonly contactAnswerDays: number;
  readonly inPerson: InPerson;
  /** Where an agent who is signed in already is sent; empty: home. */
  readonly agentsHost: string;
  /** Null: none. */
  readonly passwordPolicy: PasswordPolicy | null;
  /** Origins that the redirect check lets through beside the page's own. */
  readonly redirectOrigins: readonly string[];
}
