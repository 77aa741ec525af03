import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { newSigner, answerLink, issueCredential, newIssuer, newKey } from './holder-wallet.ts';
import { sampleCitizens } from '../../server/app/sample/sample-citizens.ts';
import { escapeHtml } from '../../server/platform/base/escape-html.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { page, readOrigin, redirect, serve } from './sample-server.ts';

export const command: Command = {
  usage: `Usage:
  portal demo wallet    a wallet with the credential of a sample citizen; ORIGIN is its address
`,
  action: action({}, async ({ terminal }) => {
    const origin = readOrigin(terminal, 'http://127.0.0.1:4005');
    const folder = join(root, 'data/demo-wallet');
    const files = { WALLET_ISSUERS: join(folder, 'issuers.json'), WALLET_SIGNER: join(folder, 'signer.pem') };
    const issuer = await newIssuer({ issuer: 'https://emisor.example', level: 3, types: ['urn:eudi:pid:1'] });
    const holder = await newKey();
    await mkdir(folder, { recursive: true });
    await writeFile(files.WALLET_ISSUERS, JSON.stringify([issuer.entry], null, 2));
    await writeFile(files.WALLET_SIGNER, await newSigner());
    await serve(origin, (request, response) => answer(request, response, { origin, issuer, holder }));
    const settings = Object.entries(files).map(([name, file]) => `${name}=${relative(process.cwd(), file)}`);
    terminal.out(
      [
        '',
        `A wallet of ${citizen.firstName} (${citizen.document}): ${origin}`,
        `Start the portal: ${settings.join(' ')} WALLET_SCHEME=${origin}/ npm start`,
        'Then http://localhost:3000/login?useId4Verification=True; the link opens the wallet, and what a code says can be opened as an address, too.',
        '',
        '',
      ].join('\n'),
    );
  }),
};

const [citizen] = sampleCitizens;

/** What the wallet answers with: the issuer of its credential, and the key of its holder. */
interface Wallet {
  readonly origin: string;
  readonly issuer: Awaited<ReturnType<typeof newIssuer>>;
  readonly holder: Awaited<ReturnType<typeof newKey>>;
}

/** Shows a request, and answers it once the button is pressed. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, issuer, holder }: Wallet,
): Promise<void> {
  const { search, searchParams } = new URL(request.url ?? '/', origin);
  if (!searchParams.has('request_uri')) return page(response, 200, 'Sample wallet', '<p>No request.</p>');
  if (request.method !== 'POST')
    return page(
      response,
      200,
      'Sample wallet',
      `<p>${escapeHtml(new URL(searchParams.get('request_uri') ?? '').origin)} asks for the number of your document.</p><form method="post" action="/${escapeHtml(search)}"><button>Share ${citizen.document}</button></form>`,
    );
  const credential = await issueCredential(issuer, { number: citizen.document, holder });
  const { redirect_uri: back } = await answerLink(`openid4vp://${search}`, { credential, holder });
  if (back === undefined) page(response, 200, 'Sample wallet', '<p>Shared. Go on where you saw the code.</p>');
  else redirect(response, back);
}
