import { demoClient, demoOrigin } from '../../server/trust/federation/clients/demo-client.ts';
import { action, type Command } from '../command.ts';
import { startRelyingParty } from './relying-party.ts';

export const command: Command = {
  usage: `Usage:
  portal demo rp    a sample application (OpenID Connect); ISSUER is the portal's address, ORIGIN its own
`,
  action: action({}, async ({ terminal }) => {
    const issuer = terminal.env['ISSUER'] ?? 'http://localhost:3000';
    const origin = terminal.env['ORIGIN'] ?? demoOrigin;

    try {
      await startRelyingParty({ issuer, origin, clientId: demoClient.registration.id });
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
