import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pages } from '../../../contract/pages.ts';
import { textOf } from '../../platform/base/texts.ts';
import type { TestPages } from '../../trust/federation/broker/test-pages.ts';
import { testPaths, type Told } from '../../trust/federation/saml/test-provider.ts';
import { readCookies } from '../../platform/http/cookies.ts';
import { isCrossSite } from '../../platform/http/cross-site.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import type { Site } from '../../platform/http/site.ts';
import { sendLogoutQuestion } from './logout-question.ts';
import { sendPlainPage } from './send-plain-page.ts';

/** Registers the addresses of the test application. `http` is the scope that parses forms and handles `SamlError`. */
export function registerSamlIndex(http: FastifyInstance, site: Site, test: TestPages): void {
  http.get(testPaths.request, async (_request, reply) => reply.redirect(test.request(), 303));
  http.get(testPaths.logout, async (request, reply) => {
    if (isCrossSite(request, site)) return sendLogoutQuestion(request, reply, site, testPaths.logout);
    const next = await test.logout(readCookies(request, site.secureCookies).session);
    return next === null ? show(request, reply, 'prueba_sin_sesion', []) : reply.redirect(next, 303);
  });
  http.post(testPaths.consumer, async (request, reply) => {
    const fields = (request.body ?? {}) as Readonly<Record<string, string>>; // the parser of the scope returns strings
    return show(request, reply, 'prueba_respuesta', test.read(fields['SAMLResponse']));
  });
  http.get(testPaths.service, async (request, reply) => {
    const heard = test.hear(request.url.split('?').slice(1).join('?'));
    return 'next' in heard ? reply.redirect(heard.next, 303) : show(request, reply, 'prueba_salida', heard.told);
  });

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    code: 'prueba_respuesta' | 'prueba_salida' | 'prueba_sin_sesion',
    facts: Told,
  ): FastifyReply {
    const language = acceptedLanguage(request.headers['accept-language']);
    return sendPlainPage(reply, site, {
      language,
      title: textOf(code, language),
      text: textOf(`${code}_ayuda`, language),
      facts,
      links: [{ href: pages.samlIndex, text: textOf('volver', language) }],
    });
  }
}
