import type { Caller } from '../../platform/base/operation-request.ts';
import { createTexts } from '../../platform/base/texts.ts';
import { redirectOnlyPages } from '../../../contract/pages.ts';
import { activeFactors, isActive } from '../../trust/credentials/second-factors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { raiseLevel } from '../../trust/identity/levels.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { raiseSession } from '../../trust/sessions/raise-session.ts';
import { decodeBytes, ended, liveRequest, checkMaySign } from './prepare-signature.ts';
import { spareCall } from '../video-calls/move-call.ts';
import { verifySignature, type Signer } from './verification/verify-signature.ts';
import own from './texts.json' with { type: 'json' };
import type { Handler } from '../parts.ts';

const textOf = createTexts(own);

/** Accepts a signed statement once, and raises the level of its citizen and of the session. After a refused file, another one can be submitted. */
export const submitSignature: Handler<'submitSignature'> = async (
  { commands, callMails, store, clock, vault, trust, fileChecker },
  { body, caller, cookies, origin },
) => {
  const { nonce } = liveRequest(vault, body.uuid ?? '', caller, clock.now());
  const { citizen } = await ownCitizen(store.db, caller);
  const waiting = await store.db
    .selectFrom('signature_requests')
    .select('statement')
    .where('nonce', '=', nonce)
    .where('citizen_id', '=', citizen.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (waiting === undefined) throw ended();
  const file = decodeBytes(body.archivo ?? '');
  const statement = Buffer.from(waiting.statement, 'base64');
  const signer = await verifySignature({ file, statement, document: citizen, trust, now: clock.now() }, (signed) =>
    fileChecker.check(signed, citizen.id),
  );
  return commands.run(origin, async (command) => {
    const { id, renewed } = await accept(command, caller, { nonce, file, signer, cookie: cookies.session });
    await spareCall(command, callMails, id);
    return { body: { falta_segundo_factor: !isActive(await activeFactors(command.tx, id)) }, ...renewed };
  });
};

interface Accepted {
  readonly nonce: string;
  readonly file: Buffer;
  readonly signer: Signer;
  readonly cookie: string | undefined;
}

async function accept(
  command: Command,
  caller: Caller | null,
  { nonce, file, signer, cookie }: Accepted,
): Promise<{ readonly id: string; readonly renewed: Awaited<ReturnType<typeof raiseSession>> }> {
  const { tx, now, origin, audit, notify } = command;
  const { citizen, sessionId } = await ownCitizen(tx, caller);
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
  const raised = await raiseLevel(tx, citizen, { signature: redirectOnlyPages.signedDocument });
  await keepDocument(command, citizen.id, { statement: used.statement, file, signer });
  const renewed = await raiseSession(tx, { id: sessionId, citizen: raised, cookie, now });
  await audit('level-raised', citizen.id, { by: 'signature', level: raised.level, certificate: signer.fingerprint });
  await notify('level-raised', citizen, { sessionId, values: { means: textOf('medio_firma', origin.language) } });
  return { id: raised.id, renewed };
}

async function keepDocument(
  { tx, now }: Command,
  citizenId: string,
  { statement, file, signer }: { statement: string; file: Buffer; signer: Signer },
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
