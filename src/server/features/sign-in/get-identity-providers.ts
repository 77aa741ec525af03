import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Logos } from '../../trust/federation/clients/logos.ts';
import type { Interactions } from '../../trust/federation/clients/pending-request.ts';

interface Needs {
  readonly config: Config;
  readonly interactions: Pick<Interactions, 'find'>;
  readonly logos: Logos;
}

/**
 * The identity providers of the configuration, and whether card and account sign in beside them. Asked for the request of an
 * application, it tells whose that is, or by a 410 that it waits no longer.
 */
export function getIdentityProviders({ config, interactions, logos }: Needs): Handler<'getIdentityProviders'> {
  return async ({ query }) => {
    const { process_state: state } = query;
    const request = state ? await interactions.find(state) : null;
    if (state && request === null) throw new OperationError(410, 'solicitud_terminada');
    return {
      body: {
        idps: await Promise.all(
          config.identityProviders.map(
            async ({ identificador, nombre, descripcion, nivel_seguridad, logo, idioma, color }) => ({
              identificador,
              nombre,
              descripcion,
              nivel_seguridad,
              logo: (await logos.pathOf(logo)) ?? '',
              ...(idioma !== undefined && { idioma }),
              ...(color !== undefined && { color }),
            }),
          ),
        ),
        ci_allowed: config.flags.ci_electronica,
        gub_uy_allowed: true,
        ...(request !== null && { aplicacion: request.clientName }),
      },
    };
  };
}
