import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActiveCitizen } from '../server/support/citizen-data.ts';
import { openTestServer, type TestServer } from '../server/support/test-server.ts';
import { ResponseLog } from './response-log.ts';
import { compareWithDatabase } from './compare-with-database.ts';
import { findErrorsOutsideFaults } from './errors-outside-faults.ts';

const password = 'una-frase-larga';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

let count = 0;

/** Creates a citizen with an activated account, and a response log that contains the registration. */
async function createRecordedCitizen() {
  const number = `K${(count += 1)}`;
  const id = await createActiveCitizen(server, number, password);
  const passwordHash = await hash(password);
  const { db } = server.parts.store;
  await db.updateTable('outbox').set({ sent_at: new Date() }).where('sent_at', 'is', null).execute();
  await db.updateTable('credentials').set({ password_hash: passwordHash }).where('citizen_id', '=', id).execute();
  const book = new ResponseLog();
  const person = book.person({
    country: 'ar',
    type: 'psp',
    number,
    emails: [`${number.toLowerCase()}@example.com`],
    passwords: [password],
  });
  for (const action of ['register', 'activate']) recordAction(book, person, action);
  return { id, book, person, db };
}

function recordAction(
  book: ResponseLog,
  person: ResponseLog['people'][number],
  action: string,
  { once = true, attempts = 1 } = {},
) {
  Object.assign(book.act(person, action, { once }), { attempts, acknowledged: true });
}

/** Returns the findings if each mail was delivered `times` times. */
async function findFindings(book: ResponseLog, times = 1): Promise<readonly string[]> {
  const mails = await server.parts.store.db.selectFrom('outbox').select('id').execute();
  const deliveries = new Map(mails.map(({ id }) => [`outbox-${id}`, times]));
  return (await compareWithDatabase(book, server.parts.store, deliveries)).map(({ kind, what }) => `${kind}: ${what}`);
}

test('[OPER-10] compareWithDatabase finds nothing if the database has every acknowledged change', async () => {
  const { book } = await createRecordedCitizen();
  expect(await findFindings(book)).toEqual([]);
  expect(await findFindings(book, 2)).toEqual([]); // allows a second delivery of a mail
});

test('[OPER-10] compareWithDatabase finds acknowledged changes that the database lost', async () => {
  const { id, book, person, db } = await createRecordedCitizen();
  for (const action of ['change-password', 'consent-given', 'support-call-book']) recordAction(book, person, action);
  Object.assign(person, { emails: ['otro@example.com'], passwords: ['otra-frase-larga'] });
  await db.updateTable('citizens').set({ active_at: null }).where('id', '=', id).execute();
  await db.deleteFrom('outbox').where('citizen_id', '=', id).execute();
  expect((await findFindings(book)).toSorted()).toEqual([
    `lost: change-password (0 of 1 in the audit log) of ${person.number}`,
    `lost: consent-given (0 of 1 in the audit log) of ${person.number}`,
    `lost: every mail of ${person.number}`,
    `lost: support-call-book (0 of 1 in the audit log) of ${person.number}`,
    `lost: the activation of ${person.number}`,
    `lost: the call of ${person.number}`,
    `lost: the consent of ${person.number}`,
    `lost: the e-mail address of ${person.number}`,
    `lost: the password of ${person.number}`,
  ]);
  await db.deleteFrom('citizens').where('id', '=', id).execute();
  expect(await findFindings(book)).toEqual([`lost: the account of ${person.number}`]);
});

test('[OPER-10] compareWithDatabase finds actions and mails that occurred twice, and sent mails that never arrived', async () => {
  const { id, book, person, db } = await createRecordedCitizen();
  const { seq: _, ...row } = await db
    .selectFrom('audit')
    .selectAll()
    .where('citizen_id', '=', id)
    .where('action', '=', 'activate')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('audit')
    .values({ ...row, writer: null, number: null, follows: null })
    .execute();
  expect(await findFindings(book)).toEqual([`twice: activate (2 for 1 in the audit log) of ${person.number}`]);
  const [mail] = await db.selectFrom('outbox').select('id').orderBy('id', 'desc').limit(1).execute();
  expect(await findFindings(new ResponseLog(), 3)).toContain(`twice: mail ${mail?.id}, 3 times`);
  expect(await findFindings(new ResponseLog(), 0)).toContain(`lost: mail ${mail?.id}, marked as sent`);
});

test('[OPER-10] findErrorsOutsideFaults finds requests that failed outside a fault, and ignores refused requests', () => {
  const fault = { name: 'kill', began: 10, ended: 20, note: null, recovered: 30 } as const;
  const at = (began: number, outcome: 'failed' | 'unreachable' | 'refused' | 'answered') => ({
    began,
    ended: began + 2,
    outcome,
    what: `${outcome} at ${began}`,
  });
  const requests = [
    ...[at(1, 'failed'), at(9, 'failed'), at(29, 'unreachable'), at(31, 'unreachable')],
    ...[at(1, 'refused'), at(31, 'answered')],
  ];
  const found = (recovered: number | null) =>
    findErrorsOutsideFaults({ requests }, [{ ...fault, recovered }]).map(({ what }) => what);
  expect(found(30)).toEqual(['failed at 1', 'unreachable at 31']);
  expect(found(null)).toEqual(['failed at 1']);
});
