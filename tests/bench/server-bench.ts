import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { load, type ServerFigures } from './load.ts';

/** Measures a real server on the embedded default: password sign-ins, reads with a token, and reads during a login storm. */
export async function measureServer(): Promise<readonly ServerFigures[]> {
  const portal = await startPortal();
  try {
    // More than ten unfinished tries of one document are held back, which is right and not what is measured here.
    const citizens = sampleCitizens.flatMap(({ document, password }) =>
      password === null ? [] : [{ document, password }],
    );
    let turn = 0;
    const login = () => {
      const { document = '', password = '' } = citizens[(turn += 1) % citizens.length] ?? {};
      return signIn(portal.url, document, password);
    };
    const cookie = await login();
    const { token } = (await (await fetch(`${portal.url}/jwt/obtain/`, { headers: { cookie } })).json()) as {
      token: string;
    };
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
    const read = async () => {
      const answer = await fetch(`${portal.url}/rest/ciudadanos/${claims.cid}/`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!answer.ok) throw new Error(`read: ${answer.status}`);
      await answer.arrayBuffer();
    };
    const signIns = await load('password sign-ins', 6, login);
    const reads = await load('reads with a token', 8, read);
    const [storm, during] = await Promise.all([
      load('sign-ins of a storm', 12, login),
      load('reads during the storm', 2, read),
    ]);
    return [signIns, reads, storm, during];
  } finally {
    await portal.stop();
  }
}

async function signIn(url: string, document: string, password: string): Promise<string> {
  const first = await post(
    url,
    {
      challenge: 'username',
      data_challenge: { username: document, pais_emisor: null, tipo_documento: null },
      extra: null,
      token: null,
    },
    '',
  );
  const { token } = (await first.json()) as { token: string };
  const last = await post(
    url,
    { challenge: 'urn:iduruguay:am:password', data_challenge: { password }, extra: null, token },
    cookiesOf(first),
  );
  if (!last.ok) throw new Error(`sign-in: ${last.status} ${await last.text()}`);
  await last.arrayBuffer();
  return cookiesOf(last);
}

function post(url: string, body: unknown, cookie: string): Promise<Response> {
  return fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');
}
