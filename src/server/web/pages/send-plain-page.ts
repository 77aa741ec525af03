import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { plainPage } from '../../platform/http/html.ts';
import { formTargets, pagePolicy } from '../../platform/http/security-headers.ts';
import type { Site } from '../../platform/http/site.ts';

/** The set of pages that a request belongs to: the citizens' pages, the desk, or the entrance pages of a desk with its own host. */
export type Face = 'citizens' | 'desk' | 'entrance';

/** Sends a page of the server itself, under the content security policy of all pages. */
export function sendPlainPage(
  reply: FastifyReply,
  site: Site,
  page: Omit<Parameters<typeof plainPage>[0], 'nonce'>,
): FastifyReply {
  const nonce = newNonce();
  const frames = (page.frames ?? []).map((url) => new URL(url).origin);
  const forms = page.form === undefined ? {} : { forms: formTargets(page.form.action) };
  return reply
    .header('content-security-policy', pagePolicy({ nonce, hosts: connectHosts(site), frames, ...forms }))
    .type('text/html; charset=utf-8')
    .send(plainPage({ ...page, nonce }));
}

/** Returns the hosts that a page's operations are sent to. A desk with its own host serves the backend's operations itself. */
export function selectHosts({ portal: { hosts }, deskOrigin }: Site, face: Face): Site['portal']['hosts'] {
  return face === 'citizens' || deskOrigin === null ? hosts : { ...hosts, backend: '' };
}

/** Returns the hosts of operations that are cross-origin to the page. */
export function connectHosts(site: Site, face: Face = 'citizens'): readonly string[] {
  const { backend, broker } = selectHosts(site, face);
  const own = face === 'citizens' ? site.origin : (site.deskOrigin ?? site.origin);
  return [...new Set([backend, broker])].filter((host) => host !== '' && host !== own);
}

export function newNonce(): string {
  return randomBytes(18).toString('base64');
}
