import type { CallRequest } from '../../base/call.ts';
import { documentId, isNational, readDocument } from '../../base/document.ts';
import type { Parts } from '../../app/parts.ts';
import { findCitizenByDocument } from '../../identity/citizens.ts';
import { randomSecret } from '../../keys/secrets.ts';
import { checkForm } from './check-form.ts';
import { openChallenge } from '../../sessions/challenge-record.ts';

/** The document: opens a sign-in for whoever holds it, with the same work and answer where no account does. */
export async function answerUsername(
  parts: Parts,
  request: CallRequest<'answerChallenge'>,
  next: string,
): Promise<{ token: string; browser: string }> {
  const { store, clock, throttle } = parts;
  const document = readUsername(parts, request);
  await throttle.admit('challenge', { address: request.address }, clock.now());
  const citizen = await findCitizenByDocument(store.db, document);
  return openSignIn(parts, request, { step: next, document: documentId(document), citizen_id: citizen?.id ?? null });
}

/** Opens a sign-in in the browser of a request, with what the request says of its purpose. */
export async function openSignIn(
  { store, clock }: Parts,
  request: CallRequest<'answerChallenge'>,
  who: { step: string; document: string; citizen_id: string | null },
): Promise<{ token: string; browser: string }> {
  const browser = request.cookies.challenge ?? randomSecret();
  const { redirect_url = null, process_state = null, agnt = null } = request.body.extra ?? {};
  const start = {
    ...who,
    redirect_url,
    process_state,
    agent: agnt,
    user_agent: request.userAgent,
    address: request.address,
  };
  return { token: await openChallenge(store, start, browser, clock.now()), browser };
}

/** Without country and type the number is a national one, as independent clients send it (null for both). */
function readUsername(parts: Parts, { body, language }: CallRequest<'answerChallenge'>) {
  const { pais_emisor = null, tipo_documento = null, ...rest } = body.data_challenge;
  if (isNational(readDocument(pais_emisor, tipo_documento, ''))) {
    return readDocument(null, null, checkForm(parts, 'login', rest, language)['username']);
  }
  const data = checkForm(parts, 'login-documento-extranjero', body.data_challenge, language);
  return readDocument(data['pais_emisor'], data['tipo_documento'], data['username']);
}
