import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { readSettingFile } from '../base/errors.ts';
import type { ClientTlsFiles } from './config.ts';

/** Cipher suites with forward secrecy and authenticated encryption. Without its suites in the list, Node.js would disable TLS 1.3. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** Reads certificate and key of a listener from a PEM file. Throws a `StartError` that names the setting. */
export async function readListenerTlsOptions(file: string, setting: string): Promise<SecureContextOptions> {
  const pem = await readSettingFile(`The file of ${setting} (${file})`, () => readFile(file));
  return { cert: pem, key: pem, minVersion: 'TLSv1.2', ciphers };
}

/**
 * Reads the TLS options of an outgoing connection. If `roots` is set, trusts only its certificate authorities. Throws a `StartError` that names the
 * setting if a file cannot be used.
 */
export async function readClientTlsOptions({
  prefix,
  roots,
  certificate,
}: ClientTlsFiles): Promise<SecureContextOptions> {
  const tls = {
    rejectUnauthorized: true, // otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification
    ...(certificate !== null && (await readListenerTlsOptions(certificate, `${prefix}_CERT`))),
    ...(roots !== null && { ca: await readRootCertificates(roots, `${prefix}_ROOTS`) }),
  };
  return readSettingFile(`The file of ${prefix}_CERT (${certificate})`, async () => {
    createSecureContext(tls);
    return tls;
  });
}

/** Reads certificate authorities from a PEM file. Throws a `StartError` that names the setting if the file contains no certificate. */
export function readRootCertificates(file: string, setting: string): Promise<Buffer> {
  return readSettingFile(`The file of ${setting} (${file})`, async () => {
    const pem = await readFile(file);
    void new X509Certificate(pem); // throws if the file has no certificate, which the TLS options would silently ignore
    return pem;
  });
}
