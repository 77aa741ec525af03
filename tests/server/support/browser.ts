interface Cookie {
  readonly value: string;
  readonly path: string;
}

/** A simulated browser with cookies. It can follow redirects. */
export interface Browser {
  /** Sends a GET request. Does not follow redirects. */
  get(address: string, headers?: Record<string, string>): Promise<Response>;
  post(address: string, body: object, headers?: Record<string, string>): Promise<Response>;
  readonly cookies: Map<string, Cookie>;
  /** Removes a cookie, as if it had expired. */
  forget(cookie: string): void;
  /** Signs in by password, by default as the sample citizen. Returns the final location. */
  signIn(options?: Partial<SignIn>): Promise<string>;
  /** Returns a bearer token of the session. */
  bearer(): Promise<string>;
}

interface SignIn {
  readonly document: string;
  readonly password: string;
  /** Issuing country of the document, as the form submits it. */
  readonly country: string;
  readonly type: string;
  readonly processState: string | null;
}

/** Creates a browser. It sends each cookie only to matching paths. `ask` replaces `fetch`. */
export function openBrowser(origin: string, ask: typeof fetch = fetch): Browser {
  const cookies = new Map<string, Cookie>();
  const send = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, origin);
    const own = [...cookies].filter(
      ([, { path }]) => path === '/' || url.pathname === path || url.pathname.startsWith(`${path}/`),
    );
    const response = await ask(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...init.headers,
        ...(own.length > 0 && { cookie: own.map(([name, { value }]) => `${name}=${value}`).join('; ') }),
      },
    });
    response.headers.getSetCookie().forEach((line) => storeCookie(cookies, line));
    return response;
  };
  const post: Browser['post'] = (address, body, headers = {}) =>
    send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return {
    cookies,
    forget: (cookie) => void cookies.delete(cookie),
    post,
    get: (address, headers = {}) => send(address, { headers }),
    async signIn({
      document = '45123784',
      password = 'tres-tazas-de-mate',
      country = 'uy',
      type = 'ci',
      processState = null,
    } = {}) {
      const abroad =
        country === 'uy' ? { pais_emisor: null, tipo_documento: null } : { pais_emisor: country, tipo_documento: type };
      const first = await (
        await post('/auth/login', {
          challenge: 'username',
          data_challenge: { username: document, ...abroad },
          extra: { agnt: null, process_state: processState },
        })
      ).json();
      const second = await (
        await post('/auth/login', {
          challenge: 'urn:iduruguay:am:password',
          data_challenge: { password },
          extra: null,
          token: first.token,
        })
      ).json();
      return second.location ?? second.challenge ?? JSON.stringify(second);
    },
    async bearer() {
      return (await (await send('/jwt/obtain/', {})).json()).token;
    },
  };
}

function storeCookie(cookies: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/);
  const [name = '', value = ''] = pair.split(/=(.*)/s);
  const attribute = (key: string) =>
    attributes.find((item) => item.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
  const ended = attribute('max-age') === '0' || new Date(attribute('expires') ?? '2999-01-01') < new Date();
  if (ended) cookies.delete(name);
  else cookies.set(name, { value, path: attribute('path') ?? '/' });
}
