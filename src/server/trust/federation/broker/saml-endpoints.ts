import type { Throttle } from '../../abuse/throttle.ts';
import type { Config } from '../../../platform/config/config.ts';
import {
  continueLogoutChain,
  sendLogoutResponse,
  recordLogoutResponse,
  type LogoutCompletion,
  findLogoutProgress,
} from '../saml/logout-chain.ts';
import { type LogOutDependencies, logOut } from './log-out.ts';
import { createTestEndpoints } from '../saml/test-service-provider.ts';
import { type ReceivedMessage, type AuthenticatedMessage, authenticateMessage } from '../saml/authn-request.ts';
import { addSeconds } from '../../../platform/base/clock.ts';
import { dayS } from '../../../platform/base/periods.ts';
import { readLogo } from '../../../platform/mail/render-mail.ts';
import { randomBytes } from 'node:crypto';
import { writeKeyDescriptor } from '../saml/metadata.ts';
import { attributeNames, selectNameFormat, formatXmlTime, toUriName } from '../saml/response.ts';
import { signElement, type Credentials } from '../saml/signature.ts';
import { escapeXml } from '../saml/xml.ts';
import { continueAuthnRequest, receiveAuthnRequest, type SamlDependencies, type BrowserAction } from '../saml/sso.ts';
import { requestLimits, type Interactions } from '../clients/pending-request.ts';
import type { Origin } from '../../../platform/base/origin.ts';
import { findLiveSessionOfCookie } from '../../sessions/sessions.ts';
import { readLogoutRequest, findSessionsByNameId } from '../saml/logout-messages.ts';
import {
  bindings,
  buildEntityId,
  nameIdFormats,
  namespaces,
  statuses,
  samlPaths,
  subjectAttributes,
} from '../saml/saml-names.ts';
import { recordLogoutRequest } from '../saml/saml-requests.ts';
import { brokerPages } from '../../../../contract/contract.ts';
import { href } from '../../../../contract/href.ts';
import { pages } from '../../../../contract/pages.ts';
import type { Handler } from '../../../platform/base/operation-request.ts';
import { OperationError } from '../../../platform/base/errors.ts';

type Dependencies = LogOutDependencies & {
  readonly config: Pick<Config, 'baseUrl' | 'brand' | 'flags' | 'supportMailbox'>;
  readonly throttle: Throttle;
};

export type SamlEndpoints = ReturnType<typeof createSamlEndpoints>;

export function createSamlEndpoints(dependencies: Dependencies) {
  const { config, throttle, clock, saml } = dependencies;
  /** Cached SAML metadata. It is regenerated once a day and whenever the keys change. */
  let written: { readonly by: ReturnType<Credentials>; readonly day: number; readonly xml: string } | null = null;
  return {
    async metadata(): Promise<string> {
      const by = saml.credentials();
      const now = clock.now();
      const day = Math.floor(now.getTime() / (dayS * 1000));
      if (written?.by !== by || written.day !== day)
        written = {
          by,
          day,
          xml: await writeMetadata(by, config, { validUntil: addSeconds(now, metadataLifeS), logo: await readLogo() }),
        };
      return written.xml;
    },
    async receiveRequest(
      arrival: ReceivedMessage,
      { browser, address }: { browser: string; address: string },
    ): Promise<string> {
      await throttle.admit(requestLimits.request, { address }, clock.now());
      return receiveAuthnRequest(dependencies, arrival, browser);
    },
    async continueRequest({
      address,
      ...request
    }: Parameters<typeof continueAuthnRequest>[1] & { address: string }): Promise<BrowserAction | null> {
      const step = await continueAuthnRequest(dependencies, request);
      if (step?.kind === 'send') await throttle.forgive({ limit: requestLimits.request, counted: { address } });
      return step;
    },
    /** Whether a URL is an assertion consumer service in the metadata of a registered service provider. */
    isConsumer: async (action: string): Promise<boolean> =>
      (await saml.providers.list()).some(({ metadata: { assertionConsumers } }) =>
        assertionConsumers.some(({ location }) => location === action),
      ),
    async receiveLogout(message: ReceivedLogout): Promise<BrowserAction> {
      await throttle.admit(requestLimits.logoutMessage, { address: message.origin.address }, clock.now());
      return receiveLogout(dependencies, message);
    },
    continueLogout: (processState: string, browser: string | undefined) =>
      continueLogoutChain(dependencies, processState, browser),
    logoutFrames: async (processState: string, browser: string | undefined) =>
      (await findLogoutProgress(dependencies, processState, browser))?.frames ?? null,
    /** The test service provider. `null` if its feature flag is off. */
    test: config.flags.saml_index ? createTestEndpoints(dependencies) : null,
  };
}

/** Validity of the portal's metadata, in seconds. A service provider may trust a withdrawn key for this long. */
const metadataLifeS = 28 * dayS;

/**
 * Writes the signed metadata of the portal's identity provider, with the content that saml2int requires (SDP-MD03 to
 * SDP-MD12). The first credential signs, and service providers trust all of them.
 */
function writeMetadata(
  credentials: ReturnType<Credentials>,
  { baseUrl, brand, supportMailbox }: Pick<Config, 'baseUrl' | 'brand' | 'supportMailbox'>,
  { validUntil, logo }: { readonly validUntil: Date; readonly logo: Awaited<ReturnType<typeof readLogo>> },
): Promise<string> {
  const id = `_${randomBytes(16).toString('hex')}`;
  const at = (path: string): string => escapeXml(new URL(path, baseUrl).href);
  const service = (name: string, binding: keyof typeof bindings, path: string): string =>
    `<md:${name} Binding="${bindings[binding]}" Location="${at(path)}"/>`;
  const formats = [nameIdFormats.unspecified, nameIdFormats.persistent, nameIdFormats.transient, nameIdFormats.email];
  const organization = escapeXml(brand.product);
  const { pairwise, subject } = subjectAttributes;
  const attributes = [...attributeNames, ...attributeNames.map(toUriName), pairwise, subject];
  const xml = [
    `<md:EntityDescriptor xmlns:md="${namespaces.metadata}" xmlns:saml="${namespaces.assertion}" ID="${id}" entityID="${escapeXml(buildEntityId(baseUrl))}" validUntil="${formatXmlTime(validUntil)}" cacheDuration="PT1H">`,
    `<md:IDPSSODescriptor protocolSupportEnumeration="${namespaces.protocol}" errorURL="${at(href(pages.error, { errorCode: 'SAML_ERROR' }))}">`,
    `<md:Extensions><shibmd:Scope xmlns:shibmd="${namespaces.scope}" regexp="false">${escapeXml(new URL(baseUrl).hostname)}</shibmd:Scope>`,
    `<mdui:UIInfo xmlns:mdui="${namespaces.ui}"><mdui:DisplayName xml:lang="es">${organization}</mdui:DisplayName>`,
    `<mdui:Logo height="96" width="96">data:${logo.contentType};base64,${logo.content.toString('base64')}</mdui:Logo></mdui:UIInfo></md:Extensions>`,
    ...[...credentials, ...credentials.map(({ ec }) => ec)].map((credential) =>
      writeKeyDescriptor('signing', credential),
    ),
    service('SingleLogoutService', 'redirect', samlPaths.sloByRedirect),
    service('SingleLogoutService', 'post', samlPaths.sloByPost),
    ...formats.map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`),
    service('SingleSignOnService', 'redirect', samlPaths.ssoByRedirect),
    service('SingleSignOnService', 'post', samlPaths.ssoByPost),
    ...attributes.map((name) => `<saml:Attribute Name="${name}" NameFormat="${selectNameFormat(name)}"/>`),
    '</md:IDPSSODescriptor>',
    `<md:Organization><md:OrganizationName xml:lang="es">${organization}</md:OrganizationName><md:OrganizationDisplayName xml:lang="es">${organization}</md:OrganizationDisplayName><md:OrganizationURL xml:lang="es">${at('/')}</md:OrganizationURL></md:Organization>`,
    `<md:ContactPerson contactType="technical"><md:EmailAddress>mailto:${escapeXml(supportMailbox)}</md:EmailAddress></md:ContactPerson>`,
    '</md:EntityDescriptor>',
  ].join('');
  return signElement(xml, { id, hasIssuer: false }, credentials[0]);
}

interface ReceivedLogout {
  readonly arrival: ReceivedMessage;
  readonly secret: string | undefined;
  readonly browser: string;
  readonly origin: Origin;
}

/**
 * Handles a LogoutRequest of a service provider, or a LogoutResponse to the portal's request. Throws a `SamlError` if
 * the message is not authentic.
 */
async function receiveLogout(dependencies: LogOutDependencies, message: ReceivedLogout): Promise<BrowserAction> {
  const { arrival, browser } = message;
  const isAnswer =
    arrival.binding === 'redirect'
      ? /(^|&)SAMLResponse=/.test(arrival.query)
      : arrival.fields['SAMLResponse'] !== undefined;
  const believed = await authenticateMessage(dependencies, arrival, isAnswer ? 'SAMLResponse' : 'SAMLRequest');
  if (!isAnswer) return endRequestedSession(dependencies, message, believed);
  const processState = await recordLogoutResponse(dependencies, {
    ...believed,
    destination: arrival.destination,
    browser,
  });
  return (await continueLogoutChain(dependencies, processState, browser)) ?? { kind: 'go', path: '/' };
}

/**
 * Ends the session that a LogoutRequest identifies. With a session cookie, this is the cookie's session, if the NameID
 * and the session indexes match. Without a cookie (a cross-site POST may omit it), it is the only session that matches.
 * The status is `UnknownPrincipal` if there is no such session, or the request is replayed.
 */
async function endRequestedSession(
  dependencies: LogOutDependencies,
  { arrival, secret, browser, origin }: ReceivedLogout,
  { provider, message, relayState }: AuthenticatedMessage,
): Promise<BrowserAction> {
  const { clock, store } = dependencies;
  const { id, name, indexes } = readLogoutRequest(message, { destination: arrival.destination, clock });
  const own = provider.registration.id;
  const end: LogoutCompletion & { kind: 'answer' } = { kind: 'answer', provider: own, inResponseTo: id, relayState };
  const isFirst = await recordLogoutRequest(dependencies, provider, id, browser);
  const meant = isFirst ? await findSessionsByNameId(store, { provider: own, name, indexes }) : [];
  const here = await findLiveSessionOfCookie(store.db, secret, clock.now());
  const session = here === null ? (meant.length === 1 ? meant[0] : undefined) : meant.find((one) => one === here.id);
  if (session === undefined) return sendLogoutResponse(dependencies, end, statuses.unknownPrincipal);
  const { through } = await logOut(dependencies, {
    which: { id: session },
    origin,
    end,
    browser,
    exceptParticipant: own,
  });
  return through === null
    ? sendLogoutResponse(dependencies, end, statuses.success)
    : { kind: 'go', path: through.path };
}

/** Maximum number of logout frames for which the portal waits only the shorter of its two timeouts. */
export const maxFramesForShortTimeout = 3;

/**
 * Starts the sign-in to the portal itself, for which the broker chooses the method (section 7.1 of the specification).
 */
export const samlLogin: Handler<'samlLogin', Pick<SamlDependencies, 'config'>> = async ({ config }, { query }) => {
  const url = buildUrl(config, brokerPages.login, { redirectUrl: query['redirectUrl'] });
  return { body: { url }, location: url };
};

export const samlLogout: Handler<'samlLogout', Pick<SamlDependencies, 'config'>> = async ({ config }) => ({
  body: { url: buildUrl(config, brokerPages.logout) },
});

function buildUrl(
  { baseUrl }: SamlDependencies['config'],
  path: string,
  query: Parameters<typeof href>[1] = {},
): string {
  return new URL(href(path, query), baseUrl).href;
}

/** Returns the LogoutResponse of a finished logout. A logout that another browser started gets the same response as an unknown one. */
export const getSloResponse: Handler<'getSloResponse', SamlDependencies> = async (dependencies, { query, cookies }) => {
  const processState = query['process_state'] ?? '';
  const logout = await findLogoutProgress(dependencies, processState, cookies.saml);
  if (logout === null) throw new OperationError(404, 'no_encontrado');
  const { frames, answers } = logout;
  const next = query['status'] === 'finish' ? href(samlPaths.logoutNext, { process_state: processState }) : null;
  return {
    body: {
      logout_requests: next === null ? [...frames] : [],
      wait_longer: frames.length > maxFramesForShortTimeout,
      logout_response: answers ? next : null,
      logout_redirect: next,
    },
  };
};

/** Returns an empty list of logout requests, because the current session continues until the new sign-in has succeeded. */
export const getForcedLogoutRequests: Handler<'getForcedLogoutRequests', { interactions: Interactions }> = async (
  { interactions },
  { query },
) => {
  const processState = query['process_state'] ?? '';
  if ((await interactions.find(processState)) === null) throw new OperationError(404, 'no_encontrado');
  const login = href(pages.login, { process_state: processState });
  return { body: { logout_requests: [], wait_longer: false, logout_response: null, logout_redirect: login } };
};
