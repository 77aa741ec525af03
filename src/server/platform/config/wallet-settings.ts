import { setting } from './setting.ts';
import { text } from './setting-values.ts';

export const walletSettings = {
  WALLET_ISSUERS: setting(
    '',
    text,
    'JSON file of the issuers whose credentials wallets may present: a list of `issuer`, `level` (1 to 3), `types` (vct), `keys` (JWKs of P-256) and `statusOrigins`; empty: no wallet signs in.',
  ),
  WALLET_SIGNER: setting(
    '',
    text,
    'PEM file with the certificate (and those above it) and the P-256 key that sign requests to wallets.',
  ),
  WALLET_SCHEME: setting('openid4vp://', text, 'What links to wallets begin with.'),
} as const;
