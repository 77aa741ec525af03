import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { plainPage } from '../../platform/http/html.ts';
import { formTargets, pagePolicy } from '../../platform/http/security-headers.ts';
import type { Site } from '../../platform/http/site.ts';

/** What a request for a page is shown: the citizens' pages, the desk, or the ways into a desk on a host of its own. */
export type Face = 'citizens' | 'desk' | 'entrance';

/** Sends a page of the server itself under the pages' policy. */
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

/** The hosts that a page's operations are asked of: the desk's own answers those of the desk, and no other does. */
export function hostsOf({ portal: { hosts }, deskOrigin }: Site, face: Face): Site['portal']['hosts'] {
  return face === 'citizens' || deskOrigin === null ? hosts : { ...hosts, backend: '' };
}

/** Hosts of the operations that a page asks at another origin than its own. */
export function connectHosts(site: Site, face: Face = 'citizens'): readonly string[] {
  const { backend, broker } = hostsOf(site, face);
  const own = face === 'citizens' ? site.origin : (site.deskOrigin ?? site.origin);
  return [...new Set([backend, broker])].filter((host) => host !== '' && host !== own);
}

/** A nonce of a page's policy. */
export function newNonce(): string {
  return randomBytes(18).toString('base64');
}
