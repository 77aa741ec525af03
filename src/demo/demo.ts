import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pagePaths } from '../contract/page-paths.ts';
import { createDemoClient, demoClientOrigin, sampleCitizens } from '../server/app/sample/sample-citizens.ts';
import { escapeHtml } from '../engine/core/values/escape-html.ts';
import { oidcPaths } from '../server/trust/federation/oidc/oidc-paths.ts';
import { generateSamlCredential } from '../server/trust/federation/saml/open-saml.ts';
import { createCardAuthority, createSampleSignerCertificate } from './sample-card-authority.ts';
import {
  buildIdentityProviderMetadata,
  buildIdentityProviderEntries,
  startIdentityProviders,
} from './sample-identity-providers.ts';
import { buildServiceProviderMetadata, startRelyingParty, startServiceProvider } from './sample-applications.ts';
import {
  listenOnOrigin,
  createSampleApplicationServer,
  parseSampleOrigin,
  sendHtmlPage,
} from './sample-application-server.ts';
import {
  answerPresentationLink,
  issueSampleCredential,
  createSampleCredentialIssuer,
  createSampleSigningKey,
} from './sample-wallet.ts';

const name = process.argv[2] ?? '';
const issuer = process.env['ISSUER'] ?? 'http://localhost:3000';
const [citizen] = sampleCitizens;
const holder = `${citizen.firstName} (${citizen.document})`;

const samples: Readonly<Record<string, () => Promise<string>>> = {
  async rp() {
    const origin = readOrigin(demoClientOrigin);
    const { registration } = createDemoClient(origin);
    const [redirect_uri = ''] = registration.redirectUris;
    const query = new URLSearchParams({ client_id: registration.id, redirect_uri, response_type: 'code' });
    // Checks whether the sample is registered, with an authorization request without PKCE: the portal redirects with an
    // error (303) only to a registered redirect URI.
    const probe = () => fetchStatus(`${issuer}${oidcPaths.authorize}?${query}`);
    const status = await probe();
    if (status === null ? origin !== demoClientOrigin : status !== 303) {
      const file = await writeSampleFile('clients.json', [registration]);
      print(`Start the portal now: CLIENTS_FILE=${file} npm start`);
      while ((await probe()) !== 303) await sleep(1_000);
    }
    await startRelyingParty({ issuer, origin, clientId: registration.id });
    return `Sample relying party: ${origin} (signs in at ${issuer})`;
  },

  async sp() {
    const origin = readOrigin('http://127.0.0.1:4002');
    const credential = await generateSamlCredential('demo-sp');
    await writeSampleFile('metadata.xml', buildServiceProviderMetadata({ origin, credential }));
    const provider = { id: 'demo-sp', name: 'Demo SAML', metadata: 'metadata.xml' };
    print(`Start the portal now: SAML_FILE=${await writeSampleFile('providers.json', [provider])} npm start`);
    while ((await fetchStatus(`${issuer}/healthz`)) !== 200) await sleep(1_000);
    await startServiceProvider({ issuer, origin, credential });
    return `Sample service provider: ${origin} (signs in at ${issuer})`;
  },

  async idp() {
    const origin = readOrigin('http://localhost:4004');
    const credential = await generateSamlCredential('demo-idp');
    await writeSampleFile('metadata.xml', buildIdentityProviderMetadata({ origin, credential }));
    const file = await writeSampleFile('providers.json', buildIdentityProviderEntries(origin, 'metadata.xml'));
    await startIdentityProviders({ portal: issuer, origin, credential });
    return `Sample identity providers at ${origin}: gov.br (OpenID Connect), Identidad Abitab (SAML).
Start the portal: IDPS_FILE=${file} npm start, then ${issuer}${pagePaths.login}`;
  },

  async wallet() {
    const origin = readOrigin('http://127.0.0.1:4005');
    const issuing = await createSampleCredentialIssuer({
      issuer: 'https://emisor.example',
      level: 3,
      types: ['urn:eudi:pid:1'],
    });
    const key = await createSampleSigningKey();
    const app = createSampleApplicationServer();
    app.get<{ Querystring: { request_uri?: string } }>('/', ({ query, url }, reply) => {
      if (query.request_uri === undefined) return sendHtmlPage(reply, 'Sample wallet', '<p>No request.</p>');
      const asks = `${escapeHtml(new URL(query.request_uri).origin)} asks for the number of your document.`;
      const form = `<form method="post" action="${escapeHtml(url)}"><button>Share ${citizen.document}</button></form>`;
      return sendHtmlPage(reply, 'Sample wallet', `<p>${asks}</p>${form}`);
    });
    app.post('/', async ({ url }, reply) => {
      const credential = await issueSampleCredential(issuing, { number: citizen.document, holder: key });
      const { redirect_uri: back } = await answerPresentationLink(`openid4vp://${url}`, { credential, holder: key });
      if (back !== undefined) return reply.redirect(back);
      return sendHtmlPage(reply, 'Sample wallet', '<p>Shared. Go on where you saw the code.</p>');
    });
    await listenOnOrigin(app, origin);
    const issuers = await writeSampleFile('issuers.json', [issuing.entry]);
    return `A wallet of ${holder}: ${origin}
Start the portal: WALLET_ISSUERS=${issuers} WALLET_SIGNER=${await writeSampleFile('signer.pem', await createSampleSignerCertificate())} WALLET_SCHEME=${origin}/ npm start
Then http://localhost:3000/login?useId4Verification=True; the link opens the wallet, and the address of a code can be opened in the browser, too.`;
  },

  async card() {
    const { good, revoked, settings } = await createCardAuthority(folder, {
      document: citizen.document,
      host: 'localhost',
    });
    const files: string[] = [];
    for (const { name, certificate, key } of [good, revoked]) {
      const source = await writeSampleFile(`${name}.pem`, `${certificate}\n${key}`);
      const file = source.replace(/pem$/, 'p12');
      execFileSync('openssl', ['pkcs12', '-export', '-in', source, '-out', file, '-passout', 'pass:cedula']);
      await rm(source);
      files.push(file);
    }
    const shown = Object.entries(settings).map(([name, file]) => `${name}=${relative('', file)}`);
    return `Two cards of ${holder}, the second one revoked: ${files.join(', ')} (password: cedula)

Start the portal: FLAGS=ci_electronica=on CARD_URL=https://localhost:3443 CARD_PORT=3443 ${shown.join(' ')} npm start

Import a card as a personal certificate, in place of a reader and a chip:
  Firefox: Settings, Privacy & Security, View Certificates, Your Certificates, Import
  Chrome on Linux: pk12util -d sql:$HOME/.pki/nssdb -i ${files[0]} (package libnss3-tools)
  Chrome and Edge on Windows, Safari and Chrome on macOS: open the file
Then http://localhost:3000/auth/login-con-ci; the browser warns of the listener's certificate unless ${relative('', settings.CARD_ROOTS)} is trusted.
Remove what you imported afterwards.`;
  },
};

const folder = join(import.meta.dirname, `../../data/demo-${name}`);

/** Writes a string as it is, and any other value as JSON. Returns the path relative to the working directory. */
async function writeSampleFile(file: string, content: unknown): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return relative('', join(folder, file));
}

/** Returns the origin in ORIGIN. Exits if ORIGIN is not an HTTP origin with a port. */
function readOrigin(defaultOrigin: string): string {
  const origin = parseSampleOrigin(process.env['ORIGIN'] ?? defaultOrigin);
  if (origin !== null) return origin;
  process.stderr.write(`ORIGIN must be http with a port, for example ${defaultOrigin}\n`);
  return process.exit(2);
}

function fetchStatus(address: string): Promise<number | null> {
  const response = fetch(address, { redirect: 'manual' });
  return response.then(({ status }) => status).catch(() => null);
}

function print(text: string): void {
  process.stdout.write(`\n${text}\n\n`);
}

try {
  print(await (samples[name] as () => Promise<string>)());
} catch (error) {
  process.stderr.write(
    `The sample cannot start: ${String(error)}\nIs the portal running at ${issuer}? Set ISSUER to its address otherwise.\n`,
  );
  process.exitCode = 1;
}
