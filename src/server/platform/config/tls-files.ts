import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { describeError, readSettingFile, StartError } from '../base/errors.ts';
import type { ClientTlsFiles } from './config.ts';

/**
 * Cipher suites with forward secrecy and authenticated encryption. The list includes suites of TLS 1.3, because Node.js would otherwise disable
 * that version.
 */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/**
 * Returns the TLS options of every listener, with certificate and key from a PEM file. Throws a `StartError` that names the setting if the file
 * cannot be read.
 */
export async function readTlsOptions(file: string, setting: string): Promise<SecureContextOptions> {
  try {
    const pem = await readFile(file);
    return { cert: pem, key: pem, minVersion: 'TLSv1.2', ciphers };
  } catch (cause) {
    throw new StartError(`The file of ${setting} (${file}) cannot be read.`, { cause });
  }
}

/**
 * Returns the TLS options of an outgoing connection. If `roots` is set, only its certificate authorities are trusted. Throws a `StartError` that
 * names the setting if a file cannot be used.
 */
export async function readClientTlsOptions({
  prefix,
  roots,
  certificate,
}: ClientTlsFiles): Promise<SecureContextOptions> {
  const tls = {
    rejectUnauthorized: true, // otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate verification
    ...(certificate !== null && (await readTlsOptions(certificate, `${prefix}_CERT`))),
    ...(roots !== null && { ca: await readRootCertificates(roots, `${prefix}_ROOTS`) }),
  };
  try {
    createSecureContext(tls);
    return tls;
  } catch (cause) {
    throw new StartError(`The file of ${prefix}_CERT (${certificate}) cannot be used: ${describeError(cause)}`, {
      cause,
    });
  }
}

/** Reads a PEM file of certificate authorities. Throws a `StartError` that names the setting if it contains none. */
export function readRootCertificates(file: string, setting: string): Promise<Buffer> {
  return readSettingFile(`The file of ${setting} (${file})`, async () => {
    const pem = await readFile(file);
    void new X509Certificate(pem); // throws if the file has no certificate, which the TLS options would silently ignore
    return pem;
  });
}
