import type { Config } from './config.ts';

export function offersCardSignIn({ card, flags }: Config): boolean {
  return card !== null && flags.ci_electronica;
}

export function offersProviderSignIn({ identityProviders }: Config): boolean {
  return identityProviders.some(({ federated }) => federated === false);
}

export function offersWalletSignIn({ wallet }: Config): boolean {
  return wallet !== null;
}

/** Whether the portal offers a sign-in method that reaches the assurance level Avanzado. */
export function offersAdvancedLevel(config: Config): boolean {
  return offersCardSignIn(config) || offersProviderSignIn(config) || offersWalletSignIn(config);
}
