import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, root } from './source-texts.ts';

const file = 'src/server/security/cryptography.md';
const libraries = [
  'node:crypto',
  'jose',
  '@node-rs/argon2',
  'xml-crypto',
  'xml-encryption',
  'pkijs',
  'pkcs11js',
  '@simplewebauthn/server',
  'otplib',
  'altcha-lib',
  '@sd-jwt/sd-jwt-vc',
];

/** Names that each file imports from cryptographic modules. Excludes the demos, which are not in a release. */
function listUses(): ReadonlyMap<string, string> {
  const files = ['src', 'plugins'].flatMap((folder) => listFiles(folder, /\.(?:tsx?|mjs)$/));
  const uses = files
    .filter((path) => !path.startsWith('src/demo/') && !/\.test\./.test(path))
    .map((path): [string, string] => [path, describeUse(readFileSync(join(root, path), 'utf8'))]);
  return new Map(uses.filter(([, use]) => use !== ''));
}

function describeUse(source: string): string {
  const imports = [...source.matchAll(/import (?!type )([^;]*?) from '([^']+)'|import\('([^']+)'\)/g)];
  const used = imports.flatMap(([, names = '', path, lazy]) => {
    const library = libraries.find((one) => (path ?? lazy ?? '') === one || (path ?? lazy)?.startsWith(`${one}/`));
    const values = names
      .split(/[{},]/)
      .map((name) => name.trim().replace(/ as .*/, ''))
      .filter((name) => name !== '' && !name.startsWith('type '));
    if (library === undefined || (values.length === 0 && lazy === undefined)) return [];
    return [`${library}${values.length === 0 ? '' : `: ${values.sort().join(', ')}`}`];
  });
  const web = /\bcrypto\.(?:subtle|getRandomValues)\b/.test(source) ? ['Web Cryptography'] : [];
  return [...new Set([...used, ...web])].join('; ');
}

const text = readFileSync(join(root, file), 'utf8');
const purposes = new Map(
  [...text.matchAll(/^\| `([^`]+)` \| .* \| (.*) \|$/gm)].map(([, path = '', why = '']) => [path, why]),
);

test('[SEC-11] [ASVS-11.1.3] cryptography.md lists every file that imports cryptography, with what it imports and for which purpose', async () => {
  const uses = listUses();
  expect(uses.size).toBeGreaterThan(50);
  expect(uses.get('src/server/platform/keys/pkcs11.ts')).toBe('node:crypto: createHash; pkcs11js');
  const rows = [...uses].map(([path, use]) => `| \`${path}\` | ${use} | ${purposes.get(path) ?? ''} |`);
  const head = text.slice(0, text.indexOf('| file |'));
  await expect(`${head}| file | imports | purpose |\n| --- | --- | --- |\n${rows.join('\n')}\n`).toMatchFileSnapshot(
    join(root, file),
  );
  expect(
    [...uses.keys()].filter((path) => !purposes.get(path)),
    `write their purpose into ${file}`,
  ).toEqual([]);
});

test('[ASVS-11.4.1] SHA-1 and MD5 are in no file but those of protocols that fix them', () => {
  const named = ['src', 'plugins']
    .flatMap((folder) => listFiles(folder, /\.(?:tsx?|mjs)$/))
    .filter((path) => /['"#-](?:md5|sha-?1)['"]/i.test(readFileSync(join(root, path), 'utf8')));
  expect(named).toEqual([
    'src/server/features/signature/verification/verify-cms-signature.ts',
    'src/server/features/video-room/room-events.ts',
    'src/server/trust/federation/saml/saml-response.ts',
    'src/server/trust/federation/saml/single-sign-on.ts',
  ]);
});
