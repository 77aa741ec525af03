import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { operationErrorCodes, commonErrorCodes } from '../../src/contract/error-codes.ts';

const src = resolve(import.meta.dirname, '../../src');
const code = ['server', 'contract/client.ts']
  .flatMap((part) =>
    part.endsWith('.ts')
      ? [join(src, part)]
      : readdirSync(join(src, part), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => join(src, part, name)),
  )
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test.each([...new Set([...Object.values(operationErrorCodes).flat(), ...commonErrorCodes])])(
  '[EST-02] declared error %s occurs in the sources of the server or the client',
  (declared) => {
    expect(code).toContain(`'${declared}'`);
  },
);
