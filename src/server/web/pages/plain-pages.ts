import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { getSharedText, type SharedTextCode } from '../../platform/base/texts.ts';
import { selectAcceptedLanguage } from '../../platform/http/request-language.ts';
import { createErrorPageHelp, renderPlainPage, type PlainPage } from '../../platform/http/plain-page.ts';
import { buildFormActionSources, buildPageCsp } from '../../platform/http/security-headers.ts';
import { samlPaths } from '../../trust/federation/saml/saml-constants.ts';
import type { SiteSettings } from '../../platform/http/site-settings.ts';

/** Users of a page: citizens, agents at the desk, or anybody at the entrance pages (to sign in and out) of a separate desk host. */
export type PageAudience = 'citizens' | 'desk' | 'entrance';

/** Without `links`, the page is an error page with a search field and links to the main pages. */
interface TextPageOptions extends Pick<PlainPage, 'frames' | 'facts'> {
  readonly title: SharedTextCode;
  readonly text: SharedTextCode | { readonly written: string };
  readonly links?: readonly (readonly [href: string, text: SharedTextCode])[];
  readonly form?: Omit<NonNullable<PlainPage['form']>, 'button'>;
}

/** Sends a page with a text, which may have a placeholder for the `id` of the request. */
export function sendTextPage(
  reply: FastifyReply,
  site: SiteSettings,
  { title, text, links, form, ...rest }: TextPageOptions,
) {
  const { id, headers } = reply.request;
  const language = selectAcceptedLanguage(headers['accept-language']);
  return sendPlainPage(reply, site, {
    ...rest,
    language,
    title: getSharedText(title, language),
    text: typeof text === 'string' ? getSharedText(text, language, { id }) : text.written,
    ...(links
      ? { links: links.map(([to, code]) => ({ href: to, text: getSharedText(code, language) })) }
      : createErrorPageHelp(language, site.portal.flags.ayuda)),
    ...(form && { form: { ...form, button: getSharedText('continuar', language) } }),
  });
}

/** Sends a page whose script immediately posts a form to another site. */
export function sendAutoSubmitFormPage(
  reply: FastifyReply,
  site: SiteSettings,
  action: string,
  fields: Readonly<Record<string, string>>,
) {
  const form = { action, fields, script: samlPaths.sendScript };
  return sendTextPage(reply, site, { title: 'redirigiendo', text: 'redirigiendo_ayuda', links: [], form });
}

function sendPlainPage(reply: FastifyReply, site: SiteSettings, page: Omit<PlainPage, 'nonce'>): FastifyReply {
  const nonce = generateCspNonce();
  const frames = (page.frames ?? []).map((url) => new URL(url).origin);
  const forms = page.form === undefined ? {} : { forms: buildFormActionSources(page.form.action) };
  return reply
    .header('content-security-policy', buildPageCsp({ nonce, hosts: listConnectSources(site), frames, ...forms }))
    .type('text/html; charset=utf-8')
    .send(renderPlainPage({ ...page, nonce }));
}

/** Returns the hosts of the operations. A separate desk host serves the backend's operations itself, so its pages call no other backend. */
export function listOperationHosts({ portal: { hosts }, deskOrigin }: SiteSettings, audience: PageAudience) {
  return audience === 'citizens' || deskOrigin === null ? hosts : { ...hosts, backend: '' };
}

/** Returns the origins of the operations that a page calls, for the CSP directive `connect-src`. Omits the page's own origin. */
export function listConnectSources(site: SiteSettings, audience: PageAudience = 'citizens'): readonly string[] {
  const { backend, broker } = listOperationHosts(site, audience);
  const own = audience === 'citizens' ? site.origin : (site.deskOrigin ?? site.origin);
  return [...new Set([backend, broker])].filter((host) => host !== '' && host !== own);
}

export function generateCspNonce(): string {
  return randomBytes(18).toString('base64');
}
