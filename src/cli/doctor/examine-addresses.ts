import type { Kysely } from 'kysely';
import type { Config } from '../../server/platform/config/config.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import { isWithin } from '../../server/platform/base/addresses.ts';
import { doubtful, type Finding } from './finding.ts';

/** Latest rows of the audit log that are compared, and how many of them are enough to judge by. */
const rows = { most: 300, least: 30 };

/** Looks in the audit log for a proxy that hides the addresses of clients. */
export async function examineAddresses(
  db: Kysely<Database>,
  { proxies, loopback }: Pick<Config, 'proxies' | 'loopback'>,
): Promise<readonly Finding[]> {
  if (loopback) return [];
  const found = await db
    .selectFrom('audit')
    .select('address')
    .where('address', '<>', '')
    .orderBy('seq', 'desc')
    .limit(rows.most)
    .execute();
  if (found.length < rows.least) return [];
  const shared =
    'Citizens share their limits of tries: have the proxy send X-Forwarded-For, and name it in TRUST_PROXY.';
  const ofProxy = found.filter(({ address }) => Array.isArray(proxies) && isWithin(address, proxies)).length;
  if (ofProxy * 2 > found.length)
    return [
      doubtful(`addresses: most of what the audit log recorded last came from the address of the proxy. ${shared}`),
    ];
  const [first] = found;
  if (found.some(({ address }) => address !== first?.address)) return [];
  return [
    doubtful(
      `addresses: the last ${found.length} rows of the audit log came from one address, ${first?.address}. If it is a proxy: ${shared}`,
    ),
  ];
}
