import type { Clients } from '../clients/clients.ts';
import type { ServiceProviders } from './service-providers.ts';

/** A registered application of either protocol, as shown to citizens. */
export interface Application {
  readonly name: string;
  /** Scopes that it is registered for. Absent if it may request every scope. */
  readonly scopes?: readonly string[] | undefined;
  readonly website?: string | undefined;
  readonly terms?: string | undefined;
  readonly privacy?: string | undefined;
  readonly logo?: string | undefined;
}

export interface Applications {
  find(id: string): Promise<Application | null>;
}

export function createApplications(
  clients: Pick<Clients, 'find'>,
  providers: Pick<ServiceProviders, 'byId'>,
): Applications {
  return {
    find: async (id) => ((await clients.find(id)) ?? (await providers.byId(id)))?.registration ?? null,
  };
}
