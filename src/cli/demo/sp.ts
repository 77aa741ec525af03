import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newCredential } from '../../server/trust/federation/saml/own-certificate.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { readOrigin } from './sample-server.ts';
import { serviceProviderMetadata, startServiceProvider } from './service-provider.ts';

export const command: Command = {
  usage: `Usage:
  portal demo sp    a sample application (SAML); ISSUER is the portal's address, ORIGIN its own
`,
  action: action({}, async ({ terminal }) => {
    const issuer = terminal.env['ISSUER'] ?? 'http://localhost:3000';
    const origin = readOrigin(terminal, 'http://127.0.0.1:4002');
    const folder = join(root, 'data/demo-sp');
    const file = join(folder, 'providers.json');

    const credential = await newCredential('demo-sp');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'metadata.xml'), serviceProviderMetadata({ origin, credential }));
    await writeFile(
      file,
      JSON.stringify(
        [
          {
            id: 'demo-sp',
            name: 'Demo SAML',
            metadata: 'metadata.xml',
          },
        ],
        null,
        2,
      ),
    );
    terminal.out(`\nStart the portal now: SAML_FILE=${relative(process.cwd(), file)} npm start\n`);
    for (;;) {
      const up = await fetch(`${issuer}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (up) break;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    await startServiceProvider({ issuer, origin, credential });
    terminal.out(`Sample service provider: ${origin} (signs in at ${issuer})\n\n`);
  }),
};
