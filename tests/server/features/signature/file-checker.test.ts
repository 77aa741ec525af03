import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createSignedFileChecker,
  type SignedFileChecker,
} from '../../../../src/server/features/signature/verification/signed-file-checker.ts';
import { writeTextPdf } from '../../../../src/server/features/signature/write-pdf.ts';
import { OperationError } from '../../../../src/server/platform/base/errors.ts';
import { parseCertificate } from '../../../../src/server/trust/certificates/certificate.ts';
import { createSmallBuiltCopy } from '../../support/built-copy.ts';
import { issuePerson, issueRoot } from '../../support/certificates.ts';
import { signPdf } from '../../support/sign-pdf.ts';

const now = new Date('2071-03-04T15:00:00Z');
const statement = writeTextPdf({ language: 'es', title: 'Declaración', paragraphs: ['Yo, María, declaro.'] });
const document = { country: 'uy', type: 'ci', number: '50234162' };
const stuck = fileURLToPath(new URL('../../support/stuck-worker.ts', import.meta.url));

let checker: SignedFileChecker;
afterEach(() => checker.close());

const outcome = (file: Buffer | string, sender = 'one'): Promise<string> =>
  checker.checkFile({ file: Buffer.from(file), statement, document, now }, sender).then(
    ({ signer }) => signer.form,
    (error: { status: number; code: string }) => `${error.status} ${error.code}`,
  );

describe('[SEG+FIRMA] createSignedFileChecker', () => {
  test('returns the signer and the certificate path of a file, and the error of an invalid one', async () => {
    const root = await issueRoot(now);
    const person = await issuePerson(now, root, 'CI50234162');
    checker = createSignedFileChecker([parseCertificate(new Uint8Array(root.certificate.rawData))]);
    const file = await signPdf(statement, person);
    const { signer, path } = await checker.checkFile({ file, statement, document, now }, 'one');
    expect(signer.form).toBe('pdf');
    expect(path.map(({ x509 }) => x509.serialNumber)).toEqual([
      person.certificate.serialNumber.toUpperCase(),
      root.certificate.serialNumber.toUpperCase(),
    ]);
    expect(await outcome(statement)).toBe('400 firma_ausente');
    expect(await outcome(await signPdf(statement, await issuePerson(now, root, 'CI45123784')))).toBe(
      '400 certificado_ajeno',
    );
  });

  test.each([
    ['takes too long', 'loop'],
    ['takes too much memory', 'remember'],
    ['throws', 'throw'],
    ['ends the thread', 'exit'],
  ])('rejects a file that %s, and checks the next one', async (_name, act) => {
    const limits = act === 'loop' ? { timeoutMs: 200 } : { timeoutMs: 60_000 };
    checker = createSignedFileChecker([], { script: stuck, threads: 1, memoryMb: 64, ...limits });
    expect(await outcome(act)).toBe('400 firma_ilegible');
    expect(await outcome('refuse')).toBe('400 firma_invalida');
  });

  test('returns 503 if too many files are waiting', async () => {
    checker = createSignedFileChecker([], { script: stuck, threads: 1, waiting: 1, timeoutMs: 200 });
    const outcomes = await Promise.all([outcome('loop', 'one'), outcome('refuse', 'two'), outcome('refuse', 'three')]);
    expect(outcomes).toEqual(['400 firma_ilegible', '400 firma_invalida', '503 servidor_ocupado']);
  });

  test('uses one thread per sender, so that files of others are checked meanwhile', async () => {
    checker = createSignedFileChecker([], { script: stuck, threads: 2, waiting: 0, timeoutMs: 60_000 });
    let isHeld = true;
    const held = [outcome('loop', 'one'), outcome('loop', 'one'), outcome('loop', 'one')];
    void Promise.all(held).then(() => (isHeld = false));
    expect(await outcome('refuse', 'two')).toBe('400 firma_invalida');
    expect(isHeld).toBe(true);
    await checker.close();
    expect(new Set(await Promise.all(held))).toEqual(new Set(['503 servidor_ocupado']));
  });

  test('rejects with an internal error if a thread cannot start', async () => {
    checker = createSignedFileChecker([], { script: '/nowhere/at-all.ts' });
    await expect(checker.checkFile({ file: statement, statement, document, now }, 'one')).rejects.not.toBeInstanceOf(
      OperationError,
    );
  });
});

test('[SEG+FIRMA] createSignedFileChecker finds its worker in a built copy with only production packages', async () => {
  checker = createSignedFileChecker([]);
  const copy = createSmallBuiltCopy();
  try {
    const root = await issueRoot(now);
    const file = await signPdf(statement, await issuePerson(now, root, 'CI50234162'));
    writeFileSync(join(copy, 'root.der'), Buffer.from(root.certificate.rawData));
    writeFileSync(join(copy, 'statement.pdf'), statement);
    writeFileSync(join(copy, 'signed.pdf'), file);
    writeFileSync(join(copy, 'src/check.ts'), checkInCopy);
    const output = execFileSync(process.execPath, ['src/cli/run.mjs', 'src/check.ts'], { cwd: copy, encoding: 'utf8' });
    expect(output).toBe('pdf 2\n');
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});

const checkInCopy = `
import { readFileSync } from 'node:fs';
import { createSignedFileChecker } from './server/features/signature/verification/signed-file-checker.ts';
import { parseCertificate } from './server/trust/certificates/certificate.ts';
const checker = createSignedFileChecker([parseCertificate(readFileSync('root.der'))]);
const { signer, path } = await checker.checkFile({
  file: readFileSync('signed.pdf'),
  statement: readFileSync('statement.pdf'),
  document: ${JSON.stringify(document)},
  now: new Date('${now.toISOString()}'),
}, 'one');
console.log(signer.form, path.length);
`;
