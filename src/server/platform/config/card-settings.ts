import { readNetworks } from '../base/addresses.ts';
import { setting } from './setting-values.ts';
import { optional, optionalPort, origin, text } from './setting-values.ts';

export const cardSettings = {
  CARD_URL: setting(
    '',
    optional(origin),
    'Origin at which browsers show an identity card, of the own listener (CARD_PORT) or of a proxy (CARD_PROXY), with a port or host of its own: its TLS asks for a certificate.',
  ),
  CARD_PORT: setting(
    '',
    optionalPort,
    'Port of a listener of the portal whose TLS asks for the card; empty: a proxy does.',
  ),
  CARD_TLS: setting('', text, 'PEM file with certificate and key of that listener.'),
  CARD_PROXY: setting(
    '',
    readNetworks,
    'Addresses and networks of the proxy whose header X-Client-Cert (PEM, percent-encoded) is believed, separated by commas; from anywhere else it is not.',
  ),
  CARD_PROXY_SECRET: setting(
    '',
    text,
    'What that proxy sends in X-Card-Secret beside it, at the origin of the card alone: 32 characters or more.',
    'secret',
  ),
  CARD_ROOTS: setting('', text, 'PEM file of the authorities that issue identity cards.'),
  CARD_CRLS: setting(
    '',
    text,
    'PEM file of their revocation lists, read again when it is renewed: a card that no current one speaks of does not sign in.',
  ),
} as const;
