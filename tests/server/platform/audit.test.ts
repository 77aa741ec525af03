import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AuditWriter } from '../../../src/server/platform/audit/audit-writer.ts';
import { runWithLease } from '../../../src/server/platform/jobs/lease.ts';
import { generateAuditKey, parseAuditKey, type AuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import {
  exportAuditLog,
  exportAuditInclusionProof,
  parseAuditExport,
} from '../../../src/server/platform/audit/export-audit.ts';
import { shipAuditBatches } from '../../../src/server/platform/audit/ship-audit.ts';
import {
  eraseAuditClientData,
  findLastAuditSeal,
  sealedAuditColumns,
  sealAuditRows,
} from '../../../src/server/platform/audit/seal-audit.ts';
import {
  isValidAuditInclusionProof,
  countUnsealedAuditRows,
  verifyAuditLog,
  verifySealedBatches,
  type AuditCheckpoint,
} from '../../../src/server/platform/audit/verify-audit.ts';
import { bothDatabases } from '../support/databases.ts';
import { createOrigin } from '../support/origin.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Properties of a request to the collector that the tests read. */
interface Sent {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly {
      readonly logRecords: readonly { readonly body: { readonly stringValue: string } }[];
    }[];
  }[];
}

describe.each(bothDatabases)('[OPER-02] audit log on %s', (database) => {
  let server: TestServer;
  let key: AuditKey;
  let writer: AuditWriter;
  beforeAll(async () => {
    server = await openTestServer({ database });
    key = server.parts.auditKeys[0];
  });
  beforeEach(() => {
    writer = new AuditWriter(key); // a new writer, so that its rows do not refer to those of another test
  });
  afterAll(() => server.close());

  const store = () => server.parts.store;
  const append = (action: string, at = server.clock.now()) =>
    writer.transaction(store(), (_tx, add) =>
      add(createOrigin(), { at, action, citizenId: null, details: { action } }),
    );
  const seal = (by = key) => sealAuditRows(store(), by, server.clock);
  const faults = (earlier?: AuditCheckpoint) => verifyAuditLog(store().db, { keys: [key], earlier });
  const rowsOf = async (number: number) =>
    (await store().db.selectFrom('audit').select('seq').where('seal', '=', number).orderBy('seq').execute()).map(
      ({ seq }) => seq,
    );
  /** Appends three rows and seals them. Returns the seal and the rows. */
  const sealThree = async () => {
    for (const action of ['one', 'two', 'three']) await append(action);
    await seal();
    const { number, hash } = (await findLastAuditSeal(store().db)) ?? expect.fail('no seal');
    const [first = 0, second = 0, third = 0] = await rowsOf(number);
    return { number, hash, first, second, third };
  };

  test('stores one row per parallel command, and orders the rows when it seals them', async () => {
    const before = await store().db.selectFrom('audit').select('seq').execute();
    await Promise.all(Array.from({ length: 20 }, (_, index) => append(`parallel-${index}`)));
    expect(await store().db.selectFrom('audit').select('seq').execute()).toHaveLength(before.length + 20);
    expect(await seal()).toBe(before.length + 20);
    expect(await seal()).toBe(0);
    expect(await faults()).toEqual([]);
  });

  test('[OPER-04] seals each row once if several replicas seal at the same time, with no gap in the seal numbers', async () => {
    for (let index = 0; index < 30; index += 1) await append(`shared-${index}`);
    const sealed = await Promise.all([seal(), seal(), seal()]);
    expect(sealed.reduce((sum, rows) => sum + rows, 0)).toBe(30);
    expect(await faults()).toEqual([]);
  });

  test('[ASVS-16.4.3] ships each seal with its rows to a collector, retries after a failure, and the shipped rows verify', async () => {
    const lines: string[] = [];
    const tokens = new Set<string | undefined>();
    let answer: readonly [status: number, body: string] = [503, ''];
    const collector = createServer(async (request, response) => {
      tokens.add(request.headers.authorization);
      const sent = (await json(request)) as Sent;
      const [records] = sent.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.map(({ logRecords }) => logRecords));
      if (answer[1] === '{}') lines.push(...(records ?? []).map(({ body }) => body.stringValue));
      response.writeHead(answer[0]).end(answer[1]);
    });
    await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
    const { port } = collector.address() as AddressInfo; // `address()` returns an `AddressInfo` for a server that listens on a port
    const plain = { prefix: 'AUDIT_SINK', roots: null, certificate: null };
    const ship = () =>
      shipAuditBatches(store(), {
        url: `http://127.0.0.1:${port}/v1/logs`,
        token: 'lo-que-sabe-el-portal',
        tls: plain,
      });
    await sealThree();
    await expect(ship()).rejects.toThrow(/refused seal 1: status 503/);
    answer = [200, '{"partialSuccess":{"rejectedLogRecords":"2"}}'];
    await expect(ship()).rejects.toThrow(/refused seal 1: status 200/);
    expect(await store().db.selectFrom('audit_shipments').selectAll().execute()).toEqual([]);
    answer = [200, '{}'];
    await ship();
    const before = lines.length;
    await ship();
    expect(lines, 'nothing is sent twice').toHaveLength(before);
    await sealThree();
    await ship();
    expect(lines).toHaveLength(before + 4);
    const position = await store().db.selectFrom('audit_shipments').select('number').executeTakeFirstOrThrow();
    await store().db.updateTable('audit_shipments').set({ number: 99 }).execute();
    await sealThree();
    await expect(ship(), 'the position was changed').rejects.toThrow('ends before seal 99');
    await store().db.updateTable('audit_shipments').set(position).execute();
    await ship();
    expect(lines).toHaveLength(before + 8);
    collector.close();
    collector.closeAllConnections();
    expect([...tokens]).toEqual(['Bearer lo-que-sabe-el-portal']);
    const file = [JSON.stringify({ keys: [key.publicJwk] }), ...lines];
    const { keys: trust, batches } = await parseAuditExport(from(file));
    const { faults: found } = await verifySealedBatches(batches, { trust });
    expect(found).toEqual([]);
  });

  test('verification reports a seal lease far in the future, and the next holder takes it over', async () => {
    const lease = (until: string) =>
      sql`insert into leases (name, until) values ('seal', now() + ${until}::interval)
        on conflict (name) do update set until = excluded.until`.execute(store().db);
    await lease('9 minutes');
    expect(await faults(), 'the lease of the current holder').toEqual([]);
    expect(await runWithLease(store(), 'seal', async () => void (await seal()))).toBe(false);
    await lease('1 year');
    expect(await faults()).toMatchObject([{ kind: 'lease' }]);
    await append('waits');
    expect(await runWithLease(store(), 'seal', async () => void (await seal()))).toBe(true);
    expect(await faults()).toEqual([]);
    expect(await countUnsealedAuditRows(store().db)).toEqual({ rows: 0, since: null });
  });

  test.each([
    { note: 'an update of a row', statement: `update audit set action = 'else'` },
    { note: 'the removal of a row from its seal', statement: 'update audit set seal = null, leaf = null' },
    { note: 'the deletion of a row', statement: 'delete from audit' },
    { note: 'the truncation of the table of rows', statement: 'truncate audit' },
    { note: 'an update of a seal', statement: `update audit_seals set root = ''` },
    { note: 'the deletion of a seal', statement: 'delete from audit_seals' },
    { note: 'the truncation of the table of seals', statement: 'truncate audit_seals' },
  ])('database triggers reject $note', async ({ statement }) => {
    await append('kept');
    await seal();
    await append('unsealed');
    await expect(sql.raw(statement).execute(store().db)).rejects.toThrow('append-only');
  });

  describe('verification after changes with the triggers disabled', () => {
    beforeEach(() => sql`alter table audit disable trigger user`.execute(store().db));
    beforeEach(() => sql`alter table audit_seals disable trigger user`.execute(store().db));
    afterEach(async () => {
      await sql`delete from audit`.execute(store().db);
      await sql`delete from audit_seals`.execute(store().db);
      await sql`alter table audit enable trigger user`.execute(store().db);
      await sql`alter table audit_seals enable trigger user`.execute(store().db);
    });

    test('reports a sealed row that was changed, and a row whose leaf hash was changed', async () => {
      const { number, second } = await sealThree();
      await sql`update audit set address = 'forged' where seq = ${second}`.execute(store().db);
      expect(await faults()).toEqual([{ kind: 'changed', row: second }]);
      await sql`update audit set leaf = ${'0'.repeat(64)} where seq = ${second}`.execute(store().db);
      expect(await faults()).toEqual([
        { kind: 'changed', row: second },
        { kind: 'rows', seal: number },
      ]);
    });

    test.each([...sealedAuditColumns])('reports a sealed row whose %s was changed', async (column) => {
      const { second } = await sealThree();
      const value = column === 'at' ? sql`at + interval '1 ms'` : sql`${'forged'}::text`;
      await sql`update audit set ${sql.ref(column)} = ${value} where seq = ${second}`.execute(store().db);
      expect(await faults()).toEqual([{ kind: 'changed', row: second }]);
    });

    test('[ASVS-14.2.7] accepts sealed rows whose old addresses and browsers were erased, and reports any other value in their columns', async () => {
      await sql`delete from audit`.execute(store().db);
      await sql`delete from audit_seals`.execute(store().db);
      const old = new Date('2026-01-05T12:00:00Z'); // in the past by the clock of the database, which the triggers use instead of the test's clock
      await append('first', old);
      await append('second', old);
      const before = new Date(old.getTime() + 1);
      expect(await eraseAuditClientData(store(), before), 'no sealed rows').toBe(0);
      await seal();
      await append('new');
      const rows = () => store().db.selectFrom('audit').selectAll().orderBy('seq').execute();
      const [, , late] = await rows();
      expect(late?.address).not.toBe('');
      expect(await eraseAuditClientData(store(), old), 'no rows older than the period').toBe(0);
      expect(await eraseAuditClientData(store(), before)).toBe(2);
      expect(await eraseAuditClientData(store(), before), 'already erased').toBe(0);
      const [erased, , kept] = await rows();
      expect(erased).toMatchObject({ address: '', user_agent: '', origin_salt: null, origin_hash: expect.any(String) });
      expect(kept).toEqual(late);
      expect(await faults()).toEqual([]);
      for (const change of [`address = '1.2.3.4'`, `user_agent = 'x'`, `origin_hash = 'x'`, `origin_salt = 'x'`]) {
        await sql`update audit set ${sql.raw(change)} where seq = ${erased?.seq}`.execute(store().db);
        expect(await faults(), change).toEqual([{ kind: 'changed', row: erased?.seq }]);
        await sql`update audit set address = '', user_agent = '', origin_salt = null, origin_hash = ${erased?.origin_hash} where seq = ${erased?.seq}`.execute(
          store().db,
        );
        expect(await faults()).toEqual([]);
      }
    });

    test('[ASVS-14.2.7] triggers reject the erasure of an address if the row is new or not sealed, or was erased before', async () => {
      const erase = `update audit set address = '', user_agent = '', origin_salt = null, origin_hash = 'x'`;
      await append('loose', new Date('2026-01-05T12:00:00Z'));
      await sql`alter table audit enable trigger user`.execute(store().db);
      await expect(sql.raw(erase).execute(store().db)).rejects.toThrow('append-only');
      await append('new', new Date());
      await seal();
      await expect(sql.raw(`${erase} where action = 'new'`).execute(store().db)).rejects.toThrow('append-only');
      await expect(sql.raw(`${erase}, details = '' where action = 'loose'`).execute(store().db)).rejects.toThrow(
        'append-only',
      );
      await expect(sql.raw(`${erase} where action = 'loose'`).execute(store().db), 'wrong hash').rejects.toThrow(
        'append-only',
      );
      expect(await eraseAuditClientData(store(), new Date('2026-01-06T12:00:00Z'))).toBe(1);
      await expect(
        sql`update audit set origin_hash = 'x' where action = 'loose'`.execute(store().db),
        'already erased',
      ).rejects.toThrow('append-only');
      await sql`alter table audit disable trigger user`.execute(store().db);
    });

    test('reports the seal of a missing row', async () => {
      const { number, third } = await sealThree();
      await sql`delete from audit where seq = ${third}`.execute(store().db);
      expect(await faults()).toEqual([{ kind: 'rows', seal: number }]);
      await sql`delete from audit`.execute(store().db);
      expect(await faults()).toEqual([{ kind: 'rows', seal: number }]);
    });

    test('reports a row added to an old seal, and a row under a seal that does not exist', async () => {
      const { number, first } = await sealThree();
      await append('slipped in');
      await sql`update audit set seal = ${number}, leaf = (select leaf from audit where seq = ${first}) where action = 'slipped in'`.execute(
        store().db,
      );
      expect((await faults()).map(({ kind }) => kind)).toEqual(['changed', 'rows']);
      await sql`update audit set seal = 99 where action = 'slipped in'`.execute(store().db);
      expect((await faults()).map(({ kind }) => kind)).toEqual(['stray']);
    });

    test('reports a row written more than ten minutes after its time, before and after it is sealed', async () => {
      await sealThree();
      const early = server.clock.now();
      server.clock.advance(601);
      await sealThree();
      server.clock.advance(10);
      await append('late', early);
      const [fault, ...others] = await faults();
      expect([fault?.kind, others]).toEqual(['late', []]);
      await seal();
      expect(await faults()).toEqual([fault]);
    });

    test('accepts a row whose command ran for just under ten minutes', async () => {
      const began = server.clock.now();
      server.clock.advance(599);
      await sealThree();
      await append('slow', began);
      await seal();
      expect(await faults()).toEqual([]);
    });

    test('splits 2,001 rows that waited a year over three seals, and reports only a late row inserted after them', async () => {
      const before = (await findLastAuditSeal(store().db))?.number ?? 0;
      const old = server.clock.now();
      await writer.transaction(store(), async (_tx, add) => {
        for (let row = 0; row < 2_001; row += 1) await add(createOrigin(), { at: old, action: 'old', citizenId: null });
      });
      server.clock.advance(365 * 24 * 3600);
      expect(await seal()).toBe(2_001);
      const seals = store().db.selectFrom('audit_seals').select('rows').where('number', '>', before).orderBy('number');
      expect((await seals.execute()).map(({ rows }) => rows)).toEqual([1_000, 1_000, 1]);
      expect(await faults()).toEqual([]);
      expect(await countUnsealedAuditRows(store().db)).toEqual({ rows: 0, since: null });
      server.clock.advance(10);
      await append('slipped in', old);
      expect((await faults()).map(({ kind }) => kind)).toEqual(['late']);
      expect(await countUnsealedAuditRows(store().db)).toEqual({ rows: 1, since: old });
      await seal();
      expect((await faults()).map(({ kind }) => kind)).toEqual(['late']);
    });

    test('[SEG-04] reports a row changed before it was sealed, before and after sealing', async () => {
      await append('one');
      const [row] = (await sql<{ seq: number }>`select seq from audit`.execute(store().db)).rows;
      for (const [column, value] of [
        ['address', 'forged'],
        ['details', '{}'],
        ['writer', 'forged'],
        ['follows', '{[7,8)}'],
        ['digest', 'forged'],
      ] as const) {
        const before = await sql<{ value: string }>`select ${sql.ref(column)} as value from audit`.execute(store().db);
        await sql`update audit set ${sql.ref(column)} = ${value}`.execute(store().db);
        expect(await faults(), column).toContainEqual({ kind: 'digest', row: row?.seq });
        await sql`update audit set ${sql.ref(column)} = ${before.rows[0]?.value}`.execute(store().db);
        expect(await faults(), column).toEqual([]);
      }
      await sql`update audit set address = 'forged'`.execute(store().db);
      await seal();
      expect(await faults()).toEqual([{ kind: 'digest', row: row?.seq }]);
    });

    test('[SEG-04] reports a row deleted before it was sealed, before and after the next row is sealed', async () => {
      for (const action of ['one', 'two', 'three']) await append(action);
      await sql`delete from audit where action = 'two'`.execute(store().db);
      const found = [{ kind: 'missing', writer: expect.any(String), first: 2, last: 2 }];
      expect(await faults()).toEqual(found);
      await seal();
      expect(await faults()).toEqual(found);
    });

    test('[SEG-04] accepts gaps left by rolled-back transactions, and reports a deleted row next to them', async () => {
      await append('one');
      const failed = writer.transaction(store(), async (_tx, add) => {
        await add(createOrigin(), { at: server.clock.now(), action: 'taken back', citizenId: null });
        throw new Error('midway');
      });
      await expect(failed).rejects.toThrow('midway');
      let attempts = 0;
      await writer.transaction(store(), async (_tx, add) => {
        await add(createOrigin(), { at: server.clock.now(), action: 'again', citizenId: null });
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error('refused'), { code: '40001' });
      });
      await append('last');
      const { rows } = await sql<{ number: number; follows: string }>`
        select number, follows::text as follows from audit order by seq`.execute(store().db);
      expect(rows).toEqual([
        { number: 1, follows: '{}' },
        { number: 4, follows: '{[1,2)}' },
        { number: 5, follows: '{[4,5)}' },
      ]);
      expect(await faults()).toEqual([]);
      await sql`delete from audit where number = 1`.execute(store().db);
      expect(await faults()).toMatchObject([{ kind: 'missing', first: 1, last: 1 }]);
    });

    test('[SEG-04] reports a copied row, and a row without a digest', async () => {
      await append('one');
      await sql`insert into audit (at, action, citizen_id, address, request_id, details, actor, user_agent, origin_salt, writer, number, follows, digest)
        select at, action, citizen_id, address, request_id, details, actor, user_agent, origin_salt, writer, number, follows, digest from audit`.execute(
        store().db,
      );
      expect((await faults()).map(({ kind }) => kind)).toEqual(['copied']);
      await sql`delete from audit where seq = (select max(seq) from audit)`.execute(store().db);
      expect(await faults()).toEqual([]);
      await sql`insert into audit (at, action, address, request_id, details) values (${server.clock.now()}, 'bare', '', '', '{}')`.execute(
        store().db,
      );
      expect((await faults()).map(({ kind }) => kind)).toEqual(['digest']);
    });

    test('[SEG-04] reports rows sealed late while their writer was running, and accepts those of a stopped server', async () => {
      await append('stopped');
      server.clock.advance(3 * 3600);
      writer = new AuditWriter(key);
      await append('started');
      await seal();
      expect(await faults()).toEqual([]);
      await append('waits');
      server.clock.advance(700);
      await append('goes on');
      server.clock.advance(61);
      await append('goes on still');
      expect(await faults()).toEqual([{ kind: 'waited', seal: null, rows: 1 }]);
      await seal();
      const { number } = (await findLastAuditSeal(store().db)) ?? expect.fail('no seal');
      expect(await faults()).toEqual([{ kind: 'waited', seal: number, rows: 1 }]);
    });

    test('reports a seal that was changed or deleted', async () => {
      await sealThree();
      const { number } = await sealThree();
      await sealThree();
      await sql`update audit_seals set sealed_at = sealed_at + interval '1 s' where number = ${number}`.execute(
        store().db,
      );
      expect(await faults()).toEqual([{ kind: 'seal', seal: number }]);
      await sql`delete from audit_seals where number = ${number}`.execute(store().db);
      expect((await faults()).map(({ kind }) => kind)).toEqual(['seal', 'stray', 'stray', 'stray']);
    });

    test('reports a seal whose row count was set to zero after its rows were deleted', async () => {
      const { number } = await sealThree();
      await sql`delete from audit`.execute(store().db);
      await sql`update audit_seals set rows = 0 where number = ${number}`.execute(store().db);
      expect(await faults()).toEqual([
        { kind: 'seal', seal: number },
        { kind: 'rows', seal: number },
      ]);
    });

    test('reports a log that was recreated with an unknown key', async () => {
      await append('forged');
      await seal(await parseAuditKey(generateAuditKey()));
      expect(await faults()).toEqual([{ kind: 'signature', seal: 1 }]);
    });

    test('[SEG-04] reports deleted seals at the end of the log if an earlier checkpoint is given', async () => {
      const { number, hash } = await sealThree();
      await sealThree();
      expect(await faults({ number, hash })).toEqual([]);
      expect(await faults({ number, hash: '0'.repeat(64) })).toEqual([{ kind: 'end', seal: number }]);
      await sql`delete from audit where seal >= ${number}`.execute(store().db);
      await sql`delete from audit_seals where number >= ${number}`.execute(store().db);
      expect(await faults()).toEqual([]);
      expect(await faults({ number, hash })).toEqual([{ kind: 'end', seal: number }]);
    });

    test('accepts seals of both the old and the new key after a key rotation', async () => {
      await sealThree();
      await append('new key');
      const other = await parseAuditKey(generateAuditKey());
      await seal(other);
      expect(await verifyAuditLog(store().db, { keys: [other, key] })).toEqual([]);
    });

    test('finds changed and missing rows and seals in an export, without the database', async () => {
      await sealThree();
      await sealThree();
      const lines: string[] = [];
      expect(await exportAuditLog(store().db, [key], (line) => lines.push(line))).toEqual([]);
      const check = async (some: readonly string[]) => {
        const { keys, batches } = await parseAuditExport(from(some));
        return (await verifySealedBatches(batches, { trust: keys })).faults;
      };
      expect(lines).toHaveLength(1 + 2 * 4);
      expect(await check(lines)).toEqual([]);
      expect(await check(lines.map((line) => line.replace('"two"', '"zwei"')))).toHaveLength(2);
      expect(await check(lines.filter((_, index) => index !== 3))).toEqual([{ kind: 'rows', seal: 1 }]);
      expect(await check([lines[0] ?? '', ...lines.slice(5)])).toEqual([{ kind: 'seal', seal: 1 }]);
      await expect(check(['{"keys":[]}', '{"other":1}'])).rejects.toThrow('neither a seal nor a row');
    });

    test.each([
      ['action', `action = 'forged'`, ['digest']],
      ['citizen', `citizen_id = 'somebody'`, ['digest']],
      ['writer and digest', `digest = null, writer = null, number = null, follows = null`, ['digest']],
      ['time', `at = at - interval '3 days'`, ['late', 'digest']],
    ])(
      '[SEG-04] reports, in proof and export, a row whose %s was changed before it was sealed',
      async (_, change, kinds) => {
        await append('first');
        await seal();
        server.clock.advance(25 * 60 * 60);
        await append('edited');
        const { seq } = await store()
          .db.selectFrom('audit')
          .select('seq')
          .where('action', '=', 'edited')
          .orderBy('seq', 'desc')
          .executeTakeFirstOrThrow();
        await sql`update audit set ${sql.raw(change)} where seq = ${seq}`.execute(store().db);
        await seal();
        const ofRow = async () => (await faults()).filter((fault) => 'row' in fault && fault.row === seq);
        expect((await ofRow()).map(({ kind }) => kind).sort()).toEqual(kinds.toSorted());
        const proof = (await exportAuditInclusionProof(store().db, seq, [key])) ?? expect.fail('no proof');
        expect(proof.faults.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted());
        const exported = await exportAuditLog(store().db, [key], () => undefined);
        expect(
          exported
            .filter((fault) => 'row' in fault && fault.row === seq)
            .map(({ kind }) => kind)
            .sort(),
        ).toEqual(kinds.toSorted());
      },
    );

    test('proves one row without the others, and rejects a proof with another row, index, row count or key', async () => {
      const { second } = await sealThree();
      const { line, faults: none } =
        (await exportAuditInclusionProof(store().db, second, [key])) ?? expect.fail('no proof');
      expect(none).toEqual([]);
      expect(line).not.toContain('three');
      const holds = async (text: string) => {
        const { keys, proof } = await parseAuditExport(from([text]));
        return proof !== null && isValidAuditInclusionProof(proof, keys);
      };
      expect(await holds(line)).toBe(true);
      for (const [what, instead] of [
        ['"two"', '"zwei"'],
        ['"index":1', '"index":0'],
        ['"rows":3', '"rows":4'],
        [`"x":"${key.publicJwk.x}"`, '"x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"'],
      ] as const) {
        expect(line).toContain(what);
        expect(await holds(line.replaceAll(what, instead)), instead).toBe(false);
      }
      await append('unsealed');
      expect(await exportAuditInclusionProof(store().db, second + 99, [key])).toBeNull();
    });
  });
});

async function* from(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
