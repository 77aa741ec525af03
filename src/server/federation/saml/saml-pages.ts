import type { Config } from '../../config/config.ts';
import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../database/open-store.ts';
import type { Arrival } from './arrival.ts';
import { writeMetadata } from './own-metadata.ts';
import type { Saml } from './open-saml.ts';
import { continueRequest, receiveRequest, type SsoStep } from './sso.ts';

/** What the HTTP layer serves of the SAML provider. */
export interface SamlPages {
  /** XML. */
  readonly metadata: string;
  /** See `receiveRequest`. */
  receiveRequest(arrival: Arrival, browser: string): Promise<string>;
  /** See `continueRequest`. */
  continueRequest(request: {
    processState: string;
    browser: string | undefined;
    secret: string | undefined;
  }): Promise<SsoStep | null>;
}

/** The SAML provider's pages. */
export function openSamlPages(needs: {
  readonly config: Pick<Config, 'baseUrl' | 'brand'>;
  readonly clock: Clock;
  readonly store: Store;
  readonly saml: Saml;
}): SamlPages {
  const parts = { ...needs, ...needs.saml };
  const { config } = needs;
  return {
    metadata: writeMetadata({ ...parts, baseUrl: config.baseUrl, organization: config.brand.product }),
    receiveRequest: (arrival, browser) => receiveRequest(parts, arrival, browser),
    continueRequest: (request) => continueRequest(parts, request),
  };
}
