import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brokerPages } from '../../../contract/contract.ts';
import { pages } from '../../../contract/pages.ts';
import { nullableText } from '../../../contract/shapes.ts';
import { OperationError, explain, findRefusalFacts, passFacts } from '../../platform/base/errors.ts';
import type { SharedText } from '../../platform/base/texts.ts';
import { providerPaths, type Fields, UpstreamRefused } from '../../trust/federation/upstream/adapter.ts';
import { samlBrowserLifeS } from '../../trust/federation/saml/names.ts';
import { readCookies, writeCookies } from '../../platform/http/cookies.ts';
import { readForms, readQuery } from '../../platform/http/form-body.ts';
import { acceptedLanguage } from '../../platform/http/language.ts';
import { requestOrigin } from '../../platform/http/client-address.ts';
import type { Site } from '../../platform/http/site.ts';
import { randomSecret } from '../../platform/keys/secrets.ts';
import type { ProviderPages, ProviderStep } from '../../features/sign-in/by-provider.ts';
import { sendTextPage, sendFormPage } from './send-plain-page.ts';

/** Maximum size of a form in bytes. */
const formLimit = 256 * 1024;

/**
 * Registers the addresses for sign-in at identity providers. After a rejected response, the user gets a page with the request's id, and the log
 * has the reason.
 */
export async function registerProviders(
  http: FastifyInstance,
  { site, providers, later }: { site: Site; providers: ProviderPages; later: (work: () => Promise<void>) => void },
): Promise<void> {
  await http.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof OperationError) explain(request.raw, { ...findRefusalFacts(error), code: error.code });
      if (error instanceof UpstreamRefused) return refuse(request, reply, site, error);
      if (error instanceof OperationError && error.status === 429) return sayLater(request, reply, site, error);
      if (error instanceof OperationError && error.code === 'sesion_de_otra_persona') {
        const language = acceptedLanguage(request.headers['accept-language']);
        const written = site.texts(error.code, language, { id: request.id });
        return sayWrong(request, reply.code(400), site, { written }, [pages.logout, 'ir_a_cerrar_sesion']);
      }
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      if (status >= 400 && status < 500) return refuse(request, reply, site, new UpstreamRefused(String(error))); // the body is not a form, or is too large
      throw error;
    });
    scope.get(brokerPages.providerLogin, async (request, reply) => {
      const { idp = '', process_state: processState, redirectUrl } = readQuery(request);
      const { saml: browser = randomSecret(), session } = readCookies(request, site.secureCookies);
      const [process_state, redirect_url] = [processState, redirectUrl].map((text = '') =>
        text === '' || text.length > nullableText.maxLength ? null : text,
      );
      const destination = { process_state: process_state ?? null, redirect_url: redirect_url ?? null };
      const crossSite = request.headers['sec-fetch-site'] === 'cross-site';
      const origin = requestOrigin(request);
      const step = await providers.begin({ idp, destination, browser, session, origin, crossSite });
      writeCookies(reply, { saml: { value: browser, maxAge: samlBrowserLifeS } }, site.secureCookies);
      passFacts(step, request.raw);
      return reply.redirect(step.location, 303);
    });
    scope.get<{ Params: { idp: string } }>(providerPaths.callback, async (request, reply) => {
      const url = new URL(request.url, site.origin);
      const step = await providers.receive({
        idp: request.params.idp,
        state: url.searchParams.getAll('state').length === 1 ? (url.searchParams.get('state') ?? '') : '',
        answer: { binding: 'query', url },
        cookies: readCookies(request, site.secureCookies),
        origin: requestOrigin(request),
      });
      return go(request, reply, step);
    });
    scope.get<{ Params: { idp: string } }>(providerPaths.metadata, async (request, reply) => {
      const metadata = providers.metadata(request.params.idp);
      if (metadata === null) throw new OperationError(404, 'no_encontrado');
      return reply.type('application/samlmetadata+xml; charset=utf-8').send(metadata);
    });
    await scope.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      readForms(forms, formLimit);
      forms.post<{ Params: { idp: string }; Body: Fields | undefined }>(
        providerPaths.consumer,
        async (request, reply) => {
          const fields = request.body ?? {};
          if (request.headers['sec-fetch-site'] === 'cross-site') return handOn(request, reply, site, fields);
          const step = await providers.receive({
            idp: request.params.idp,
            state: fields['RelayState'] ?? '',
            answer: { binding: 'form', fields },
            cookies: readCookies(request, site.secureCookies),
            origin: requestOrigin(request),
          });
          return go(request, reply, step);
        },
      );
    });
  });

  function go(request: FastifyRequest, reply: FastifyReply, step: ProviderStep): FastifyReply {
    const { location, cookies, after } = step;
    passFacts(step, request.raw);
    if (cookies !== undefined) writeCookies(reply, cookies, site.secureCookies);
    if (after !== undefined) later(after);
    return reply.redirect(location, 303);
  }
}

/**
 * Sends a page of the portal that submits the identity provider's response again. The session and device cookies are SameSite=Lax, so the browser
 * did not send them with the provider's form. The response is not parsed until it arrives with them.
 */
function handOn(request: FastifyRequest, reply: FastifyReply, site: Site, fields: Fields): FastifyReply {
  const { SAMLResponse = '', RelayState = '' } = fields;
  const action = new URL(new URL(request.url, site.origin).pathname, site.origin).href;
  return sendFormPage(request, reply, site, action, { SAMLResponse, RelayState });
}

function refuse(request: FastifyRequest, reply: FastifyReply, site: Site, error: UpstreamRefused): FastifyReply {
  explain(request.raw, { ...findRefusalFacts(error), code: 'provider-refused', reason: error.message });
  return sayWrong(request, reply.code(400), site, 'proveedor_invalido_ayuda');
}

function sayLater(request: FastifyRequest, reply: FastifyReply, site: Site, error: OperationError): FastifyReply {
  if (error.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(error.retryAfter)));
  return sayWrong(request, reply.code(429), site, 'proveedor_espera_ayuda');
}

function sayWrong(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
  text: SharedText | { readonly written: string },
  link: readonly [href: string, text: SharedText] = [pages.login, 'ingresar_de_otra_manera'],
): FastifyReply {
  return sendTextPage(request, reply, site, { title: 'proveedor_invalido', text, links: [link] });
}
