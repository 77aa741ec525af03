import { randomSecret } from '../../../platform/keys/secrets.ts';
import { openChallenge, type ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeNeeds, Opened, Request } from './challenge.ts';

/** Opens a sign-in in the browser of a request, with what the request says of its purpose. */
export async function openSignIn(
  { store, clock }: Pick<ChallengeNeeds, 'store' | 'clock'>,
  { body, cookies, origin }: Request,
  who: Pick<ChallengeRecord, 'step' | 'document' | 'citizen_id'>,
): Promise<Opened> {
  const browser = cookies.challenge ?? randomSecret();
  const { redirect_url = null, process_state = null, agnt = null } = body.extra ?? {};
  const start = {
    ...who,
    redirect_url,
    process_state,
    agent: agnt,
    user_agent: origin.userAgent,
    address: origin.address,
  };
  return { step: who.step, token: await openChallenge(store, start, browser, clock.now()), browser };
}
