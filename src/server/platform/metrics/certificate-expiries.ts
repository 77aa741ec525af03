import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

/** End of the first certificate in the file of a setting. */
export interface Expiry {
  readonly setting: string;
  readonly at: Date;
}

type Files = Pick<Config, 'tlsFile' | 'registry' | 'card' | 'wallet'>;

/** Reads when the certificates end that this server shows to others. Leaves out files that cannot be read, which the parts that use them report. */
export async function readExpiries({ tlsFile, registry, card, wallet }: Files): Promise<readonly Expiry[]> {
  const files = {
    TLS_FILE: tlsFile,
    REGISTRY_CERT: registry?.certificate,
    CARD_TLS: card?.tls,
    WALLET_SIGNER: wallet?.signer,
  };
  const expiries = await Promise.all(
    Object.entries(files).map(async ([setting, file]) => {
      if (!file) return [];
      const certificate = await readFile(file)
        .then((pem) => new X509Certificate(pem))
        .catch(() => null);
      return certificate === null ? [] : [{ setting, at: new Date(certificate.validTo) }];
    }),
  );
  return expiries.flat();
}
