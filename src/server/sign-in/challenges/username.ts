import type { CallRequest } from '../../base/call.ts';
import { documentId, isNational, readDocument } from '../../base/document.ts';
import type { ChallengeNeeds } from './proof.ts';
import { findCitizenByDocument } from '../../identity/citizens.ts';
import { randomSecret } from '../../keys/secrets.ts';
import { checkForm, type FormChecker } from './check-form.ts';
import { openChallenge } from '../../sessions/challenge-record.ts';

/** The document: opens a sign-in for whoever holds it, with the same work and answer where no account does. */
export async function answerUsername(
  needs: ChallengeNeeds,
  request: CallRequest<'answerChallenge'>,
  next: string,
): Promise<{ token: string; browser: string }> {
  const { store, clock, throttle } = needs;
  const document = readUsername(needs, request);
  await throttle.admit('challenge', { address: request.origin.address }, clock.now());
  const citizen = await findCitizenByDocument(store.db, document);
  return openSignIn(needs, request, { step: next, document: documentId(document), citizen_id: citizen?.id ?? null });
}

/** Opens a sign-in in the browser of a request, with what the request says of its purpose. */
export async function openSignIn(
  { store, clock }: Pick<ChallengeNeeds, 'store' | 'clock'>,
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
    user_agent: request.origin.userAgent,
    address: request.origin.address,
  };
  return { token: await openChallenge(store, start, browser, clock.now()), browser };
}

/** Without country and type the number is a national one, as independent clients send it (null for both). */
function readUsername(forms: FormChecker, { body, origin }: CallRequest<'answerChallenge'>) {
  const { language } = origin;
  const { pais_emisor = null, tipo_documento = null, ...rest } = body.data_challenge;
  if (isNational(readDocument(pais_emisor, tipo_documento, ''))) {
    return readDocument(null, null, checkForm(forms, 'login', rest, language)['username']);
  }
  const data = checkForm(forms, 'login-documento-extranjero', body.data_challenge, language);
  return readDocument(data['pais_emisor'], data['tipo_documento'], data['username']);
}
