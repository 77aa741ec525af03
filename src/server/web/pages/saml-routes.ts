import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { buildHref } from '../../../contract/build-href.ts';
import { OperationError, addRefusalLogFacts, findRefusalLogFacts } from '../../platform/base/errors.ts';
import type { ReceivedSamlMessage } from '../../trust/federation/saml/authenticate-saml-message.ts';
import { samlCookieLifeS, samlPaths, SamlError } from '../../trust/federation/saml/saml-constants.ts';
import type { SamlEndpoints } from '../../trust/federation/broker/saml-endpoints.ts';
import type { SamlBrowserAction } from '../../trust/federation/saml/single-sign-on.ts';
import { getClientAddress, getChangeOrigin } from '../../platform/http/client-address.ts';
import { readPortalCookies, writeCookies } from '../../platform/http/cookies.ts';
import { addFormParser, readQueryParameters } from '../../platform/http/form-parser.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import { sendTextPage, sendAutoSubmitFormPage } from './plain-pages.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import {
  type TestServiceProviderEndpoints,
  testServiceProviderPaths,
  type ReceivedSamlAttributes,
} from '../../trust/federation/saml/test-service-provider.ts';
import { isCrossSiteNavigation } from '../../platform/http/cross-site-requests.ts';
import { sendLogoutConfirmationPage } from './logout-routes.ts';

/** Registers the SAML endpoints. After a rejected message, the user gets a page without the reason, which only the log has. */
export async function registerSamlRoutes(http: FastifyInstance, site: SiteSettings, saml: SamlEndpoints) {
  http.get(samlPaths.metadata, async (_request, reply) =>
    reply
      .type('application/samlmetadata+xml; charset=utf-8')
      .header('cache-control', 'max-age=3600')
      .send(await saml.metadata()),
  );
  http.get(samlPaths.sendScript, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send('document.forms[0].submit();\n'),
  );
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    addFormParser(scope, 256 * 1024); // a signed request with its certificate is many times smaller
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof OperationError)
        addRefusalLogFacts(request.raw, { ...findRefusalLogFacts(error), code: error.code });
      if (error instanceof OperationError && error.status === 429) {
        if (error.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfter)));
        return sendTextPage(reply.code(429), site, { title: 'saml_invalido', text: 'proveedor_espera_ayuda' });
      }
      if (error instanceof SamlError) return sendRejection(reply, site, error);
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      if (status >= 400 && status < 500) return sendRejection(reply, site, new SamlError(String(error))); // the body is not a form, or is too large
      throw error;
    });
    scope.get(samlPaths.ssoByRedirect, (request, reply) => receive(request, reply, toRedirectMessage(request, site)));
    scope.post(samlPaths.ssoByPost, (request, reply) => receive(request, reply, toPostMessage(request, site)));
    scope.get(samlPaths.sloByRedirect, (request, reply) => logOut(request, reply, toRedirectMessage(request, site)));
    scope.post(samlPaths.sloByPost, (request, reply) => logOut(request, reply, toPostMessage(request, site)));
    scope.get(samlPaths.logoutNext, async (request, reply) => {
      const processState = readQueryParameters(request)['process_state'] ?? '';
      const step = await saml.continueLogout(processState, readPortalCookies(request, site.secureCookies).saml);
      if (step === null) throw new SamlError('there is no such logout of this browser');
      return sendStep(reply, step);
    });
    if (saml.test !== null) registerSamlTestRoutes(scope, site, saml.test);
    scope.post<{ Body: Readonly<Record<string, string>> | undefined }>(samlPaths.send, async (request, reply) => {
      const { origin, 'sec-fetch-site': from } = request.headers;
      if ((origin !== undefined && !site.origins.includes(origin)) || (from !== undefined && from !== 'same-origin'))
        throw new SamlError('the response was posted from an unexpected origin');
      const { action = '', SAMLResponse = '', RelayState } = request.body ?? {};
      if (SAMLResponse === '' || !(await saml.isConsumer(action)))
        throw new SamlError('a response is for an address that is not in the metadata');
      const fields = { SAMLResponse, ...(RelayState !== undefined && { RelayState }) };
      return sendStep(reply, { kind: 'send', action, fields });
    });
    scope.get(samlPaths.send, async (request, reply) => {
      const { saml: browser, session } = readPortalCookies(request, site.secureCookies);
      const processState = readQueryParameters(request)['process_state'] ?? '';
      const address = getClientAddress(request);
      const step = await saml.continueRequest({ processState, browser, secret: session, address });
      if (step === null) throw new SamlError('there is no such request of this browser');
      return sendStep(reply, step);
    });
  });

  async function receive(request: FastifyRequest, reply: FastifyReply, samlMessage: ReceivedSamlMessage) {
    const browser = readPortalCookies(request, site.secureCookies).saml ?? generateSecret();
    const path = await saml.receiveRequest(samlMessage, { browser, address: getClientAddress(request) });
    writeCookies(reply, { saml: { value: browser, maxAge: samlCookieLifeS } }, site.secureCookies);
    return reply.redirect(path, 303);
  }

  async function logOut(request: FastifyRequest, reply: FastifyReply, samlMessage: ReceivedSamlMessage) {
    const cookies = readPortalCookies(request, site.secureCookies);
    const browser = cookies.saml ?? generateSecret();
    const origin = getChangeOrigin(request);
    const step = await saml
      .receiveLogout({ arrival: samlMessage, secret: cookies.session, browser, origin })
      .catch(async (error) => {
        const processState = readRelayState(samlMessage);
        const isOnItsWay = (await saml.logoutFrames(processState, cookies.saml)) !== null;
        if (!(error instanceof SamlError) || !isOnItsWay) throw error;
        return { error, processState };
      });
    if ('error' in step) return sendRejection(reply, site, step.error, step.processState);
    writeCookies(reply, { saml: { value: browser, maxAge: samlCookieLifeS } }, site.secureCookies);
    return sendStep(reply, step);
  }

  function sendStep(reply: FastifyReply, step: SamlBrowserAction) {
    if (step.kind === 'go') return reply.redirect(step.path, 303);
    return sendAutoSubmitFormPage(reply, site, step.action, step.fields);
  }
}

/** Returns the RelayState without verifying a signature, so it may only select a logout that the same browser started. */
function readRelayState(samlMessage: ReceivedSamlMessage): string {
  if (samlMessage.binding === 'post') return samlMessage.fields['RelayState'] ?? '';
  return new URLSearchParams(samlMessage.query).get('RelayState') ?? '';
}

function toRedirectMessage(request: FastifyRequest, site: SiteSettings): ReceivedSamlMessage {
  const [path = '', ...query] = request.url.split('?');
  return { binding: 'redirect', query: query.join('?'), destination: buildUrl(path, site) };
}

function toPostMessage(request: FastifyRequest, site: SiteSettings): ReceivedSamlMessage {
  const fields = (request.body ?? {}) as Readonly<Record<string, string>>; // the cast is safe: the scope's body parser returns strings
  return { binding: 'post', fields, destination: buildUrl(request.url.split('?', 1)[0] ?? '', site) };
}

function buildUrl(path: string, site: SiteSettings): string {
  return new URL(path.replace(/\/$/, ''), site.origin).href;
}

/**
 * Sends the error page for a rejected SAML message. With `processState`, the page has a link to continue the logout without this service provider.
 */
function sendRejection(reply: FastifyReply, site: SiteSettings, error: SamlError, processState?: string) {
  const facts = { ...findRefusalLogFacts(error), code: 'saml-refused', reason: error.message };
  addRefusalLogFacts(reply.request.raw, facts);
  const next = buildHref(samlPaths.logoutNext, { process_state: processState });
  return sendTextPage(reply.code(400), site, {
    title: 'saml_invalido',
    text: 'saml_invalido_ayuda',
    links: [...(processState === undefined ? [] : [[next, 'saml_seguir_cierre'] as const]), ['/', 'volver_al_inicio']],
  });
}

/** Registers the endpoints of the test service provider. `http` is the scope that parses forms and handles `SamlError`. */
function registerSamlTestRoutes(http: FastifyInstance, site: SiteSettings, test: TestServiceProviderEndpoints): void {
  http.get(testServiceProviderPaths.request, async (_request, reply) => reply.redirect(await test.request(), 303));
  http.get(testServiceProviderPaths.logout, async (request, reply) => {
    if (isCrossSiteNavigation(request, site))
      return sendLogoutConfirmationPage(reply, site, testServiceProviderPaths.logout);
    const next = await test.logout(readPortalCookies(request, site.secureCookies).session);
    return next === null ? showTestPage(reply, 'prueba_sin_sesion', []) : reply.redirect(next, 303);
  });
  http.post(testServiceProviderPaths.consumer, async (request, reply) => {
    const fields = (request.body ?? {}) as Readonly<Record<string, string>>; // the cast is safe: the scope's body parser returns strings
    return showTestPage(reply, 'prueba_respuesta', test.readResponse(fields['SAMLResponse']));
  });
  http.get(testServiceProviderPaths.service, async (request, reply) => {
    const heard = await test.receiveLogout(request.url.split('?').slice(1).join('?'));
    return 'next' in heard ? reply.redirect(heard.next, 303) : showTestPage(reply, 'prueba_salida', heard.received);
  });

  function showTestPage(
    reply: FastifyReply,
    code: 'prueba_respuesta' | 'prueba_salida' | 'prueba_sin_sesion',
    facts: ReceivedSamlAttributes,
  ) {
    const links = [[pagePaths.samlIndex, 'volver']] as const;
    return sendTextPage(reply, site, { title: code, text: `${code}_ayuda`, facts, links });
  }
}
