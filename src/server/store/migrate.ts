import { Migrator, type Kysely } from 'kysely';
import { foundation } from './migrations/001-foundation.ts';
import { secondFactor } from './migrations/002-second-factor.ts';
import { oidc } from './migrations/003-oidc.ts';
import { account } from './migrations/004-account.ts';
import { signature } from './migrations/005-signature.ts';
import { passkeys } from './migrations/006-passkeys.ts';
import { sessions } from './migrations/007-sessions.ts';
import { messages } from './migrations/008-messages.ts';
import { documents } from './migrations/009-documents.ts';
import { keys } from './migrations/010-keys.ts';
import { mails } from './migrations/011-mails.ts';
import { actors } from './migrations/013-actors.ts';
import type { Database } from './schema.ts';

/** Every migration in order; a published one is never changed. */
const migrations = {
  '001-foundation': foundation,
  '002-second-factor': secondFactor,
  '003-oidc': oidc,
  '004-account': account,
  '005-signature': signature,
  '006-passkeys': passkeys,
  '007-sessions': sessions,
  '008-messages': messages,
  '009-documents': documents,
  '010-keys': keys,
  '011-mails': mails,
  '013-actors': actors,
};

/** Brings the tables up to date; the adapter's advisory lock lets one replica at a time do it. Throws what failed. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
