import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as client from 'openid-client';
import { sampleCitizens, type SampleCitizen } from '../../src/server/app/sample/sample-citizens.ts';
import { scopeNames } from '../../src/server/trust/federation/clients/scopes.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { openBrowser } from '../server/support/browser.ts';
import { beginFlow, callback, decide, finishFlow, follow, relyingParty } from '../server/support/relying-party.ts';
import { load, type ServerFigures } from './load.ts';

/** A whole sign-in for an application, and what an application gets from a citizen who is signed in already. */
interface Flow {
  readonly config: client.Configuration;
  readonly origin: string;
  readonly citizen: SampleCitizen;
}

/**
 * Measures code flows with PKCE by an off-the-shelf relying party over plain HTTP, from the request to the userinfo, with consent
 * given before: each in a browser of its own that signs in by document and password, then in one that is signed in.
 */
export async function measureOidc(): Promise<readonly ServerFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-clients-'));
  const portal = await startPortal({ CLIENTS_FILE: await benchClient(folder) });
  try {
    const flows = await openFlows(portal.url);
    return [
      await load('OIDC code flows with a sign-in', 6, () => flows.signIn()),
      await load('OIDC code flows of a signed-in browser', 6, () => flows.again()),
    ];
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the file of the application that asks for them; answers its path. */
export async function benchClient(folder: string): Promise<string> {
  const clients = join(folder, 'clients.json');
  await writeFile(
    clients,
    JSON.stringify([{ id: 'bench', name: 'Bench', redirectUris: [callback], scopes: [...scopeNames] }]),
  );
  return clients;
}

/** Code flows at a portal: in a browser of its own that signs in, and again in one that is signed in. */
export async function openFlows(origin: string) {
  const config = await relyingParty(origin, 'bench', '');
  const [citizen] = sampleCitizens; // the one whose account is active and complete
  const flow: Flow = { config, origin, citizen };
  const browser = await signInFor(flow); // consents on the way
  return { signIn: () => signInFor(flow), again: () => authorize(flow, browser) };
}

async function signInFor(flow: Flow) {
  const browser = openBrowser(flow.origin);
  await authorize(flow, browser);
  return browser;
}

/** One code flow, with as much of sign-in and consent as the provider asks for; throws where it does not end in the citizen's data. */
async function authorize({ config, origin, citizen }: Flow, browser: ReturnType<typeof openBrowser>): Promise<void> {
  const request = await beginFlow(config);
  let address = await follow(browser, request.url.href, origin);
  const processState = new URL(address).searchParams.get('process_state');
  if (processState !== null) {
    const way = new URL(
      await browser.signIn({ document: citizen.document, password: citizen.password ?? '', processState }),
      origin,
    );
    address = await follow(browser, way.searchParams.get('redirect_uri') ?? way.href, origin); // past the reminder of the second factor
  }
  if (address.includes('/autorizacion')) address = await decide(browser, address, origin);
  const tokens = await finishFlow(request, address);
  await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '');
}
