import { type Document, isNational, readDocument } from '../../../platform/base/document.ts';
import type { AdmittedChange } from '../../../trust/abuse/throttle.ts';
import { randomSecret } from '../../../platform/keys/secrets.ts';
import { challengeOfDocument, openChallenge, type ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Opened, Request, Challenge } from './challenge.ts';
import type { Values } from '../../../../engine/core/json.ts';
import { isEmpty } from '../../../../engine/core/validate.ts';
import { challengeNames } from '../../../trust/identity/names.ts';

/** The document, which opens a sign-in for its holder. The work and the response are the same if there is no account. */
export const username: Challenge = {
  name: challengeNames.username,
  async open(dependencies, request, count) {
    const document = await readUsername(dependencies, request);
    const { opened, change } = signInOfDocument(dependencies, request, document, challengeNames.password);
    await count(change);
    return opened;
  },
};

/** A number without country and type is national. A foreign one is in `username` (section 7.3), `foreignUsername` (section 3), or both. */
async function readUsername({ validateForm }: ChallengeDependencies, request: Request) {
  const { foreignUsername, ...sent } = request.body.data_challenge;
  const data: Values = { ...sent, ...(isEmpty(sent['username']) && { username: foreignUsername }) };
  const { pais_emisor = null, tipo_documento = null, ...rest } = data;
  if (isNational(readDocument(pais_emisor, tipo_documento, ''))) {
    return readDocument(null, null, (await validateForm('login', rest, request)).username);
  }
  const foreign = await validateForm('login-documento-extranjero', data, request);
  return readDocument(foreign.pais_emisor, foreign.tipo_documento, foreign.username);
}

/** Opens a sign-in in the browser of a request, for the purpose that the request states. */
export async function openSignIn(
  { store, clock }: Pick<ChallengeDependencies, 'store' | 'clock'>,
  request: Request,
  who: Pick<ChallengeRecord, 'step' | 'document' | 'citizen_id'>,
): Promise<Opened> {
  const browser = identifyBrowser(request);
  const start = { ...who, ...readDestination(request) };
  return { step: who.step, token: await openChallenge(store, start, browser, clock.now()), browser };
}

/** Like `openSignIn`, for the holder of a document. `change` inserts the sign-in if the throttle admits it, in one statement. */
function signInOfDocument(
  { clock }: Pick<ChallengeDependencies, 'clock'>,
  request: Request,
  document: Document,
  step: string,
): { readonly opened: Opened; readonly change: AdmittedChange } {
  const browser = identifyBrowser(request);
  const start = { step, ...readDestination(request) };
  const { secret, change } = challengeOfDocument(document, start, browser, clock.now());
  return { opened: { step, token: secret, browser }, change };
}

function identifyBrowser({ cookies }: Request): string {
  return cookies.challenge ?? randomSecret();
}

function readDestination({ body, origin }: Request) {
  const { redirect_url = null, process_state = null, agnt = null } = body.extra ?? {};
  return { redirect_url, process_state, agent: agnt, user_agent: origin.userAgent, address: origin.address };
}
