import type { FastifyInstance, FastifyReply } from 'fastify';
import { identityBrokerPaths } from '../../../contract/contract.ts';
import { pagePaths } from '../../../contract/page-paths.ts';
import { nullableInputTextSchema } from '../../../contract/schema-builders.ts';
import {
  OperationError,
  addRefusalLogFacts,
  findRefusalLogFacts,
  copyRefusalLogFacts,
} from '../../platform/base/errors.ts';
import type { SharedTextCode } from '../../platform/base/texts.ts';
import {
  identityProviderPaths,
  type PostedFormFields,
  UpstreamRefusedError,
} from '../../trust/federation/upstream/upstream-adapter.ts';
import { samlCookieLifeS } from '../../trust/federation/saml/saml-constants.ts';
import { readPortalCookies, writeCookies } from '../../platform/http/cookies.ts';
import { addFormParser, readQueryParameters } from '../../platform/http/form-parser.ts';
import { selectAcceptedLanguage } from '../../platform/http/request-language.ts';
import { getChangeOrigin } from '../../platform/http/client-address.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import type { ProviderEndpoints, ProviderSignInStep } from '../../features/sign-in/provider-endpoints.ts';
import { sendTextPage, sendAutoSubmitFormPage } from './plain-pages.ts';

/**
 * Registers the endpoints to which identity providers respond. After a rejected response, the user gets a page with the request's id, and only the
 * log has the reason.
 */
export async function registerProviderRoutes(
  http: FastifyInstance,
  site: SiteSettings,
  providers: ProviderEndpoints,
  later: (work: () => Promise<void>) => void,
): Promise<void> {
  await http.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof OperationError)
        addRefusalLogFacts(request.raw, { ...findRefusalLogFacts(error), code: error.code });
      if (error instanceof UpstreamRefusedError) return sendRejection(reply, site, error);
      if (error instanceof OperationError && error.status === 429) {
        if (error.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfter)));
        return sendErrorPage(reply.code(429), site, 'proveedor_espera_ayuda');
      }
      if (error instanceof OperationError && error.code === 'sesion_de_otra_persona') {
        const language = selectAcceptedLanguage(request.headers['accept-language']);
        const written = site.texts(error.code, language, { id: request.id });
        return sendErrorPage(reply.code(400), site, { written }, [pagePaths.logout, 'ir_a_cerrar_sesion']);
      }
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      if (status >= 400 && status < 500) return sendRejection(reply, site, new UpstreamRefusedError(String(error))); // the body is not a form, or is too large
      throw error;
    });
    scope.get(identityBrokerPaths.providerLogin, async (request, reply) => {
      const { idp = '', process_state: processState, redirectUrl } = readQueryParameters(request);
      const { saml: browser = generateSecret(), session } = readPortalCookies(request, site.secureCookies);
      const limit = (text = '') => (text === '' || text.length > nullableInputTextSchema.maxLength ? null : text);
      const destination = { process_state: limit(processState), redirect_url: limit(redirectUrl) };
      const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
      const origin = getChangeOrigin(request);
      const step = await providers.begin({ idp, destination, browser, session, origin, crossSite });
      writeCookies(reply, { saml: { value: browser, maxAge: samlCookieLifeS } }, site.secureCookies);
      copyRefusalLogFacts(step, request.raw);
      return reply.redirect(step.location, 303);
    });
    scope.get<{ Params: { idp: string } }>(identityProviderPaths.callback, async (request, reply) => {
      const url = new URL(request.url, site.origin);
      const step = await providers.receive({
        idp: request.params.idp,
        state: url.searchParams.getAll('state').length === 1 ? (url.searchParams.get('state') ?? '') : '',
        answer: { binding: 'query', url },
        cookies: readPortalCookies(request, site.secureCookies),
        origin: getChangeOrigin(request),
      });
      return sendStep(reply, step);
    });
    scope.get<{ Params: { idp: string } }>(identityProviderPaths.metadata, async (request, reply) => {
      const metadata = providers.metadata(request.params.idp);
      if (metadata === null) throw new OperationError(404, 'no_encontrado');
      return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata);
    });
    await scope.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      addFormParser(forms, 256 * 1024);
      forms.post<{ Params: { idp: string }; Body: PostedFormFields | undefined }>(
        identityProviderPaths.consumer,
        async (request, reply) => {
          const fields = request.body ?? {};
          if (request.headers['sec-fetch-site'] === 'cross-site') return sendRepostPage(reply, site, fields);
          const step = await providers.receive({
            idp: request.params.idp,
            state: fields['RelayState'] ?? '',
            answer: { binding: 'form', fields },
            cookies: readPortalCookies(request, site.secureCookies),
            origin: getChangeOrigin(request),
          });
          return sendStep(reply, step);
        },
      );
    });
  });

  function sendStep(reply: FastifyReply, step: ProviderSignInStep): FastifyReply {
    const { location, cookies, after } = step;
    copyRefusalLogFacts(step, reply.request.raw);
    if (cookies !== undefined) writeCookies(reply, cookies, site.secureCookies);
    if (after !== undefined) later(after);
    return reply.redirect(location, 303);
  }
}

/**
 * Submits the identity provider's response again. Browsers send no SameSite=Lax cookies with the provider's form. The second submission has the session
 * and device cookies, and only then is the response parsed.
 */
function sendRepostPage(reply: FastifyReply, site: SiteSettings, fields: PostedFormFields) {
  const { SAMLResponse = '', RelayState = '' } = fields;
  const action = new URL(new URL(reply.request.url, site.origin).pathname, site.origin).href;
  return sendAutoSubmitFormPage(reply, site, action, { SAMLResponse, RelayState });
}

function sendRejection(reply: FastifyReply, site: SiteSettings, error: UpstreamRefusedError) {
  const facts = { ...findRefusalLogFacts(error), code: 'provider-refused', reason: error.message };
  addRefusalLogFacts(reply.request.raw, facts);
  return sendErrorPage(reply.code(400), site, 'proveedor_invalido_ayuda');
}

function sendErrorPage(
  reply: FastifyReply,
  site: SiteSettings,
  text: SharedTextCode | { readonly written: string },
  link: readonly [href: string, text: SharedTextCode] = [pagePaths.login, 'ingresar_de_otra_manera'],
) {
  return sendTextPage(reply, site, { title: 'proveedor_invalido', text, links: [link] });
}
