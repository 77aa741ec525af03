import type { FastifyReply, FastifyRequest } from 'fastify';
import { textOf } from '../../platform/base/texts.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import { sendPlainPage } from './send-plain-page.ts';
import type { Site } from '../../platform/http/site.ts';

/** Asks the citizen whether to sign out, because another site may have caused the request. `target` is the portal's logout. */
export function sendLogoutQuestion(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  target: string,
): FastifyReply {
  const language = acceptedLanguage(request.headers['accept-language']);
  return sendPlainPage(reply, site, {
    language,
    title: textOf('salir_pregunta', language),
    text: textOf('salir_explicacion', language),
    links: [
      { href: target, text: textOf('salir_confirmar', language) },
      { href: '/', text: textOf('volver_al_inicio', language) },
    ],
  });
}
