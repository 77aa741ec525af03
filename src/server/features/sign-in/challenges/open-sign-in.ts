import type { Document } from '../../../platform/base/document.ts';
import type { AdmittedChange } from '../../../trust/abuse/throttle.ts';
import { randomSecret } from '../../../platform/keys/secrets.ts';
import { challengeOfDocument, openChallenge, type ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Opened, Request } from './challenge.ts';

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
export function signInOfDocument(
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
