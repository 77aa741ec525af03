import type { ValuesByName } from '../../../../engine/core/json.ts';
import { isEmptyValue } from '../../../../engine/core/validate-screen-form.ts';
import { isNationalIdentityDocument, normalizeDocument } from '../../../platform/base/identity-document.ts';
import { challengeNames } from '../../../trust/identity/challenge-names.ts';
import { prepareSignInInsert } from '../../../trust/sessions/sign-in-record.ts';
import {
  getBrowserSecret,
  readSignInDestination,
  type SignInChallenge,
  type SignInChallengeDependencies,
  type SignInChallengeRequest,
} from './challenge.ts';

/** The document number, which starts a sign-in for its holder. The work and the response are the same if there is no account. */
export const usernameChallenge: SignInChallenge = {
  name: challengeNames.username,
  async open(dependencies, request, count) {
    const document = await readUsername(dependencies, request);
    const browser = getBrowserSecret(request);
    const start = { step: challengeNames.password, ...readSignInDestination(request) };
    const { secret, change } = prepareSignInInsert(document, start, browser, dependencies.clock.now());
    await count(change);
    return { challenge: start.step, token: secret, browser };
  },
};

/**
 * Reads the document. Without country and type, it is national. A foreign number is in `username` (specification, section 7.3), `foreignUsername` (section 3), or
 * both.
 */
async function readUsername({ validateForm }: SignInChallengeDependencies, request: SignInChallengeRequest) {
  const { foreignUsername, ...sent } = request.body.data_challenge;
  const data: ValuesByName = { ...sent, ...(isEmptyValue(sent['username']) && { username: foreignUsername }) };
  const { pais_emisor = null, tipo_documento = null, ...rest } = data;
  if (isNationalIdentityDocument(normalizeDocument(pais_emisor, tipo_documento, '')))
    return normalizeDocument(null, null, (await validateForm('login', rest, request)).username);
  const foreign = await validateForm('login-documento-extranjero', data, request);
  return normalizeDocument(foreign.pais_emisor, foreign.tipo_documento, foreign.username);
}
