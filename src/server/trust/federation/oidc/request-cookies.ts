import type Provider from 'oidc-provider';
import type { Configuration } from 'oidc-provider';
import { splitCookies } from '../../../platform/http/cookies.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import { oidcPaths } from './oidc-paths.ts';
import { createCookieSigner } from './provider-keys.ts';

function buildCookieNames(https: boolean) {
  const prefix = https ? '__Host-portal' : 'portal';
  return { session: `${prefix}-oidc`, interaction: `${prefix}-interaction`, resume: `${prefix}-resume` } as const;
}

function buildCookieAttributes(https: boolean) {
  return { httpOnly: true, secure: https, path: '/', sameSite: 'lax' } as const;
}

export function createOidcCookieSettings(
  https: boolean,
  vault: Pick<Vault, 'listDerivedKeys'>,
): NonNullable<Configuration['cookies']> {
  const short = { ...buildCookieAttributes(https), signed: true };
  return {
    keys: createCookieSigner(vault),
    names: buildCookieNames(https),
    long: { ...short, sameSite: https ? 'none' : 'lax' },
    short,
  };
}

/** Maximum number of pending requests per browser. A further request discards the oldest requests. */
const maxPending = 10;
/** Maximum number of discarded requests per response, because proxies limit the size of its headers. */
const maxDiscarded = 15;

/**
 * Replaces oidc-provider's cookie `resume` by one cookie per pending request, `resume-<uid>`, with the signature of the uid: oidc-provider tells its
 * cookies apart by path, but `__Host-` requires the path `/`. Discards the cookie `interaction`: pages refer to a request by its `process_state`.
 */
export function bindPendingRequestsToBrowser(
  provider: Provider,
  { https, lifeS }: { readonly https: boolean; readonly lifeS: number },
): void {
  const { resume, interaction } = buildCookieNames(https);
  const attributes = { ...buildCookieAttributes(https), signed: false };
  const prefix = `${resume}-`;
  const isReplaced = (pair: string): boolean =>
    [resume, interaction].some((name) => pair.startsWith(`${name}=`) || pair.startsWith(`${name}.sig=`));
  provider.use(async (ctx, next) => {
    if (!ctx.path.startsWith(oidcPaths.authorize)) return next();
    const { headers } = ctx.req;
    const sent = splitCookies(headers.cookie ?? '').filter((pair) => !isReplaced(pair));
    const uid = /^\/([\w-]{43})$/.exec(ctx.path.slice(oidcPaths.authorize.length))?.[1];
    const own = sent.find((pair) => pair.startsWith(`${prefix}${uid}=`));
    const signature = own?.slice(`${prefix}${uid}=`.length);
    const translated = own === undefined ? [] : [`${resume}=${uid}`, `${resume}.sig=${signature}`];
    headers.cookie = [...translated, ...sent].join('; ');
    await next();
    const set = [ctx.response.headers['set-cookie'] ?? []].flat();
    const read = (name: string): string | undefined =>
      set
        .findLast((line) => line.startsWith(`${name}=`))
        ?.slice(name.length + 1)
        .split(';')[0];
    const kept = set.filter((line) => !isReplaced(line));
    if (kept.length === set.length) return;
    ctx.set('set-cookie', kept);
    const started = read(resume) ?? ''; // empty if the request has ended
    const pending = sent.flatMap((pair) =>
      pair.startsWith(prefix) && pair !== own ? pair.split('=').slice(0, 1) : [],
    );
    const discarded =
      started === '' ? [] : pending.slice(0, Math.min(maxDiscarded, Math.max(0, pending.length - maxPending + 1))); // discards the oldest cookies, which browsers send first (RFC 6265, section 5.4)
    const ended = own !== undefined && read(resume) !== undefined ? [`${prefix}${uid}`] : [];
    for (const name of [...ended, ...discarded]) ctx.cookies.set(name, null, attributes);
    if (started !== '')
      ctx.cookies.set(`${prefix}${started}`, read(`${resume}.sig`), { ...attributes, maxAge: lifeS * 1000 });
  });
}
