import type { Handler } from '../call.ts';
import type { Parts } from '../parts.ts';

/** The identity providers of the configuration, and whether card and account sign in beside them. */
export function getIdentityProviders({ config }: Parts): Handler<'getIdentityProviders'> {
  return async () => ({
    body: {
      idps: config.identityProviders.map((provider) => ({ ...provider })),
      ci_allowed: config.flags.ci_electronica,
      gub_uy_allowed: true,
    },
  });
}
