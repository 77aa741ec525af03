import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { demoClientAt, demoOrigin } from '../../server/trust/federation/clients/demo-client.ts';
import { oidcPaths } from '../../server/trust/federation/oidc/addresses.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { startRelyingParty } from './relying-party.ts';
import { readOrigin } from './sample-server.ts';

export const command: Command = {
  usage: `Usage:
  portal demo rp    a sample application (OpenID Connect)

Environment:
  ISSUER    origin of the portal, its BASE_URL (default: http://localhost:3000)
  ORIGIN    origin of the application, http with a port (default: ${demoOrigin}). A portal with sample data knows the
            default. For another one, or another portal, the command writes a CLIENTS_FILE and waits for a portal with it.
`,
  action: action({}, async ({ terminal }) => {
    const issuer = terminal.env['ISSUER'] ?? 'http://localhost:3000';
    const origin = readOrigin(terminal, demoOrigin);
    const { registration } = demoClientAt(origin);

    try {
      const known = await isKnown(issuer, origin);
      if (known === false || (known === null && origin !== demoOrigin)) {
        const folder = join(root, 'data/demo-rp');
        const file = join(folder, 'clients.json');
        await mkdir(folder, { recursive: true });
        await writeFile(file, JSON.stringify([registration], null, 2));
        terminal.out(`\nStart the portal now: CLIENTS_FILE=${relative(process.cwd(), file)} npm start\n`);
        while (!(await isKnown(issuer, origin))) await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      await startRelyingParty({ issuer, origin, clientId: registration.id });
      terminal.out(`\nSample relying party: ${origin} (signs in at ${issuer})\n\n`);
    } catch (error) {
      terminal.err(
        `The sample relying party cannot start: ${error instanceof Error ? error.message : String(error)}\n` +
          `Is the portal running at ${issuer}? Set ISSUER to its address otherwise.\n`,
      );
      return 1;
    }
  }),
};

/** Whether the portal has the application registered: it sends a request without PKCE back to a registered address only. Returns `null` if no portal answers. */
async function isKnown(issuer: string, origin: string): Promise<boolean | null> {
  const { id, redirectUris } = demoClientAt(origin).registration;
  const query = new URLSearchParams({ client_id: id, redirect_uri: redirectUris[0] ?? '', response_type: 'code' });
  return fetch(`${issuer}${oidcPaths.authorize}?${query}`, { redirect: 'manual' }).then(
    ({ status }) => status === 303,
    () => null,
  );
}
