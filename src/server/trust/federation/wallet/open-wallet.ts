import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { StartError } from '../../../platform/base/start-error.ts';
import type { Config } from '../../../platform/config/config.ts';
import { readIssuers, type WalletIssuers } from './issuers.ts';

export interface Wallet {
  /** Client id with the hash of the certificate (OpenID4VP 1.0, section 5.9.3). */
  readonly clientId: string;
  /** Certificate chain of the request signature in base64, with the signing certificate first. */
  readonly chain: readonly string[];
  readonly key: KeyObject;
  readonly issuers: WalletIssuers;
  /** Beginning of the links that open a wallet. */
  readonly scheme: string;
}

/** Reads the configured files. Returns `null` if wallets are not configured. Throws a `StartError`. */
export async function openWallet({ wallet }: Pick<Config, 'wallet'>): Promise<Wallet | null> {
  if (wallet === null) return null;
  const { chain, key } = await readSigner(wallet.signer);
  const [leaf] = chain;
  const digest = createHash('sha256')
    .update(leaf?.raw ?? '')
    .digest('base64url');
  return {
    clientId: `x509_hash:${digest}`,
    chain: chain.map(({ raw }) => raw.toString('base64')),
    key,
    issuers: await readIssuers(wallet.issuers),
    scheme: wallet.scheme,
  };
}

async function readSigner(file: string): Promise<{ chain: readonly X509Certificate[]; key: KeyObject }> {
  try {
    const pem = await readFile(file, 'utf8');
    const chain = [...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
      ([text]) => new X509Certificate(text),
    );
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('its key is not one of P-256');
    if (chain[0]?.checkPrivateKey(key) !== true) throw new Error('its first certificate is not that of its key');
    return { chain, key };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The file of WALLET_SIGNER (${file}) cannot be used: ${reason}`, { cause });
  }
}
