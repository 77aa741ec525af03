import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { sampleCitizens } from '../../server/app/sample/sample-citizens.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { makeCardAuthority, type SampleCard } from './card-authority.ts';

const folder = join(root, 'data/demo-card');
const port = 3443;
const password = 'cedula';

export const command: Command = {
  usage: `Usage:
  portal demo card    makes two sample cards and says how to sign in with them
`,
  action: action({}, async ({ terminal }) => {
    const authority = await makeCardAuthority(folder, { document: sampleCitizens[0].document, host: 'localhost' });
    const files = await Promise.all([authority.good, authority.revoked].map(writeBundle));
    const settings = {
      FLAGS: 'ci_electronica=on',
      CARD_URL: `https://localhost:${port}`,
      CARD_PORT: String(port),
      ...Object.fromEntries(Object.entries(authority.settings).map(([name, file]) => [name, shown(file)])),
    };
    terminal.out(
      [
        '',
        `Two cards of ${sampleCitizens[0].firstName} (${sampleCitizens[0].document}), the second one revoked: ${files.map(shown).join(', ')} (password: ${password})`,
        '',
        'Start the portal: ' +
          Object.entries(settings)
            .map(([name, value]) => `${name}=${value}`)
            .join(' ') +
          ' npm start',
        '',
        'Import a card as a personal certificate, in place of a reader and a chip:',
        '  Firefox: Settings, Privacy & Security, View Certificates, Your Certificates, Import',
        `  Chrome on Linux: pk12util -d sql:$HOME/.pki/nssdb -i ${shown(files[0] ?? '')} (package libnss3-tools)`,
        '  Chrome and Edge on Windows, Safari and Chrome on macOS: open the file',
        `Then http://localhost:3000/auth/login-con-ci; the browser warns of the listener's certificate unless ${shown(authority.settings.CARD_ROOTS)} is trusted.`,
        'Remove what you imported afterwards.',
        '',
        '',
      ].join('\n'),
    );
  }),
};

/** Certificate and key in the one file that browsers import (PKCS #12). */
async function writeBundle({ name, certificate, key }: SampleCard): Promise<string> {
  const [source, bundle] = [join(folder, `${name}.pem`), join(folder, `${name}.p12`)];
  await writeFile(source, `${certificate}\n${key}`);
  try {
    await promisify(execFile)('openssl', [
      'pkcs12',
      '-export',
      '-in',
      source,
      '-out',
      bundle,
      '-passout',
      `pass:${password}`,
    ]);
  } finally {
    await rm(source);
  }
  return bundle;
}

function shown(file: string): string {
  return relative(process.cwd(), file);
}
