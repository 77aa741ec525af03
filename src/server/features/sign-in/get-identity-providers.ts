import { OperationError } from '../../platform/base/errors.ts';
import type { Handler } from '../parts.ts';

/** Returns the configured identity providers. For an application's request, also its name, or a 410 if the request has ended. */
export const getIdentityProviders: Handler<'getIdentityProviders'> = async (
  { config, interactions, logos },
  { query },
) => {
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
            logo: (await logos.findLogoPath(logo)) ?? '',
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
