import type { Throttle } from '../../abuse/throttle.ts';
import type { Config } from '../../../platform/config/config.ts';
import { continueChain, framesOfChain, answerLogout, takeAnswer, type LogoutEnd } from '../saml/logout-chain.ts';
import { type LogOutDependencies, logOut } from './log-out.ts';
import { openTestPages, type TestPages } from './test-pages.ts';
import { type Arrival, believe } from '../saml/arrival.ts';
import { madeOfKeys } from '../../../platform/keys/signing-keys.ts';
import { writeMetadata } from '../saml/own-metadata.ts';
import { continueRequest, receiveRequest, type SsoStep } from '../saml/sso.ts';
import { limits } from '../clients/limits.ts';
import type { Origin } from '../../../platform/base/origin.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';
import { readLogoutRequest } from '../saml/logout-messages.ts';
import { statuses } from '../saml/names.ts';
import { sessionsKnownAs } from '../saml/participants.ts';
import { noteLogout } from '../saml/requests.ts';
import type { ServiceProvider } from '../saml/service-providers.ts';

export interface SamlPages {
  readonly metadata: string;
  receiveRequest(arrival: Arrival, by: { browser: string; address: string }): Promise<string>;
  continueRequest(request: {
    processState: string;
    browser: string | undefined;
    secret: string | undefined;
    address: string;
  }): Promise<SsoStep | null>;
  /** Whether the URL is an assertion consumer service in the metadata of a registered service provider. */
  isConsumer(action: string): Promise<boolean>;
  receiveLogout(message: LogoutArrival): Promise<SsoStep>;
  continueLogout(processState: string, browser: string | undefined): Promise<SsoStep | null>;
  logoutFrames(processState: string, browser: string | undefined): Promise<readonly string[] | null>;
  /** The test service provider. `null` if its feature flag is off. */
  readonly test: TestPages | null;
}

export function openSamlPages(
  dependencies: LogOutDependencies & {
    readonly config: Pick<Config, 'baseUrl' | 'brand' | 'flags'>;
    readonly throttle: Throttle;
  },
): SamlPages {
  const parts = { ...dependencies, ...dependencies.saml };
  const { config, throttle } = dependencies;
  const metadata = madeOfKeys(dependencies.saml.credentials, (credentials) =>
    writeMetadata({ credentials, baseUrl: config.baseUrl, organization: config.brand.product }),
  );
  return {
    get metadata() {
      return metadata();
    },
    async receiveRequest(arrival, { browser, address }) {
      await throttle.admit(limits.request, { address }, dependencies.clock.now());
      return receiveRequest(parts, arrival, browser);
    },
    async continueRequest({ address, ...request }) {
      const step = await continueRequest(parts, request);
      if (step?.kind === 'send') await throttle.forgive({ limit: limits.request, counted: { address } });
      return step;
    },
    isConsumer: async (action) =>
      (await parts.providers.list()).some(({ metadata }) =>
        metadata.consumers.some(({ location }) => location === action),
      ),
    async receiveLogout(message) {
      await throttle.admit(limits.logoutMessage, { address: message.origin.address }, dependencies.clock.now());
      return receiveLogout(dependencies, message);
    },
    continueLogout: (processState, browser) => continueChain(parts, processState, browser),
    logoutFrames: (processState, browser) => framesOfChain(parts, processState, browser),
    test: config.flags.saml_index ? openTestPages(parts) : null,
  };
}

interface LogoutArrival {
  readonly arrival: Arrival;
  readonly secret: string | undefined;
  readonly browser: string;
  readonly origin: Origin;
}

/** Handles a LogoutRequest of a service provider, or its LogoutResponse to ours. Throws a `SamlError` if the message is not authentic. */
async function receiveLogout(dependencies: LogOutDependencies, message: LogoutArrival): Promise<SsoStep> {
  const { arrival, browser } = message;
  const isAnswer =
    arrival.binding === 'redirect'
      ? /(^|&)SAMLResponse=/.test(arrival.query)
      : arrival.fields['SAMLResponse'] !== undefined;
  const { providers } = dependencies.saml;
  const believed = await believe(arrival, isAnswer ? 'SAMLResponse' : 'SAMLRequest', { ...dependencies, providers });
  if (!isAnswer) return endAsAsked(dependencies, message, believed);
  const chain = { ...dependencies, ...dependencies.saml };
  const processState = await takeAnswer(chain, { ...believed, destination: arrival.destination, browser });
  return (await continueChain(chain, processState, browser)) ?? { kind: 'go', path: '/' };
}

/**
 * Ends the session that a LogoutRequest identifies. With a session cookie, that is its session, if the NameID and the session indexes match. Without
 * one (a cross-site POST may not send it), it is the only session that matches. Otherwise, and for a replayed request, the answer is
 * `UnknownPrincipal`.
 */
async function endAsAsked(
  dependencies: LogOutDependencies,
  { arrival, secret, browser, origin }: LogoutArrival,
  { provider, message, relayState }: { provider: ServiceProvider; message: Element; relayState: string | null },
): Promise<SsoStep> {
  const { clock, store } = dependencies;
  const { id, name, indexes } = readLogoutRequest(message, { destination: arrival.destination, clock });
  const own = provider.registration.id;
  const end: LogoutEnd & { kind: 'answer' } = { kind: 'answer', provider: own, inResponseTo: id, relayState };
  const chain = { ...dependencies, ...dependencies.saml };
  const isFirst = await noteLogout(dependencies, provider, id, browser);
  const meant = isFirst ? await sessionsKnownAs(store, { provider: own, name, indexes }) : [];
  const here = await sessionOfCookie(store.db, secret, clock.now());
  const session = here === null ? (meant.length === 1 ? meant[0] : undefined) : meant.find((one) => one === here.id);
  if (session === undefined) return answerLogout(chain, end, statuses.unknownPrincipal);
  const { through } = await logOut(dependencies, { which: { id: session }, origin, end, browser, but: own });
  return through === null ? answerLogout(chain, end, statuses.success) : { kind: 'go', path: through.path };
}
