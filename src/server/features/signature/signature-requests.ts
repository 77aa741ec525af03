import { formatDateTimeInWords } from '../../../contract/format/dates.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import { assertNoMalware } from '../../trust/uploads/malware-scanner.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { raiseIdentityLevel, requiresSecondFactor } from '../../trust/identity/assurance-levels.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { raiseSessionLevel } from '../../trust/sessions/raise-session-level.ts';
import { cancelPendingElevationCall } from '../video-calls/call-mails.ts';
import { verifySignedStatement, type SignerCertificateRecord } from './verification/verify-signed-statement.ts';
import own from './texts.json' with { type: 'json' };
import type { ReplyHandler, ResponseBodyHandler } from '../handler-context.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import { type Citizen, formatFullName } from '../../trust/identity/citizens.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { formatCountryName } from '../../../contract/format/country-name.ts';
import { formatIdentityDocument } from '../../../contract/format/document-type.ts';
import { fillPlaceholders } from '../../../engine/core/messages.ts';
import texts from './statement.json' with { type: 'json' };
import { writeTextPdf } from './write-pdf.ts';

interface SignatureRequest {
  readonly citizenId: string;
  readonly sessionId: string;
  readonly nonce: string;
  readonly at: Date;
}

const requestPurpose = 'signature request';

/** Encrypts a signature request for use in a URL. Nothing is stored until the statement is prepared. */
export function encryptSignatureRequest(vault: Vault, { citizenId, sessionId, at }: Omit<SignatureRequest, 'nonce'>) {
  return vault.encrypt(requestPurpose, JSON.stringify([citizenId, sessionId, generateSecret(), at.getTime()]));
}

/** Returns `null` if this server did not create the request. */
function decryptSignatureRequest(vault: Vault, sealed: string): SignatureRequest | null {
  try {
    const [citizenId, sessionId, nonce, at]: readonly unknown[] = JSON.parse(vault.decrypt(requestPurpose, sealed));
    return {
      citizenId: String(citizenId),
      sessionId: String(sessionId),
      nonce: String(nonce),
      at: new Date(Number(at)),
    };
  } catch {
    return null; // forged, or encrypted with another key
  }
}

function computeRequestExpiry({ at }: SignatureRequest): Date {
  return addSeconds(at, fixedRetentionPeriods.signatureMin * 60);
}

/** Throws unless the level is below Intermedio, the account is active and the e-mail address is verified (specification, section 6). */
export function assertCanRaiseLevelBySignature(
  citizen: Pick<Citizen, 'level' | 'active_at' | 'email' | 'email_verified_at'>,
): void {
  if (requiresSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(409, 'firma_cuenta_inactiva');
  if (citizen.email === null || citizen.email_verified_at === null) throw new OperationError(409, 'sin_correo');
}

/**
 * Returns the statement to sign. Creates it at the first call, and returns the same bytes at each later call, because the signature covers these
 * bytes.
 */
export const prepareSignature: ResponseBodyHandler<'prepareSignature'> = async (
  { commands, clock, config, vault },
  { body, caller, origin },
) => {
  const { language } = origin;
  const request = requireValidSignatureRequest(vault, body.uuid, caller, clock.now());
  const statement = await commands.run(origin, async ({ tx, now }) => {
    const { citizen } = await readCallerAccount(tx, caller);
    assertCanRaiseLevelBySignature(citizen);
    await tx.deleteFrom('signature_requests').where('expires_at', '<', now).execute();
    const made = writeStatement(citizen, request, config.brand.product, language);
    await tx
      .insertInto('signature_requests')
      .values({
        nonce: request.nonce,
        citizen_id: citizen.id,
        statement: made.toString('base64'),
        expires_at: computeRequestExpiry(request),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return tx
      .selectFrom('signature_requests')
      .select('statement')
      .where('nonce', '=', request.nonce)
      .where('used_at', 'is', null)
      .executeTakeFirst();
  });
  if (statement === undefined) throw createSignatureExpiredError();
  return {
    declaracion: buildStatementUrl(language, statement.statement),
    vence: computeRequestExpiry(request).toISOString(),
  };
};

function requireValidSignatureRequest(vault: Vault, sealed: string, caller: Caller | null, now: Date) {
  const request = decryptSignatureRequest(vault, sealed);
  const own = request !== null && request.citizenId === caller?.citizenId && request.sessionId === caller.sessionId;
  if (!own || computeRequestExpiry(request) <= now) throw createSignatureExpiredError();
  return request;
}

function createSignatureExpiredError(): OperationError {
  return new OperationError(400, 'firma_vencida', { invalidToken: true });
}

/** Creates the PDF that a citizen signs: name, document, date, declaration, and the nonce, which makes each statement unique. */
function writeStatement(citizen: Citizen, { nonce, at }: SignatureRequest, product: string, language: Language) {
  const { title, paragraphs } = texts[language];
  const values = {
    name: formatFullName(citizen),
    document: `${formatIdentityDocument(citizen, language)} (${formatCountryName(citizen.country, citizen.country_name, language)})`,
    product,
    date: formatDateTimeInWords(at, language),
    nonce,
  };
  const filledParagraphs = paragraphs.map((paragraph) => fillPlaceholders(paragraph, values));
  return writeTextPdf({ language, title, paragraphs: filledParagraphs });
}

export function buildStatementUrl(language: Language, base64: string): string {
  return buildDataUrl(`${texts[language].file}.pdf`, 'application/pdf', base64);
}

export function buildDataUrl(name: string, type: string, base64: string): string {
  return `data:${type};name=${encodeURIComponent(name)};base64,${base64}`;
}

const textOf = createCatalogueLookup(own);

/** Accepts a signed statement once, and raises the level of its citizen and of the session. After an invalid file, the citizen can submit another. */
export const submitSignature: ReplyHandler<'submitSignature'> = async (
  { commands, callMails, store, clock, vault, trust, fileChecker, scanner },
  { body, caller, cookies, origin },
) => {
  const { nonce } = requireValidSignatureRequest(vault, body.uuid ?? '', caller, clock.now());
  const { citizen } = await readCallerAccount(store.db, caller);
  const waiting = await store.db
    .selectFrom('signature_requests')
    .select('statement')
    .where('nonce', '=', nonce)
    .where('citizen_id', '=', citizen.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (waiting === undefined) throw createSignatureExpiredError();
  const file = Buffer.from((body.archivo ?? '').replace(/^[^,]*,/, ''), 'base64'); // the screen has checked the syntax of the data URL
  await assertNoMalware({ scanner, commands }, origin, { file, field: 'archivo', citizenId: citizen.id });
  const statement = Buffer.from(waiting.statement, 'base64');
  const signer = await verifySignedStatement(
    { file, statement, document: citizen, trust, now: clock.now() },
    (signed) => fileChecker.checkFile(signed, citizen.id),
  );
  return commands.run(origin, async (command) => {
    const { id, renewed } = await acceptSignature(command, { caller, cookies }, { nonce, file, signer });
    await cancelPendingElevationCall(command, callMails, id);
    return {
      body: { falta_segundo_factor: !(await hasSecondFactor(command.tx, id)) },
      ...renewed,
    };
  });
};

async function acceptSignature(
  command: DatabaseCommand,
  request: Parameters<typeof raiseSessionLevel>[1],
  { nonce, file, signer }: { nonce: string; file: Buffer; signer: SignerCertificateRecord },
) {
  const { tx, now, origin, audit, notify } = command;
  const { citizen, sessionId } = await readCallerAccount(tx, request.caller);
  assertCanRaiseLevelBySignature(citizen);
  const used = await tx
    .updateTable('signature_requests')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('citizen_id', '=', citizen.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('statement')
    .executeTakeFirst();
  if (used === undefined) throw createSignatureExpiredError();
  const raised = await raiseIdentityLevel(tx, citizen, { signature: redirectOnlyPagePaths.signedDocument });
  const document = {
    form: signer.form,
    statement: used.statement,
    file: file.toString('base64'),
    signed_at: now,
    certificate_serial: signer.serial,
    certificate_issuer: signer.issuer,
    certificate_fingerprint: signer.fingerprint,
  };
  await tx
    .insertInto('signed_documents')
    .values({ citizen_id: citizen.id, ...document })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(document))
    .execute();
  const renewed = await raiseSessionLevel(tx, request, { citizen: raised, now });
  await audit('level-raised', citizen.id, { by: 'signature', level: raised.level, certificate: signer.fingerprint });
  await notify('level-raised', citizen, { sessionId, values: { means: textOf('medio_firma', origin.language) } });
  return { id: raised.id, renewed };
}
