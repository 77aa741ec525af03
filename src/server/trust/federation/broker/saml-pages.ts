import type { Throttle } from '../../abuse/throttle.ts';
import type { Config } from '../../../platform/config/config.ts';
import { continueChain, framesOfChain } from '../saml/logout-chain.ts';
import type { LogOutNeeds } from './log-out.ts';
import { openTestPages, type TestPages } from './test-pages.ts';
import { receiveLogout, type LogoutArrival } from './receive-logout.ts';
import type { Arrival } from '../saml/arrival.ts';
import { madeOfKeys } from '../../../platform/keys/signing-keys.ts';
import { writeMetadata } from '../saml/own-metadata.ts';
import { continueRequest, receiveRequest, type SsoStep } from '../saml/sso.ts';
import { limits } from '../clients/limits.ts';

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
  needs: LogOutNeeds & {
    readonly config: Pick<Config, 'baseUrl' | 'brand' | 'flags'>;
    readonly throttle: Throttle;
  },
): SamlPages {
  const parts = { ...needs, ...needs.saml };
  const { config, throttle } = needs;
  const metadata = madeOfKeys(needs.saml.credentials, (credentials) =>
    writeMetadata({ credentials, baseUrl: config.baseUrl, organization: config.brand.product }),
  );
  return {
    get metadata() {
      return metadata();
    },
    async receiveRequest(arrival, { browser, address }) {
      await throttle.admit(limits.request, { address }, needs.clock.now());
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
      await throttle.admit(limits.logoutMessage, { address: message.origin.address }, needs.clock.now());
      return receiveLogout(needs, message);
    },
    continueLogout: (processState, browser) => continueChain(parts, processState, browser),
    logoutFrames: (processState, browser) => framesOfChain(parts, processState, browser),
    test: config.flags.saml_index ? openTestPages(parts) : null,
  };
}
