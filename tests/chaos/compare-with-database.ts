import { verify } from '@node-rs/argon2';
import type { DatabaseStore } from '../../src/server/platform/database/open-store.ts';
import type { CitizenAction, ResponseLog, Finding, Person } from './response-log.ts';

/**
 * Maximum number of deliveries of a mail. A worker that crashes cannot know whether the mail server accepted the mail,
 * so it is sent again.
 */
const maxDeliveries = 2;

/**
 * Compares the response log with the database. `deliveries` has the number of deliveries of each mail, by its
 * Message-ID without the host.
 */
export async function compareWithDatabase(
  { people, acts }: Pick<ResponseLog, 'people' | 'acts'>,
  { db }: DatabaseStore,
  deliveries: ReadonlyMap<string, number>,
): Promise<readonly Finding[]> {
  const citizens = await db
    .selectFrom('citizens')
    .leftJoin('credentials', 'credentials.citizen_id', 'citizens.id')
    .select(['citizens.id', 'number', 'email', 'active_at', 'password_hash'])
    .execute();
  const byNumber = groupBy(citizens, ({ number }) => number);
  const audited = new Map<string, number>();
  for (const { action, citizen_id } of await db.selectFrom('audit').select(['action', 'citizen_id']).execute()) {
    const key = `${action} ${citizen_id}`;
    audited.set(key, (audited.get(key) ?? 0) + 1);
  }
  const consents = await db.selectFrom('consents').select('citizen_id').execute();
  const calls = await db.selectFrom('video_calls').select(['id', 'citizen_id', 'starts_at', 'place', 'kind']).execute();
  const mails = await db.selectFrom('outbox').select(['id', 'citizen_id', 'sent_at', 'created_at']).execute();

  const findings: Finding[] = [];
  const actsOf = groupBy(acts, ({ person }) => person);
  for (const person of people) {
    const own = actsOf.get(person) ?? [];
    const find = (kind: Finding['kind'], what: string): void =>
      void findings.push({ kind, at: own[0]?.began ?? 0, what: `${what} of ${person.number}` });
    const [citizen, ...others] = byNumber.get(person.number) ?? [];
    if (others.length > 0) find('twice', 'the account');
    if (citizen === undefined) {
      if (isDone(own, 'register')) find('lost', 'the account');
      continue;
    }
    if (isDone(own, 'activate') && citizen.active_at === null) find('lost', 'the activation');
    if (!person.emails.includes(citizen.email ?? '')) find('lost', 'the e-mail address');
    if (!(await isOneOfPasswords(person, citizen.password_hash))) find('lost', 'the password');
    if (isDone(own, 'consent-given') && !consents.some((row) => row.citizen_id === citizen.id))
      find('lost', 'the consent');
    const booked = calls.filter((row) => row.citizen_id === citizen.id).length;
    if (booked > own.filter(({ action }) => action === 'support-call-book').length) find('twice', 'the call');
    if (isDone(own, 'support-call-book') && booked === 0) find('lost', 'the call');
    if (isDone(own, 'register') && !mails.some((row) => row.citizen_id === citizen.id)) find('lost', 'every mail');
    for (const [action, same] of groupBy(own, (act) => act.action)) {
      const rows = audited.get(`${action} ${citizen.id}`) ?? 0;
      const least = same.filter(({ acknowledged }) => acknowledged).length;
      const most = same.reduce((sum, { once, attempts }) => sum + (once ? Math.min(attempts, 1) : attempts), 0);
      if (rows < least) find('lost', `${action} (${rows} of ${least} in the audit log)`);
      if (rows > most) find('twice', `${action} (${rows} for ${most} in the audit log)`);
    }
  }
  const held = calls.filter(({ place }) => place !== null);
  for (const [place, { length }] of groupBy(held, (row) => `${row.kind} ${row.starts_at.toISOString()} ${row.place}`))
    if (length > 1) findings.push({ kind: 'twice', at: 0, what: `the place ${place}` });
  for (const { id, sent_at, created_at } of mails) {
    const arrived = deliveries.get(`outbox-${id}`) ?? 0;
    const at = created_at.getTime();
    if (sent_at !== null && arrived === 0) findings.push({ kind: 'lost', at, what: `mail ${id}, marked as sent` });
    if (sent_at === null) findings.push({ kind: 'lost', at, what: `mail ${id}, never sent` });
    if (arrived > maxDeliveries) findings.push({ kind: 'twice', at, what: `mail ${id}, ${arrived} times` });
  }
  return findings;
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function isDone(acts: readonly CitizenAction[], name: string): boolean {
  return acts.some(({ action, acknowledged }) => action === name && acknowledged);
}

async function isOneOfPasswords({ passwords }: Person, hash: string | null): Promise<boolean> {
  for (const password of passwords) if (hash !== null && (await verify(hash, password))) return true;
  return false;
}
