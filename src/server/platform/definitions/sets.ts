import { sql, type Selectable } from 'kysely';
import { announce, type News } from '../database/news.ts';
import type { Store } from '../database/open-store.ts';
import type { Database } from '../database/schema.ts';
import { digestOf, packSet, unpackSet, type SetFiles } from './set-files.ts';

/** What news of sets are told under. */
const topic = 'definitions';

/** Seconds after which a replica that said nothing is no longer listed. */
const replicaLifeS = 60;

type Row = Selectable<Database['definition_sets']>;

/** A set of definitions that came into service. */
export interface PlacedSet extends Pick<Row, 'digest' | 'version' | 'place' | 'told'> {
  readonly at: Date;
  /** Who put it in service. */
  readonly by: string;
}

/** Which set a replica serves. */
export interface ServingReplica {
  readonly name: string;
  readonly digest: string;
  /** As its own code compiled it. */
  readonly version: string;
  /** Why it does not take the set that it was told; null: it does. */
  readonly problem: string | null;
}

/** A set that comes into service. */
export interface GivenSet {
  readonly files: SetFiles;
  readonly version: string;
  readonly by: string;
}

const placed = ['digest', 'version', 'place', 'told', 'put_at as at', 'put_by as by'] as const;

/**
 * The sets of definitions that replicas of one database share. The later a set was put in service, the higher its place. A replica serves its own files
 * unless a set with a higher place than theirs is for all.
 */
export class DefinitionSets {
  readonly #db: Store['db'];
  readonly #news: News;

  constructor({ db, news }: Pick<Store, 'db' | 'news'>) {
    this.#db = db;
    this.#news = news;
  }

  /** The files of a replica that starts: they take a place if nobody knows them yet. No other replica takes them. */
  async arrive(set: GivenSet): Promise<void> {
    await this.#db
      .insertInto('definition_sets')
      .values(await rowOf(set, false))
      .onConflict((conflict) => conflict.column('digest').doUpdateSet({ used_at: sql<Date>`now()` }))
      .execute();
  }

  /** Puts a set in service on every replica. */
  async tell(set: GivenSet): Promise<void> {
    const { digest, files: _same, ...row } = await rowOf(set, true);
    await this.#db.transaction().execute(async (tx) => {
      await tx
        .insertInto('definition_sets')
        .values({ digest, files: _same, ...row })
        .onConflict((conflict) =>
          conflict.column('digest').doUpdateSet({ ...row, place: sql<number>`nextval('definition_set_places')` }),
        )
        .execute();
      await announce(tx, topic);
    });
  }

  /** The set that a replica with these files must serve instead of them; null: its files. */
  async toldTo(digest: string): Promise<PlacedSet | null> {
    const own = this.#db.selectFrom('definition_sets').select('place').where('digest', '=', digest);
    const told = await this.#db
      .selectFrom('definition_sets')
      .select(placed)
      .where('told', '=', true)
      .where(({ eb, fn }) => eb('place', '>', fn.coalesce(own, sql<number>`0`)))
      .orderBy('place', 'desc')
      .limit(1)
      .executeTakeFirst();
    return told ?? null;
  }

  /** Every set, the latest first. */
  list(): Promise<readonly PlacedSet[]> {
    return this.#db.selectFrom('definition_sets').select(placed).orderBy('place', 'desc').execute();
  }

  /** The files of a set. Throws an Error where there is no such set, or not what its digest says. */
  async files(digest: string): Promise<SetFiles> {
    const { files } = await this.#db
      .selectFrom('definition_sets')
      .select('files')
      .where('digest', '=', digest)
      .executeTakeFirstOrThrow();
    const set = await unpackSet(Buffer.from(files, 'base64'));
    if (digestOf(set) !== digest) throw new Error(`The stored set ${digest} is not what its digest says.`);
    return set;
  }

  /** Calls `listener` when a set is put in service for all; answers the way to stop. */
  hear(listener: () => void): Promise<() => void> {
    return this.#news.hear(topic, listener);
  }

  /** A replica says which set it serves, and that this one and that of its own files are in use. */
  async report(replica: ServingReplica, own: string): Promise<void> {
    const { name, ...rest } = replica;
    const row = { ...rest, seen_at: sql<Date>`now()` };
    await this.#db
      .insertInto('definition_replicas')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
    await this.#db
      .updateTable('definition_sets')
      .set({ used_at: sql<Date>`now()` })
      .where('digest', 'in', [replica.digest, own])
      .where('used_at', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }

  /** A replica stops. */
  async leave(name: string): Promise<void> {
    await this.#db.deleteFrom('definition_replicas').where('name', '=', name).execute();
  }

  /** The replicas that said lately which set they serve. */
  replicas(): Promise<readonly ServingReplica[]> {
    return this.#db
      .selectFrom('definition_replicas')
      .select(['name', 'digest', 'version', 'problem'])
      .where('seen_at', '>', sql<Date>`now() - ${replicaLifeS} * interval '1 second'`)
      .orderBy('name')
      .execute();
  }
}

async function rowOf({ files, version, by }: GivenSet, told: boolean) {
  const now = sql<Date>`now()`;
  return {
    digest: digestOf(files),
    version,
    files: (await packSet(files)).toString('base64'),
    told,
    put_at: now,
    put_by: by,
    used_at: now,
  };
}
