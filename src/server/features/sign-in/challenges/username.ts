import type { Values } from '../../../../engine/core/json.ts';
import { isEmpty } from '../../../../engine/core/validate.ts';
import { isNational, readDocument } from '../../../platform/base/identity-document.ts';
import { challengeNames } from '../../../trust/identity/challenge-names.ts';
import { prepareChallengeInsert } from '../../../trust/sessions/challenge-record.ts';
import {
  identifyBrowser,
  readDestination,
  type Challenge,
  type ChallengeDependencies,
  type ChallengeRequest,
} from './challenge.ts';

/**
 * The document number, which starts a sign-in for its holder. The work and the response are the same if there is no
 * account.
 */
export const usernameChallenge: Challenge = {
  name: challengeNames.username,
  async open(dependencies, request, count) {
    const document = await readUsername(dependencies, request);
    const browser = identifyBrowser(request);
    const start = { step: challengeNames.password, ...readDestination(request) };
    const { secret, change } = prepareChallengeInsert(document, start, browser, dependencies.clock.now());
    await count(change);
    return { challenge: start.step, token: secret, browser };
  },
};

/**
 * Reads the document of a request. A number without country and type is national. A foreign number is in `username` (section 7.3),
 * `foreignUsername` (section 3), or both.
 */
async function readUsername({ validateForm }: ChallengeDependencies, request: ChallengeRequest) {
  const { foreignUsername, ...sent } = request.body.data_challenge;
  const data: Values = { ...sent, ...(isEmpty(sent['username']) && { username: foreignUsername }) };
  const { pais_emisor = null, tipo_documento = null, ...rest } = data;
  if (isNational(readDocument(pais_emisor, tipo_documento, ''))) {
    return readDocument(null, null, (await validateForm('login', rest, request)).username);
  }
  const foreign = await validateForm('login-documento-extranjero', data, request);
  return readDocument(foreign.pais_emisor, foreign.tipo_documento, foreign.username);
}
