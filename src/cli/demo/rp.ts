import { demoClient, demoOrigin } from '../../server/trust/federation/clients/demo-client.ts';
import { startRelyingParty } from './relying-party.ts';

const issuer = process.env['ISSUER'] ?? 'http://localhost:3000';
const origin = process.env['ORIGIN'] ?? demoOrigin;

try {
  await startRelyingParty({ issuer, origin, clientId: demoClient.registration.id });
  process.stdout.write(`\nSample relying party: ${origin} (signs in at ${issuer})\n\n`);
} catch (error) {
  process.stderr.write(
    `The sample relying party cannot start: ${error instanceof Error ? error.message : String(error)}\n` +
      `Is the portal running at ${issuer}? Set ISSUER to its address otherwise.\n`,
  );
  process.exitCode = 1;
}
