import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/base/clock.ts';
import { outwardSend, type OutwardOptions } from './outward-fetch.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { imageType } from './image-type.ts';

/** A picture that is served. */
export interface Logo {
  readonly type: string;
  readonly content: Buffer;
}

/**
 * The logos of applications and identity providers. They are fetched once, checked and stored, so that a citizen's browser asks nobody but us, and
 * who owns an address shows what was registered.
 */
export interface Logos {
  /** Fetches what stands at an address, in place of what was fetched before; throws an Error that says what is wrong with it. */
  take(source: string): Promise<void>;
  /** The same for addresses that were not fetched yet; `failed` is told of those that cannot be used. */
  takeMissing(sources: readonly string[], failed: (source: string, error: unknown) => void): Promise<void>;
  /** The path that a logo is served at; null: it was not fetched. A path of our own stays. */
  pathOf(source: string | undefined): Promise<string | null>;
  find(hash: string): Promise<Logo | null>;
}

/** Where logos are served, by the hash of their content. */
export const logoFolder = '/logos/';

const limitMs = 5_000;
const mostBytes = 100 * 1024;

/** Opens the table of logos. */
export function createLogos(store: Store, clock: Clock, { privateToo }: Pick<OutwardOptions, 'privateToo'>): Logos {
  const take = async (source: string): Promise<void> => {
    const { status, body } = await outwardSend(
      new URL(source),
      { method: 'GET', headers: { accept: 'image/png, image/webp, image/jpeg' }, mostBytes },
      { limitMs, privateToo },
    );
    if (status !== 200) throw new Error(`its address answers ${status}`);
    const type = imageType(body);
    if (type === null) throw new Error('it must be a PNG, WebP or JPEG picture');
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
  const pathOf: Logos['pathOf'] = async (source = '') => {
    if (isOwn(source)) return source;
    const row = await store.db.selectFrom('logos').select('hash').where('source', '=', source).executeTakeFirst();
    return row ? logoFolder + row.hash : null;
  };
  return {
    take,
    pathOf,
    async takeMissing(sources, failed) {
      await Promise.all(
        [...new Set(sources)]
          .filter((source) => source !== '')
          .map(async (source) => {
            if ((await pathOf(source)) === null) await take(source).catch((error: unknown) => failed(source, error));
          }),
      );
    },
    async find(hash) {
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

/** A path of this origin. */
function isOwn(source: string): boolean {
  return /^\/(?![/\\])/.test(source);
}
