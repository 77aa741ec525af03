import type { Clients } from '../clients/clients.ts';
import type { ServiceProviders } from './service-providers.ts';

/** An application in the citizen's eyes, whatever it speaks. */
export interface Application {
  readonly name: string;
  /** The scopes that it is registered for; absent: every one. */
  readonly scopes?: readonly string[] | undefined;
  readonly website?: string | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly logo?: string | undefined;
}

/** The registered applications of every protocol, by the id that consents know them by. */
export interface Applications {
  find(id: string): Promise<Application | null>;
}

/** The clients of OIDC and the service providers of SAML as one. */
export function createApplications(
  clients: Pick<Clients, 'find'>,
  providers: Pick<ServiceProviders, 'byId'>,
): Applications {
  return {
    find: async (id) => ((await clients.find(id)) ?? (await providers.byId(id)))?.registration ?? null,
  };
}
