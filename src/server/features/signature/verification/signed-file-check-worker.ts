import { parentPort, workerData } from 'node:worker_threads';
import { OperationError } from '../../../platform/base/errors.ts';
import { parseCertificate } from '../../../trust/certificates/certificate.ts';
import type { SignedFileCheckReply, SignedFileCheckRequest } from './signed-file-checker.ts';
import { checkSignedFile } from './verify-signed-statement.ts';

/** Trusted certificate authorities, from `createSignedFileChecker`, which runs this module in a worker thread and sends it one request at a time. */
const roots = (workerData as readonly Uint8Array[]).map(parseCertificate);

async function handleRequest({
  file,
  statement,
  document,
  now,
}: SignedFileCheckRequest): Promise<SignedFileCheckReply> {
  try {
    const signed = { file: Buffer.from(file), statement: Buffer.from(statement), document, now };
    const { signer, path } = await checkSignedFile(signed, roots);
    return { signer, path: path.map(({ x509 }) => new Uint8Array(x509.raw)) };
  } catch (error) {
    // For some malformed structures, the libraries throw errors of their own
    const { code, cause } = error instanceof OperationError ? error : { code: 'firma_ilegible', cause: error };
    return { refusal: code, reason: cause instanceof Error ? cause.message : null };
  }
}

parentPort?.on('message', (request: SignedFileCheckRequest) => {
  void handleRequest(request).then((reply) => parentPort?.postMessage(reply));
});
parentPort?.postMessage('ready');
