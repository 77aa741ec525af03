import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newCredential } from '../../server/trust/federation/saml/own-certificate.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { readOrigin } from './sample-server.ts';
import { identityProviderMetadata, providerEntries, startIdentityProviders } from './identity-provider.ts';

export const command: Command = {
  usage: `Usage:
  portal demo idp    sample identity providers, a foreign one (OpenID Connect) and a national one (SAML); ISSUER is the portal's address, ORIGIN theirs
`,
  action: action({}, async ({ terminal }) => {
    const portal = terminal.env['ISSUER'] ?? 'http://localhost:3000';
    const origin = readOrigin(terminal, 'http://localhost:4004');
    const folder = join(root, 'data/demo-idp');
    const file = join(folder, 'providers.json');

    const credential = await newCredential('demo-idp');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'metadata.xml'), identityProviderMetadata({ origin, credential }));
    await writeFile(file, JSON.stringify(providerEntries(origin, 'metadata.xml'), null, 2));
    await startIdentityProviders({ portal, origin, credential });
    terminal.out(
      `\nSample identity providers at ${origin}: gov.br (OpenID Connect), Identidad Abitab (SAML).\n` +
        `Start the portal: IDPS_FILE=${relative(process.cwd(), file)} npm start, then ${portal}/login\n\n`,
    );
  }),
};
