import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleCitizens, type SampleCitizen } from '../../src/server/app/sample/sample-citizens.ts';
import { samlPaths } from '../../src/server/trust/federation/saml/names.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import { freePort } from '../server/support/free-port.ts';
import { decide } from '../server/support/relying-party.ts';
import { followSaml, newProvider, type TestProvider } from '../server/support/service-provider.ts';
import { load, type ServerFigures } from './load.ts';

/** A sign-in of one citizen for one service provider. */
interface Flow {
  readonly provider: TestProvider;
  readonly origin: string;
  readonly citizen: SampleCitizen;
}

/**
 * Measures sign-ins by SAML as `measureOidc` does those by OpenID Connect: signed requests by redirect, signed responses and assertions by POST, read by an
 * off-the-shelf service provider; each in a browser of its own that signs in by document and password, then in one that is signed in.
 */
export async function measureSaml(): Promise<readonly ServerFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-saml-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  let certificate = '';
  const provider = await newProvider(origin, () => certificate);
  const samlFile = join(folder, 'saml.json');
  await writeFile(join(folder, 'sp.xml'), provider.metadata);
  await writeFile(
    samlFile,
    JSON.stringify([{ id: 'bench', name: 'Bench', scopes: ['personal_info', 'document'], metadata: 'sp.xml' }]),
  );
  const portal = await startPortal({ PORT: String(port), SAML_FILE: samlFile });
  try {
    const metadata = await (await fetch(`${origin}${samlPaths.metadata}`)).text();
    certificate = /<(?:\w+:)?X509Certificate>([^<]+)</.exec(metadata)?.[1] ?? '';
    const [citizen] = sampleCitizens; // the one whose account is active and complete
    const flow: Flow = { provider, origin, citizen };
    const browser = await signInFor(flow); // consents on the way
    return [
      await load('SAML responses with a sign-in', 6, () => signInFor(flow)),
      await load('SAML responses for a signed-in browser', 6, () => authenticate(flow, browser)),
    ];
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function signInFor(flow: Flow): Promise<Browser> {
  const browser = openBrowser(flow.origin);
  await authenticate(flow, browser);
  return browser;
}

/** One request and its response, with as much of sign-in and consent as the provider asks for; throws where it does not end in the citizen's data. */
async function authenticate({ provider, origin, citizen }: Flow, browser: Browser): Promise<void> {
  let outcome = await followSaml(browser, await provider.saml.getAuthorizeUrlAsync('', undefined, {}), origin);
  const processState = typeof outcome === 'string' && new URL(outcome).searchParams.get('process_state');
  if (processState) {
    const way = new URL(
      await browser.signIn({ document: citizen.document, password: citizen.password ?? '', processState }),
      origin,
    );
    outcome = await followSaml(browser, way.searchParams.get('redirect_uri') ?? way.href, origin); // past the reminder of the second factor
  }
  if (typeof outcome === 'string' && outcome.includes('/autorizacion'))
    outcome = await followSaml(browser, await decide(browser, outcome, origin), origin);
  if (typeof outcome === 'string') throw new Error(`nothing was handed over: ${outcome}`);
  const { nameID } = await provider.read(outcome.fields);
  if (!nameID.endsWith(citizen.document)) throw new Error(`${nameID} is not ${citizen.document}`);
}
