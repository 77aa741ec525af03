import { raiseSession } from '../sessions/raise-session.ts';
import type { CallRequest, Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import type { Parts } from '../app/parts.ts';
import { portalPages } from '../base/portal-pages.ts';
import { bytesOf } from './data-url.ts';
import { verifySignature, type Signer } from './verification/verify-signature.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../database/open-store.ts';
import { activeFactors, isActive } from '../credentials/second-factors.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { ended, liveRequest } from './prepare-signature.ts';
import { text } from '../base/read-text.ts';
import { checkMaySign } from './signature-conditions.ts';

/** The raw level of section 4.1 that a signature leads to. */
const signedLevel = 'Certificado';

/** Takes a signed statement, once, and raises the level of its citizen and of the running session. A refused file may be followed by another. */
export function submitSignature(parts: Parts): Handler<'submitSignature'> {
  const { store, clock, throttle, trust } = parts;
  return async (request) => {
    const { body, caller, address } = request;
    const { nonce } = liveRequest(parts, text(body['uuid']), caller, clock.now());
    const { citizen } = await ownCitizen(store.db, caller);
    await throttle.admit('signature', { address, document: documentId(citizen) }, clock.now());
    const waiting = await store.db
      .selectFrom('signature_requests')
      .select('statement')
      .where('nonce', '=', nonce)
      .where('citizen_id', '=', citizen.id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (waiting === undefined) throw ended();
    const file = bytesOf(text(body['archivo']));
    const signer = await verifySignature({
      file,
      statement: Buffer.from(waiting.statement, 'base64'),
      document: citizen,
      trust,
      now: clock.now(),
    });
    return store.transaction((tx) => accept(tx, parts, request, { nonce, file, signer }));
  };
}

/** A statement whose signature was found good. */
interface Accepted {
  readonly nonce: string;
  readonly file: Buffer;
  readonly signer: Signer;
}

async function accept(
  tx: Tx,
  parts: Parts,
  request: CallRequest<'submitSignature'>,
  { nonce, file, signer }: Accepted,
) {
  const now = parts.clock.now();
  const { citizen, sessionId } = await ownCitizen(tx, request.caller);
  checkMaySign(citizen);
  const used = await tx
    .updateTable('signature_requests')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('citizen_id', '=', citizen.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('statement')
    .executeTakeFirst();
  if (used === undefined) throw ended();
  const raised: Citizen = { ...citizen, level: signedLevel, signature: portalPages.signedDocument };
  await tx
    .updateTable('citizens')
    .set({ level: raised.level, signature: raised.signature })
    .where('id', '=', citizen.id)
    .execute();
  await keepDocument(tx, citizen.id, { statement: used.statement, file, signer, now });
  await raiseSession(tx, { id: sessionId, citizen: raised });
  await appendAudit(tx, {
    at: now,
    action: 'level-raised',
    citizenId: citizen.id,
    address: request.address,
    requestId: request.requestId,
    details: { by: 'signature', level: signedLevel, certificate: signer.fingerprint },
  });
  await sendNotice(tx, parts, { name: 'level-raised', citizen, language: request.language, sessionId });
  return { body: { falta_segundo_factor: !isActive(await activeFactors(tx, citizen.id)) } };
}

async function keepDocument(
  tx: Tx,
  citizenId: string,
  { statement, file, signer, now }: { statement: string; file: Buffer; signer: Signer; now: Date },
): Promise<void> {
  const document = {
    form: signer.form,
    statement,
    file: file.toString('base64'),
    signed_at: now,
    certificate_serial: signer.serial,
    certificate_issuer: signer.issuer,
    certificate_fingerprint: signer.fingerprint,
  };
  await tx
    .insertInto('signed_documents')
    .values({ citizen_id: citizenId, ...document })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(document))
    .execute();
}
