import type { Config } from './config.ts';

export function offersCard({ card, flags }: Config): boolean {
  return card !== null && flags.ci_electronica;
}

export function offersProviders({ identityProviders }: Config): boolean {
  return identityProviders.some(({ federated }) => federated === false);
}

export function offersWallet({ wallet }: Config): boolean {
  return wallet !== null;
}

/** Whether the portal offers a sign-in method that reaches the assurance level Avanzado. */
export function offersAdvancedLevel(config: Config): boolean {
  return offersCard(config) || offersProviders(config) || offersWallet(config);
}
