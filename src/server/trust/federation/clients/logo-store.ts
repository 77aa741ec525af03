import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../platform/base/clock.ts';
import { sendOutboundRequest, type OutboundRequestOptions } from '../../../platform/http/outbound-fetch.ts';
import type { MalwareScanner } from '../../uploads/malware-scanner.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { ClientStore } from './client-store.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';

export interface StoredLogo {
  readonly type: string;
  readonly content: Buffer;
}

export type LogoStore = ReturnType<typeof createLogoStore>;

export const logoPathPrefix = '/logos/';

/** Fetches each logo once and stores it, so that browsers send no requests to other sites, and the logo cannot change after registration. */
export function createLogoStore(
  store: DatabaseStore,
  clock: Clock,
  {
    allowsPrivateTargets,
    scanner,
  }: Pick<OutboundRequestOptions, 'allowsPrivateTargets'> & { readonly scanner: MalwareScanner },
) {
  const fetchLogo = async (source: string): Promise<void> => {
    const { status, body } = await sendOutboundRequest(
      new URL(source),
      { method: 'GET', headers: { accept: 'image/png, image/webp, image/jpeg' }, maxBytes: 100 * 1024 },
      { limitMs: 5_000, allowsPrivateTargets },
    );
    if (status !== 200) throw new Error(`its address answers ${status}`);
    const type = detectImageType(body);
    if (type === null) throw new Error('it must be a PNG, WebP or JPEG picture');
    const malware = await scanner.scanFile(body, source);
    if (malware !== null) throw new Error(`it contains malware: ${malware}`);
    const row = {
      hash: createHash('sha256').update(body).digest('hex'),
      type,
      content: body.toString('base64'),
      fetched_at: clock.now(),
    };
    await store.db
      .insertInto('logos')
      .values({ source, ...row })
      .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
      .execute();
  };
  const findLogoPath = async (source = ''): Promise<string | null> => {
    if (/^\/(?![/\\])/.test(source)) return source;
    const row = await store.db.selectFrom('logos').select('hash').where('source', '=', source).executeTakeFirst();
    return row ? logoPathPrefix + row.hash : null;
  };
  return {
    take: fetchLogo,
    findLogoPath,
    async find(hash: string): Promise<StoredLogo | null> {
      const row = await store.db
        .selectFrom('logos')
        .select(['type', 'content'])
        .where('hash', '=', hash)
        .limit(1)
        .executeTakeFirst();
      return row ? { type: row.type, content: Buffer.from(row.content, 'base64') } : null;
    },
  };
}

interface LogoFetcherDependencies {
  readonly config: Pick<Config, 'identityProviders'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly logos: Pick<LogoStore, 'take' | 'findLogoPath'>;
  readonly oidc: { readonly clients: Pick<ClientStore, 'list'> };
  readonly saml: {
    readonly providers: { list(): Promise<readonly { readonly registration: { logo?: string | undefined } }[]> };
  };
}

/** Creates the job that fetches the missing logos of providers and applications. It logs each unusable logo only once. */
export function createLogoFetcher({ config, log, logos, oidc, saml }: LogoFetcherDependencies): () => Promise<void> {
  const logged = new Set<string>();
  return async () => {
    const sources = [
      ...config.identityProviders.map(({ logo }) => logo),
      ...(await oidc.clients.list()).map(({ logo = '' }) => logo),
      ...(await saml.providers.list()).map(({ registration: { logo = '' } }) => logo),
    ];
    for (const source of new Set(sources)) {
      if (source === '' || (await logos.findLogoPath(source)) !== null) continue;
      await logos.take(source).catch((error: unknown) => {
        if (!logged.has(source)) log.warn({ err: error, source }, 'a logo cannot be used: it is left out until it can');
        logged.add(source);
      });
    }
  };
}

/** Detects the type by the first bytes, not by `Content-Type`. Rejects SVG, which can contain scripts. */
function detectImageType(content: Buffer): string | null {
  const startsWithBytes = (hex: string, at = 0): boolean =>
    content.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (startsWithBytes('89504e470d0a1a0a')) return 'image/png';
  if (startsWithBytes('ffd8ff')) return 'image/jpeg';
  if (startsWithBytes('52494646') && startsWithBytes('57454250', 8)) return 'image/webp';
  return null;
}
