import type { AttemptThrottle } from '../../abuse/attempt-throttle.ts';
import type { Config } from '../../../platform/config/config.ts';
import {
  continueLogoutChain,
  sendLogoutResponse,
  recordLogoutResponse,
  type LogoutCompletion,
  findLogoutProgress,
} from '../saml/logout-chain.ts';
import { type LogoutDependencies, endSessionEverywhere } from './end-session-everywhere.ts';
import { createTestServiceProviderEndpoints } from '../saml/test-service-provider.ts';
import {
  type ReceivedSamlMessage,
  type AuthenticatedSamlMessage,
  authenticateSamlMessage,
} from '../saml/authenticate-saml-message.ts';
import { addSeconds } from '../../../platform/base/clock.ts';
import { secondsPerDay } from '../../../platform/base/fixed-periods.ts';
import { readMailLogo } from '../../../platform/mail/render-mail.ts';
import { randomBytes } from 'node:crypto';
import { writeKeyDescriptor } from '../saml/metadata.ts';
import {
  samlAttributeNames,
  getSamlAttributeNameFormat,
  formatXmlTime,
  toSamlAttributeUri,
} from '../saml/saml-response.ts';
import { signXmlElement, type ListSigningCredentials } from '../saml/xml-signature.ts';
import { escapeXml } from '../saml/xml.ts';
import {
  continueAuthnRequest,
  receiveAuthnRequest,
  type SamlDependencies,
  type SamlBrowserAction,
} from '../saml/single-sign-on.ts';
import { federationAttemptLimits, type PendingRequestStore } from '../clients/pending-request.ts';
import type { ChangeOrigin } from '../../../platform/base/change-origin.ts';
import { findLiveSessionOfCookie } from '../../sessions/broker-sessions.ts';
import { readLogoutRequest, findSessionsBySamlNameId } from '../saml/logout-messages.ts';
import {
  samlBindings,
  buildSamlEntityId,
  nameIdFormats,
  samlNamespaces,
  samlStatuses,
  samlPaths,
  subjectIdentifierAttributes,
} from '../saml/saml-constants.ts';
import { recordLogoutRequest } from '../saml/saml-requests.ts';
import { identityBrokerPaths } from '../../../../contract/contract.ts';
import { buildHref } from '../../../../contract/build-href.ts';
import { pagePaths } from '../../../../contract/page-paths.ts';
import type { OperationHandler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';

type Dependencies = LogoutDependencies & {
  readonly config: Pick<Config, 'baseUrl' | 'brand' | 'flags' | 'supportMailbox'>;
  readonly throttle: AttemptThrottle;
};

export type SamlEndpoints = ReturnType<typeof createSamlEndpoints>;

export function createSamlEndpoints(dependencies: Dependencies) {
  const { config, throttle, clock, saml } = dependencies;
  let written: { readonly by: ReturnType<ListSigningCredentials>; readonly day: number; readonly xml: string } | null =
    null;
  return {
    async metadata(): Promise<string> {
      const by = saml.credentials();
      const now = clock.now();
      const day = Math.floor(now.getTime() / (secondsPerDay * 1000));
      if (written?.by !== by || written.day !== day)
        written = {
          by,
          day,
          xml: await writeMetadata(by, config, {
            validUntil: addSeconds(now, metadataLifeS),
            logo: await readMailLogo(),
          }),
        };
      return written.xml;
    },
    async receiveRequest(arrival: ReceivedSamlMessage, { browser, address }: { browser: string; address: string }) {
      await throttle.admit(federationAttemptLimits.request, { address }, clock.now());
      return receiveAuthnRequest(dependencies, arrival, browser);
    },
    async continueRequest({ address, ...request }: Parameters<typeof continueAuthnRequest>[1] & { address: string }) {
      const step = await continueAuthnRequest(dependencies, request);
      if (step?.kind === 'send')
        await throttle.forgive({ limit: federationAttemptLimits.request, counted: { address } });
      return step;
    },
    isConsumer: async (action: string): Promise<boolean> =>
      (await saml.providers.list()).some(({ metadata: { assertionConsumers } }) =>
        assertionConsumers.some(({ location }) => location === action),
      ),
    async receiveLogout(message: ReceivedLogout): Promise<SamlBrowserAction> {
      await throttle.admit(federationAttemptLimits.logoutMessage, { address: message.origin.address }, clock.now());
      return receiveLogout(dependencies, message);
    },
    continueLogout: (processState: string, browser: string | undefined) =>
      continueLogoutChain(dependencies, processState, browser),
    logoutFrames: async (processState: string, browser: string | undefined) =>
      (await findLogoutProgress(dependencies, processState, browser))?.frames ?? null,
    test: config.flags.saml_index ? createTestServiceProviderEndpoints(dependencies) : null,
  };
}

/** Validity of the portal's metadata, in seconds. A service provider may trust a withdrawn key for this long. */
const metadataLifeS = 28 * secondsPerDay;

/**
 * Writes the metadata of the identity provider, with the content that saml2int requires (SDP-MD03 to SDP-MD12). The first of `credentials` signs, and
 * service providers trust all of them.
 */
function writeMetadata(
  credentials: ReturnType<ListSigningCredentials>,
  { baseUrl, brand, supportMailbox }: Pick<Config, 'baseUrl' | 'brand' | 'supportMailbox'>,
  { validUntil, logo }: { readonly validUntil: Date; readonly logo: Awaited<ReturnType<typeof readMailLogo>> },
): Promise<string> {
  const id = `_${randomBytes(16).toString('hex')}`;
  const at = (path: string): string => escapeXml(new URL(path, baseUrl).href);
  const service = (name: string, binding: keyof typeof samlBindings, path: string): string =>
    `<md:${name} Binding="${samlBindings[binding]}" Location="${at(path)}"/>`;
  const formats = [nameIdFormats.unspecified, nameIdFormats.persistent, nameIdFormats.transient, nameIdFormats.email];
  const organization = escapeXml(brand.product);
  const { pairwise, subject } = subjectIdentifierAttributes;
  const attributes = [...samlAttributeNames, ...samlAttributeNames.map(toSamlAttributeUri), pairwise, subject];
  const xml = [
    `<md:EntityDescriptor xmlns:md="${samlNamespaces.metadata}" xmlns:saml="${samlNamespaces.assertion}" ID="${id}" entityID="${escapeXml(buildSamlEntityId(baseUrl))}" validUntil="${formatXmlTime(validUntil)}" cacheDuration="PT1H">`,
    `<md:IDPSSODescriptor protocolSupportEnumeration="${samlNamespaces.protocol}" errorURL="${at(buildHref(pagePaths.error, { errorCode: 'SAML_ERROR' }))}">`,
    `<md:Extensions><shibmd:Scope xmlns:shibmd="${samlNamespaces.scope}" regexp="false">${escapeXml(new URL(baseUrl).hostname)}</shibmd:Scope>`,
    `<mdui:UIInfo xmlns:mdui="${samlNamespaces.ui}"><mdui:DisplayName xml:lang="es">${organization}</mdui:DisplayName>`,
    `<mdui:Logo height="96" width="96">data:${logo.contentType};base64,${logo.content.toString('base64')}</mdui:Logo></mdui:UIInfo></md:Extensions>`,
    ...[...credentials, ...credentials.map(({ ec }) => ec)].map((credential) =>
      writeKeyDescriptor('signing', credential),
    ),
    service('SingleLogoutService', 'redirect', samlPaths.sloByRedirect),
    service('SingleLogoutService', 'post', samlPaths.sloByPost),
    ...formats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`),
    service('SingleSignOnService', 'redirect', samlPaths.ssoByRedirect),
    service('SingleSignOnService', 'post', samlPaths.ssoByPost),
    ...attributes.map((name) => `<saml:Attribute Name="${name}" NameFormat="${getSamlAttributeNameFormat(name)}"/>`),
    '</md:IDPSSODescriptor>',
    `<md:Organization><md:OrganizationName xml:lang="es">${organization}</md:OrganizationName><md:OrganizationDisplayName xml:lang="es">${organization}</md:OrganizationDisplayName><md:OrganizationURL xml:lang="es">${at('/')}</md:OrganizationURL></md:Organization>`,
    `<md:ContactPerson contactType="technical"><md:EmailAddress>mailto:${escapeXml(supportMailbox)}</md:EmailAddress></md:ContactPerson>`,
    '</md:EntityDescriptor>',
  ].join('');
  return signXmlElement(xml, { id, hasIssuer: false }, credentials[0]);
}

interface ReceivedLogout {
  readonly arrival: ReceivedSamlMessage;
  readonly secret: string | undefined;
  readonly browser: string;
  readonly origin: ChangeOrigin;
}

/** Handles a LogoutRequest or LogoutResponse. Throws a `SamlError` if the message is not authentic. */
async function receiveLogout(dependencies: LogoutDependencies, message: ReceivedLogout): Promise<SamlBrowserAction> {
  const { arrival, browser } = message;
  const isAnswer =
    arrival.binding === 'redirect'
      ? /(^|&)SAMLResponse=/.test(arrival.query)
      : arrival.fields['SAMLResponse'] !== undefined;
  const believed = await authenticateSamlMessage(dependencies, arrival, isAnswer ? 'SAMLResponse' : 'SAMLRequest');
  if (!isAnswer) return endRequestedSession(dependencies, message, believed);
  const processState = await recordLogoutResponse(dependencies, {
    ...believed,
    destination: arrival.destination,
    browser,
  });
  return (await continueLogoutChain(dependencies, processState, browser)) ?? { kind: 'go', path: '/' };
}

/**
 * Ends the session of the cookie if its NameID and session index match the request. Without a cookie (a cross-site POST may omit it), ends the only
 * session that matches. If no session matches, or the request is a replay, responds with the status `UnknownPrincipal`.
 */
async function endRequestedSession(
  dependencies: LogoutDependencies,
  { arrival, secret, browser, origin }: ReceivedLogout,
  { provider, message, relayState }: AuthenticatedSamlMessage,
): Promise<SamlBrowserAction> {
  const { clock, store } = dependencies;
  const { id, name, indexes } = readLogoutRequest(message, { destination: arrival.destination, clock });
  const own = provider.registration.id;
  const end: LogoutCompletion & { kind: 'answer' } = { kind: 'answer', provider: own, inResponseTo: id, relayState };
  const isFirst = await recordLogoutRequest(dependencies, provider, id, browser);
  const meant = isFirst ? await findSessionsBySamlNameId(store, { provider: own, name, indexes }) : [];
  const here = await findLiveSessionOfCookie(store.db, secret, clock.now());
  const session = here === null ? (meant.length === 1 ? meant[0] : undefined) : meant.find((one) => one === here.id);
  if (session === undefined) return sendLogoutResponse(dependencies, end, samlStatuses.unknownPrincipal);
  const { through } = await endSessionEverywhere(dependencies, {
    which: { id: session },
    origin,
    end,
    browser,
    exceptParticipant: own,
  });
  return through === null
    ? sendLogoutResponse(dependencies, end, samlStatuses.success)
    : { kind: 'go', path: through.path };
}

/** Number of logout frames up to which the portal waits for the shorter of its two timeouts. With more frames, it waits for the longer. */
export const maxLogoutFramesForShortTimeout = 3;

/** Returns the URL of the sign-in page. The broker, not the caller, chooses the sign-in method (section 7.1 of the specification). */
export const samlLogin: OperationHandler<'samlLogin', Pick<SamlDependencies, 'config'>> = async (
  { config },
  { query },
) => {
  const url = buildHref(identityBrokerPaths.login, { redirectUrl: query['redirectUrl'] }, config.baseUrl);
  return { body: { url }, location: url };
};

export const samlLogout: OperationHandler<'samlLogout', Pick<SamlDependencies, 'config'>> = async ({ config }) => ({
  body: { url: buildHref(identityBrokerPaths.logout, {}, config.baseUrl) },
});

/** Returns the LogoutResponse of a finished logout. A logout that another browser started gets the same response as an unknown one. */
export const getSloResponse: OperationHandler<'getSloResponse', SamlDependencies> = async (
  dependencies,
  { query, cookies },
) => {
  const processState = query['process_state'] ?? '';
  const logout = await findLogoutProgress(dependencies, processState, cookies.saml);
  if (logout === null) throw new OperationError(404, 'no_encontrado');
  const { frames, answers } = logout;
  const next = query['status'] === 'finish' ? buildHref(samlPaths.logoutNext, { process_state: processState }) : null;
  return {
    body: {
      logout_requests: next === null ? [...frames] : [],
      wait_longer: frames.length > maxLogoutFramesForShortTimeout,
      logout_response: answers ? next : null,
      logout_redirect: next,
    },
  };
};

/** Returns an empty list of logout requests, because the current session continues until the new sign-in has succeeded. */
export const getForcedLogoutRequests: OperationHandler<
  'getForcedLogoutRequests',
  { pendingRequests: PendingRequestStore }
> = async ({ pendingRequests }, { query }) => {
  const processState = query['process_state'] ?? '';
  if ((await pendingRequests.findRequest(processState)) === null) throw new OperationError(404, 'no_encontrado');
  const login = buildHref(pagePaths.login, { process_state: processState });
  return { body: { logout_requests: [], wait_longer: false, logout_response: null, logout_redirect: login } };
};
