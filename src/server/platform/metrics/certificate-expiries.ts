import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Config } from '../config/config.ts';

/** Expiry time of the first certificate in the file of a setting. */
export interface CertificateExpiry {
  readonly setting: string;
  readonly at: Date;
}

/**
 * Reads the expiry times of the certificates that this server presents to others. Omits unreadable files, because the modules that use them report
 * the error.
 */
export async function readCertificateExpiries(config: Config): Promise<readonly CertificateExpiry[]> {
  const { tlsFile, clientTls, card, wallet, databaseUrl } = config;
  const [, databaseCertificate] = /[?&]sslcert=([^&]+)/.exec(databaseUrl ?? '') ?? [];
  const files = {
    TLS_FILE: tlsFile,
    CARD_TLS: card?.tls,
    WALLET_SIGNER: wallet?.signer,
    DATABASE_URL: databaseCertificate && decodeURIComponent(databaseCertificate),
    ...Object.fromEntries(clientTls.map(({ prefix, certificate }) => [`${prefix}_CERT`, certificate])),
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
