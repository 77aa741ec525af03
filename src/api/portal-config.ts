import type { Flags } from './flags.ts';

export type Language = 'es' | 'pt';

/** The portal's run-time configuration, delivered with every page. */
export interface PortalConfig {
  /** Origins of the two hosts; empty: the origin of the page. */
  readonly hosts: { readonly backend: string; readonly broker: string };
  readonly flags: Flags;
  readonly brand: { readonly product: string; readonly country: string };
  /** Where agents ask for the registration of their institution. */
  readonly supportMailbox: string;
  /** Where an agent who is signed in already is sent; empty: home. */
  readonly agentsHost: string;
  /** Origins that the redirect check lets through beside the page's own. */
  readonly redirectOrigins: readonly string[];
}
