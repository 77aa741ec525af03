import { readSealedAuditBatches, type SealedAuditBatch } from './read-audit.ts';
import { findLastAuditSeal } from './seal-audit.ts';
import type { SecureContextOptions } from 'node:tls';
import type { Config } from '../config/config.ts';
import type { DatabaseStore } from '../database/open-store.ts';
import { readClientTlsOptions } from '../config/tls-files.ts';
import { sendOutboundRequest } from '../http/outbound-fetch.ts';

const shipmentName = 'sink';

/**
 * Sends the sealed batches that AUDIT_SINK does not have yet to an external collector, as OpenTelemetry log records (OTLP over HTTP, JSON). The body
 * of a record is a line of `npx portal audit export`. The number of the last shipped seal is stored after the collector has accepted its batch, so a
 * failed batch is sent again. Throws an `Error` if the stored number is greater than the last seal's: somebody edited the number or removed seals.
 * Calls `renew` between two batches. If `renew` throws, the run ends.
 */
export async function shipAuditBatches(
  { db }: Pick<DatabaseStore, 'db'>,
  sink: NonNullable<Config['auditSink']>,
  renew: () => Promise<void> = async () => undefined,
): Promise<void> {
  const shipped = await db
    .selectFrom('audit_shipments')
    .select('number')
    .where('name', '=', shipmentName)
    .executeTakeFirst();
  const last = await findLastAuditSeal(db);
  if (shipped !== undefined && shipped.number > (last?.number ?? 0))
    throw new Error(`the audit log ends before seal ${shipped.number}, which the collector is said to have`);
  const connection = await readClientTlsOptions(sink.tls);
  for await (const batch of readSealedAuditBatches(db, shipped?.number)) {
    await sendAuditBatch(batch, sink, connection);
    const { number } = batch.seal;
    await db
      .insertInto('audit_shipments')
      .values({ name: shipmentName, number })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ number }))
      .execute();
    await renew();
  }
}

async function sendAuditBatch(
  { seal, rows }: SealedAuditBatch,
  { url, token }: NonNullable<Config['auditSink']>,
  tls: SecureContextOptions,
): Promise<void> {
  const records = [{ at: seal.sealed_at, line: { seal } }, ...rows.map((row) => ({ at: row.at, line: { row } }))];
  const logRecords = records.map(({ at, line }) => ({
    timeUnixNano: `${at.getTime()}000000`,
    severityText: 'INFO',
    body: { stringValue: JSON.stringify(line) },
  }));
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'portal' } }] };
  const { status, body } = await sendOutboundRequest(
    new URL(url),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
      content: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'audit' }, logRecords }] }] }),
      maxBytes: 64 * 1024, // usual responses have a few hundred bytes
    },
    { limitMs: 10_000, allowsPrivateTargets: true, connection: { ...tls, agent: undefined } }, // ten seconds, because a batch has up to 1,000 rows
  );
  // A collector may accept a request but reject some of its records (OTLP, partial success).
  if (status < 200 || status > 299 || /"rejectedLogRecords":\s*"?[1-9]/.test(body.toString()))
    throw new Error(`the collector of the audit log refused seal ${seal.number}: status ${status}`);
}
