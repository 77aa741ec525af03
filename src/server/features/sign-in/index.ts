import type { ReplyHandler } from '../handler-context.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { answerChallenge, getPasskeyOptions } from './answer-challenge.ts';
import { answerProviderLink, getProviderLink } from './link-provider.ts';
import { parseDocumentId } from '../../platform/base/identity-document.ts';
import { findPendingSignIn, findSignInRecord, createSignInExpiredError } from '../../trust/sessions/sign-in-record.ts';
import { findWalletPresentationState } from '../../trust/federation/wallet/presentation-requests.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import { createNoSessionError } from '../../trust/sessions/access-tokens.ts';
import { findLiveSessionOfCookie, recordSessionActivity } from '../../trust/sessions/broker-sessions.ts';
import { portalConstants } from '../../../contract/constants.ts';
import { listRedirectOrigins, sanitizeRedirect } from '../../../contract/sanitize-redirect.ts';
import { maxLogoutFramesForShortTimeout } from '../../trust/federation/broker/saml-endpoints.ts';
import { addState } from '../../trust/federation/broker/rp-initiated-logout.ts';
import { endSessionEverywhere } from '../../trust/federation/broker/end-session-everywhere.ts';
import { samlCookieLifeS } from '../../trust/federation/saml/saml-constants.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import { buildDocumentThrottleKey, findKnownDevice } from '../../trust/sessions/known-devices.ts';
import { mailSignInCode } from './challenges/password-and-code-challenges.ts';
import { credentialAttemptLimits } from '../../trust/credentials/index.ts';
import { OperationError } from '../../platform/base/errors.ts';

export const serverModule = {
  handlers: () => ({
    answerChallenge,
    resendRecoveryCode,
    obtainToken,
    getPasskeyOptions,
    getPendingSignIn,
    refreshToken,
    logout,
    getIdentityProviders,
    getProviderLink,
    answerProviderLink,
    getWalletState,
  }),
  texts,
} as const satisfies ServerModule;

/** Returns the identity providers and, for an application's request, the application's name. Throws a 410 if the request has ended. */
export const getIdentityProviders: ReplyHandler<'getIdentityProviders'> = async (
  { config, pendingRequests, logos },
  { query },
) => {
  const { process_state: state } = query;
  const request = state ? await pendingRequests.findRequest(state) : null;
  if (state && request === null) throw new OperationError(410, 'solicitud_terminada');
  return {
    body: {
      idps: await Promise.all(
        config.identityProviders.map(async ({ identificador, nombre, descripcion, nivel_seguridad, ...shown }) => ({
          identificador,
          nombre,
          descripcion,
          nivel_seguridad,
          logo: (await logos.findLogoPath(shown.logo)) ?? '',
          ...(shown.idioma !== undefined && { idioma: shown.idioma }),
          ...(shown.color !== undefined && { color: shown.color }),
        })),
      ),
      ci_allowed: config.flags.ci_electronica,
      gub_uy_allowed: true,
      ...(request !== null && { aplicacion: request.clientName }),
    },
  };
};

export const resendRecoveryCode: ReplyHandler<'resendRecoveryCode'> = async (
  dependencies,
  { body, cookies, origin },
) => {
  const { commands, clock, store, throttle } = dependencies;
  const record = await findSignInRecord(store, challengeNames.mailedCode, body.token, clock.now());
  if (record === null) throw createSignInExpiredError();
  const citizenId = record.citizen_id ?? '';
  const known = await findKnownDevice(store.db, { citizenId, cookie: cookies.device });
  const counted = { address: origin.address, document: buildDocumentThrottleKey(record.document, known) };
  await throttle.admit(credentialAttemptLimits.mailedCode, counted, clock.now());
  await commands.run(origin, async (command) => {
    const citizen = await findCitizen(command.tx, citizenId);
    if (citizen === null) throw createSignInExpiredError();
    const device = await findKnownDevice(command.tx, { citizenId: citizen.id, cookie: cookies.device });
    await mailSignInCode(command, dependencies, { record, citizen, device });
  });
  return { body: {} };
};

/** Ends the cookie's session with all its tokens, and notifies its applications. Without a session, the response is the same. */
export const logout: ReplyHandler<'logout'> = async (dependencies, { body, cookies, origin }) => {
  const { config } = dependencies;
  const redirect = sanitizeRedirect(body.redirect_uri, listRedirectOrigins(config.baseUrl, config));
  const target = redirect === '/' ? redirect : addState(redirect, body.state);
  const { frames, unreachable, through } = await endSessionEverywhere(dependencies, {
    which: cookies.session === undefined ? null : { secret: cookies.session },
    origin,
    end: { kind: 'path', path: target },
    browser: cookies.saml,
  });
  return {
    body: {
      logout_urls: through === null ? [...frames] : [], // if there is an interstitial page (`through`), it loads the frames
      location: through?.path ?? target,
      wait_longer: through === null && frames.length > maxLogoutFramesForShortTimeout,
      unreachable: [...unreachable],
    },
    cookies: {
      session: null,
      challenge: null,
      ...(through !== null && { saml: { value: through.browser, maxAge: samlCookieLifeS } }),
    },
  };
};

/** Replaces an access token with a new one for the same live session. Requires both the token and the session cookie. */
export const refreshToken: ReplyHandler<'refreshToken'> = async ({ clock, store, tokens }, { body, cookies }) => {
  const session = await findLiveSessionOfCookie(store.db, cookies.session, clock.now());
  if (session === null || (await tokens.readSessionId(body.token, portalConstants.tokenGraceS)) !== session.id)
    throw await createNoSessionError(store.db, cookies.session, clock.now());
  if (body.activo === true) await recordSessionActivity(store.db, session.id, clock.now());
  return { body: { token: await tokens.issueToken(session) } };
};

export const obtainToken: ReplyHandler<'obtainToken'> = async ({ clock, store, tokens }, { cookies }) => {
  const session = await findLiveSessionOfCookie(store.db, cookies.session, clock.now());
  if (session === null) throw await createNoSessionError(store.db, cookies.session, clock.now());
  return { body: { token: await tokens.issueToken(session) } };
};

/** Returns the state of a wallet request to the browser that started it. Any other browser gets the state of an ended request. */
const getWalletState: ReplyHandler<'getWalletState'> = async ({ store, clock }, { body, cookies }) => {
  const now = clock.now();
  const record = await findSignInRecord(store, challengeNames.wallet, body.token, now);
  const own = record !== null && cookies.challenge !== undefined && record.browser === hashSecret(cookies.challenge);
  return { body: { state: own ? await findWalletPresentationState(store, record.hash, now) : 'over' } };
};

/** Returns the document that was entered in this browser for a pending sign-in, even if there is no account. */
export const getPendingSignIn: ReplyHandler<'getPendingSignIn'> = async (
  { store, clock, pendingRequests },
  { cookies },
) => {
  const pending = cookies.challenge ? await findPendingSignIn(store, cookies.challenge, clock.now()) : null;
  if (pending === null) return { body: {} };
  const { process_state } = pending;
  if (process_state !== null && (await pendingRequests.findRequest(process_state)) === null) return { body: {} }; // the application's request was cancelled
  const { country, type, number } = parseDocumentId(pending.document);
  return { body: { pais_emisor: country, tipo_documento: type, username: number } };
};
