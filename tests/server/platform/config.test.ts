import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/server/platform/config/read-config.ts';
import { settingDefinitions, renderSettingsTable } from '../../../src/server/platform/config/settings.ts';
import { createBrazilEntry, writeProvidersFile } from '../support/test-issuer.ts';

const card = { CARD_URL: 'https://cedula.example', CARD_ROOTS: 'roots.pem', CARD_CRLS: 'lists.pem' };
const production = { BASE_URL: 'https://mi.example.uy', SMTP_URL: 'smtps://mail.example.uy', MALWARE_SCANNER: 'none' };

type RejectedSettings = [note: string, env: Record<string, string>, problem: string | RegExp];

describe('readConfig', () => {
  test('[CFG-04] has a default for every setting that works on one machine', () => {
    expect(readConfig({})).toMatchObject({
      development: false,
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      loopback: true,
      hosts: { backend: '', broker: '' },
      databaseUrl: null,
      smtpUrl: null,
      tokenLifeS: 300,
      sessionLifeS: 43_200,
      activationLifeH: 24,
      redirectOrigins: [],
      keys: { dir: './data/keys', signing: null },
      flags: { telefono_en_registro: true, idp_autogestion: false },
    });
  });

  test.each([
    ['derives the base URL from PORT', { PORT: '4000' }, { baseUrl: 'http://localhost:4000' }],
    [
      'sets flags by name',
      { FLAGS: 'telefono_en_registro=off, idp_autogestion=on' },
      { flags: { telefono_en_registro: false, idp_autogestion: true, contrasena: true } },
    ],
    [
      'reads REDIRECT_ORIGINS as a list',
      { REDIRECT_ORIGINS: 'https://a.example, https://b.example:8443/' },
      { redirectOrigins: ['https://a.example', 'https://b.example:8443'] },
    ],
    [
      'reads AGENT_DOMAINS in lower case',
      { AGENT_DOMAINS: 'Salud.gub.uy, agesic.gub.uy' },
      { agentDomains: ['salud.gub.uy', 'agesic.gub.uy'] },
    ],
    ['has no password policy by default', {}, { passwordPolicy: null, resetShowsEmail: false }],
    [
      'reads a password pattern with its text',
      { PASSWORD_PATTERN: '\\p{Lu}', PASSWORD_PATTERN_TEXT: 'one capital' },
      { passwordPolicy: { pattern: '\\p{Lu}', text: 'one capital' } },
    ],
    ['accepts a production base URL', production, { loopback: false, baseUrl: 'https://mi.example.uy' }],
    ['trusts no proxy by default', {}, { proxies: null }],
    [
      'reads proxies by address, net and name',
      { TRUST_PROXY: '10.0.0.5, 2001:db8::/32,loopback' },
      { proxies: ['10.0.0.5', '2001:db8::/32', 'loopback'] },
    ],
    ['reads proxies as a number of hops', { TRUST_PROXY: '2' }, { proxies: 2 }],
    ['has sample data on a loopback address', {}, { sampleData: true }],
    ['has no sample data at a public address', production, { sampleData: false }],
    [
      'has no sample data on an open HOST',
      { HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000' },
      { sampleData: false },
    ],
    [
      'has sample data on an open HOST if set',
      { HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000', SAMPLE_DATA: 'on' },
      { sampleData: true },
    ],
    ['has no sample data if it is set to off', { SAMPLE_DATA: 'off' }, { sampleData: false }],
    [
      'accepts desk and broker of one site',
      { AGENTS_HOST: 'https://agentes.mi.gub.uy', BROKER_URL: 'https://entrar.mi.gub.uy:8443' },
      { agentsHost: 'https://agentes.mi.gub.uy' },
    ],
    ['[SEC-02] has a second agent by default', production, { elevationSecondAgent: true }],
    ['[SEC-02] no second agent on loopback', {}, { elevationSecondAgent: false }],
    ['[SEC-02] second agent if it is set on', { ELEVATION_SECOND_AGENT: 'on' }, { elevationSecondAgent: true }],
    [
      '[SEC-02] accepts a desk on a subdomain',
      { ...production, BASE_URL: 'https://mi.gub.uy', AGENTS_HOST: 'https://agentes.mi.gub.uy' },
      { agentsHost: 'https://agentes.mi.gub.uy' },
    ],
    ['recognises the IPv6 loopback address', { BASE_URL: 'http://[::1]:3000' }, { loopback: true }],
  ])('[CFG-04] %s', (_note, env, expected) => {
    expect(readConfig(env)).toMatchObject(expected);
  });

  test.each<RejectedSettings>([
    ['a PORT that is not a number', { PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, not "abc".'],
    [
      'a token lifetime above 300 seconds',
      { TOKEN_LIFE_S: '301' },
      'TOKEN_LIFE_S must be a whole number from 60 to 300, not "301".',
    ],
    ['an unknown flag', { FLAGS: 'telefono=off' }, /^FLAGS must be made of known flags \(slo_saml, /],
    ['a flag without a state', { FLAGS: 'cabezal' }, 'FLAGS must be on or off, not "cabezal".'],
    ['a base URL with a path', { BASE_URL: 'http://localhost:3000/portal' }, /^BASE_URL must be an origin/],
    ['a redirect origin that is not a URL', { REDIRECT_ORIGINS: 'tramites' }, /^REDIRECT_ORIGINS must be a URL/],
    [
      'an email address in AGENT_DOMAINS',
      { AGENT_DOMAINS: 'a@salud.gub.uy' },
      /^AGENT_DOMAINS must be domains such as/,
    ],
    [
      'an invalid password pattern',
      { PASSWORD_PATTERN: '(' },
      'PASSWORD_PATTERN must be a regular expression, not "(".',
    ],
    [
      'a pattern with exponential run time',
      { PASSWORD_PATTERN: '^(a+)+$' },
      /^PASSWORD_PATTERN must be a regular expression that does not take too long for many "a" in a row/,
    ],
    [
      'TRUST_PROXY on',
      { TRUST_PROXY: 'on' },
      /^TRUST_PROXY must be off, the addresses or networks of your own proxies .*, not "on"\.$/,
    ],
    ['TRUST_PROXY with the network 0.0.0.0/0', { TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY must be off, /],
    ['a host name in TRUST_PROXY', { TRUST_PROXY: 'nginx' }, /^TRUST_PROXY must be off, /],
    ['a malformed network in TRUST_PROXY', { TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY must be off, /],
    ['a CAPTCHA_KEY that is too short', { CAPTCHA_KEY: 'c2VjcmV0bw==' }, 'CAPTCHA_KEY must be 32 bytes in base64.'],
    [
      'a public URL without a mail server',
      { BASE_URL: 'https://mi.example.uy', MALWARE_SCANNER: 'none' },
      /^SMTP_URL must be set, because BASE_URL/,
    ],
    [
      'localhost.example without mail server',
      { BASE_URL: 'https://localhost.example', MALWARE_SCANNER: 'none' },
      /^SMTP_URL must be set/,
    ],
    ['an open HOST without a base URL', { HOST: '0.0.0.0' }, /^BASE_URL must be set, because HOST \(0\.0\.0\.0\)/],
    [
      'sample data at a public address',
      { ...production, SAMPLE_DATA: 'on' },
      /^SAMPLE_DATA must be off, because BASE_URL/,
    ],
    ['a public base URL without TLS', { ...production, BASE_URL: 'http://mi.example.uy' }, /^BASE_URL must be https:/],
    [
      'a broker on another site than the desk',
      { AGENTS_HOST: 'https://agentes.salud.gub.uy', BROKER_URL: 'https://entrar.mi.gub.uy' },
      /^BROKER_URL \(https:\/\/entrar\.mi\.gub\.uy\) must be on the same site as AGENTS_HOST /,
    ],
    [
      'a broker without TLS, a desk with TLS',
      { AGENTS_HOST: 'https://agentes.mi.uy', BROKER_URL: 'http://entrar.mi.uy' },
      /^BROKER_URL /,
    ],
    ...['BACKEND_URL', 'BROKER_URL'].map((name): RejectedSettings => [
      `a desk on the host of ${name}`,
      { AGENTS_HOST: 'https://otro.mi.gub.uy', [name]: 'https://otro.mi.gub.uy' },
      new RegExp(`^AGENTS_HOST \\(https://otro\\.mi\\.gub\\.uy\\) must differ from ${name}`),
    ]),
    ...['https://agentes.gub.uy', 'https://otro-mi.gub.uy'].map((desk): RejectedSettings => [
      `[SEC-02] desk ${desk}`,
      { ...production, BASE_URL: 'https://mi.gub.uy', AGENTS_HOST: desk },
      /^AGENTS_HOST \(https:.* must be a subdomain of mi\.gub\.uy, the host of BASE_URL, because passkeys/,
    ]),
    ...[undefined, production.BASE_URL].map((desk): RejectedSettings => [
      `[ASVS-3.5.4] ${desk ?? 'unset'} as desk`,
      { ...production, AGENT_DOMAINS: 'salud.gub.uy', ...(desk !== undefined && { AGENTS_HOST: desk }) },
      /^AGENTS_HOST must be set with AGENT_DOMAINS to another origin than BASE_URL/,
    ]),
    ...['BACKEND_URL', 'BROKER_URL', 'AGENTS_HOST'].map((name): RejectedSettings => [
      `${name} without TLS`,
      { ...production, [name]: 'http://otro.mi.example.uy' },
      new RegExp(`^${name} \\(http://otro\\.mi\\.example\\.uy\\) must be https:`),
    ]),
    ...[
      'BASE_URL',
      'IN_PERSON_URL',
      'BRAND_INSTITUTION_URL',
      'DSS_URL',
      'REGISTRY_URL',
      'OTLP_URL',
      'AGENTS_HOST',
      'REDIRECT_ORIGINS',
      'JITSI_URL',
    ].flatMap((name) =>
      ['https:evil', 'https:/evil', 'https:///evil', 'https://', 'https:\\\\evil', 'https://a@evil.example/'].map(
        (value): RejectedSettings => [`${name} ${value}`, { [name]: value }, new RegExp(`^${name} must be .*https`)],
      ),
    ),
    ...['postgres:evil', 'postgresql:/evil'].map((value): RejectedSettings => [
      `DATABASE_URL ${value}`,
      { DATABASE_URL: value },
      /^DATABASE_URL must be a URL with postgres:\/\//,
    ]),
    ['SMTP_URL smtp:evil', { SMTP_URL: 'smtp:evil' }, /^SMTP_URL must be a URL with smtp:\/\//],
    ...['https:evil', 'https:///evil', 'https://', '//evil', 'javascript:alert(1)'].map((logo): RejectedSettings => [
      `provider logo ${logo}`,
      { IDPS_FILE: writeProvidersFile([createBrazilEntry('https://br.example', { logo })]) },
      /^IDPS_FILE must be .*\/logo must match/,
    ]),
    [
      'an IDPS_FILE that does not exist',
      { IDPS_FILE: '/nowhere/idps.json' },
      /^IDPS_FILE must be a file that can be read/,
    ],
    [
      'an identity provider without TLS',
      { IDPS_FILE: writeProvidersFile([createBrazilEntry('http://br.example')]) },
      /^IDPS_FILE must be .*\/issuer must match/,
    ],
    [
      'a provider with localhost as user name',
      { IDPS_FILE: writeProvidersFile([createBrazilEntry('http://localhost:1@br.example')]) },
      /^IDPS_FILE must be .*\/issuer must match/,
    ],
    [
      'a CARD_PROXY without a secret',
      { ...card, CARD_PROXY: '10.0.0.5' },
      /^CARD_PROXY_SECRET must have at least 32 characters if /,
    ],
    [
      'a CARD_PROXY with a short secret',
      { ...card, CARD_PROXY: '10.0.0.5', CARD_PROXY_SECRET: 'x'.repeat(31) },
      /^CARD_PROXY_SECRET must have at least 32 characters if /,
    ],
  ])('[CFG-04] %s is rejected with exactly one problem', (_note, env, problem) => {
    const problems = problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test.each([
    { env: { DATABASE_URL: 'postgresql://portal@db/portal' }, says: 'DATABASE_URL must end with ?sslmode=verify-full' },
    { env: { DATABASE_URL: 'postgresql://portal@db/portal?sslmode=no-verify' }, says: 'DATABASE_URL must end with' },
    {
      env: { DATABASE_URL: 'postgresql://portal@db/portal?uselibpqcompat=true&sslmode=require' },
      says: 'DATABASE_URL must end with',
    },
    {
      env: { DATABASE_URL: 'postgresql://portal@127.0.0.1/portal', DATABASE_OWNER_URL: 'postgresql://owner@db/portal' },
      says: 'DATABASE_OWNER_URL must end with',
    },
    { env: { SMTP_URL: 'smtp://mail.example.uy' }, name: 'mail', says: 'SMTP_URL must be smtps:' },
    { env: { SMTP_URL: 'smtp://mail?requireTLS=true&ignoreTLS=true' }, name: 'mail', says: 'SMTP_URL must be smtps:' },
    { env: { SMTP_URL: 'smtps://mail?tls.rejectUnauthorized=false' }, name: 'mail', says: 'SMTP_URL must be smtps:' },
    { env: { REGISTRY_URL: 'http://registro/cedula' }, name: 'registry', says: 'REGISTRY_URL must be https:' },
    { env: { AUDIT_SINK: 'http://collector:4318/v1/logs' }, name: 'audit', says: 'AUDIT_SINK must be https:' },
    { env: { MALWARE_SCANNER: 'tcp://clamd:3310' }, name: 'scanner', says: 'MALWARE_SCANNER must be tls:' },
    { env: { OTLP_URL: 'http://collector:4318/v1/traces' }, name: 'traces', says: 'OTLP_URL must be https:' },
    { env: { ...production, HOST: '0.0.0.0' }, name: 'http', says: 'TLS_FILE must be set' },
    {
      env: { HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000', METRICS_PORT: '9464', METRICS_TOKEN: 'x' },
      name: 'metrics',
      says: 'TLS_FILE must be set with METRICS_PORT',
    },
  ])(
    '[SEC-09 ASVS-12.3.1] rejects a connection without TLS to another machine, unless PLAIN_TRANSPORTS lists it: $says',
    ({ env, name = 'database', says }) => {
      expect(problemsOf(env)).toEqual([expect.stringContaining(says)]);
      expect(problemsOf(env)[0]).toContain(`add ${name} to PLAIN_TRANSPORTS.`);
      expect(problemsOf({ ...env, PLAIN_TRANSPORTS: name })).toEqual([]);
      const other = name === 'mail' ? 'traces' : 'mail';
      expect(
        problemsOf({ ...env, PLAIN_TRANSPORTS: other }),
        'PLAIN_TRANSPORTS lists only another connection',
      ).toHaveLength(1);
    },
  );

  test.each([
    { DATABASE_URL: 'postgresql://portal@db/portal?sslmode=verify-full' },
    { DATABASE_URL: 'postgresql://portal@127.0.0.1/portal' },
    { DATABASE_URL: 'postgresql://portal@[::1]/portal' },
    { DATABASE_URL: 'postgresql:///portal?host=/run/postgresql' },
    { SMTP_URL: 'smtp://mail.example.uy?requireTLS=true' },
    { SMTP_URL: 'smtp://localhost:1025' },
    { REGISTRY_URL: 'https://registro/cedula', REGISTRY_TOKEN: 'x' },
    { REGISTRY_URL: 'https://registro/cedula', REGISTRY_CERT: 'portal.pem' },
    { REGISTRY_URL: 'https://registro/cedula', PLAIN_TRANSPORTS: 'registry' },
    { REGISTRY_URL: 'http://[::1]:3/cedula' },
    { OTLP_URL: 'http://127.0.0.1:4318/v1/traces' },
    { MALWARE_SCANNER: 'tcp://127.0.0.1:3310' },
    { MALWARE_SCANNER: 'tls://clamd:3310' },
    {
      HOST: '0.0.0.0',
      BASE_URL: 'http://localhost:3000',
      METRICS_PORT: '9464',
      METRICS_TOKEN: 'x',
      TLS_FILE: 'server.pem',
    },
    { METRICS_PORT: '9464' },
  ])('[ASVS-12.3.1] accepts a connection with TLS, on this machine, or listed in PLAIN_TRANSPORTS: %j', (env) => {
    expect(problemsOf(env)).toEqual([]);
  });

  test('[ASVS-13.2.1] requires a token or client certificate for a registry on another machine', () => {
    expect(problemsOf({ REGISTRY_URL: 'https://registro/cedula' })).toEqual([
      expect.stringMatching(/^REGISTRY_TOKEN or REGISTRY_CERT must be set with REGISTRY_URL/),
    ]);
  });

  test.each([
    [{ MALWARE_SCANNER: '' }, /^MALWARE_SCANNER must be set, because BASE_URL/],
    [{ MALWARE_SCANNER: 'off' }, /^MALWARE_SCANNER must be none, or an address such as tcp:/],
    [{ MALWARE_SCANNER: 'http://clamd:3310' }, /^MALWARE_SCANNER must be none, or an address/],
    [{ MALWARE_SCANNER: 'tcp://clamd' }, /^MALWARE_SCANNER must be none, or an address/],
  ])('[ASVS-5.4.3] rejects %s with a public URL', (env, problem) => {
    expect(problemsOf({ ...production, ...env })[0]).toMatch(problem);
    expect(readConfig(production).malwareScanner).toBeNull();
    expect(problemsOf({ ...production, MALWARE_SCANNER: 'tcp://127.0.0.1:3310' })).toEqual([]);
  });

  test('[ASVS-12.3.2] rejects NODE_TLS_REJECT_UNAUTHORIZED=0 outside loopback', () => {
    expect(problemsOf({ ...production, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED must not be 0/),
    ]);
    expect(problemsOf({ ...production, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
    expect(problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toEqual([]);
  });

  test('[ASVS-13.2.1] rejects METRICS_ROOTS without TLS', () => {
    const scraped = { METRICS_PORT: '9464', METRICS_ROOTS: 'roots.pem' };
    expect(problemsOf(scraped)).toEqual([expect.stringMatching(/^METRICS_PORT and TLS_FILE must be set/)]);
    expect(problemsOf({ ...scraped, TLS_FILE: 'server.pem' })).toEqual([]);
  });

  test('[ASVS-13.2.2] rejects the same database role for the server and the owner of the tables', () => {
    const url = 'postgresql://portal@127.0.0.1/portal';
    expect(problemsOf({ DATABASE_URL: url, DATABASE_OWNER_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_OWNER_URL must name another role than DATABASE_URL/),
    ]);
  });

  test('[ASVS-13.4.5] requires a token for a metrics port open to other machines', () => {
    expect(
      problemsOf({ HOST: '0.0.0.0', BASE_URL: 'http://localhost:3000', METRICS_PORT: '9464', TLS_FILE: 'server.pem' }),
    ).toEqual([expect.stringMatching(/^METRICS_TOKEN must be set with METRICS_PORT/)]);
  });

  test('[ASVS-12.3.1] rejects an unknown name in PLAIN_TRANSPORTS', () => {
    expect(problemsOf({ PLAIN_TRANSPORTS: 'all' })).toEqual([
      'PLAIN_TRANSPORTS must be one of database, mail, registry, traces, metrics, audit, scanner, http, not "all".',
    ]);
  });

  test('[CFG-04] lists all problems at once, without the values of secrets', () => {
    const problems = problemsOf({
      PORT: 'x',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://u:hunter2@db',
      SMTP_URL: 'hunter2',
    });
    expect(problems).toHaveLength(4);
    expect(problems.join()).not.toContain('hunter2');
  });

  test('[CFG-04] renderSettingsTable has one row for each setting', () => {
    expect(renderSettingsTable().split('\n')).toHaveLength(Object.keys(settingDefinitions).length + 2);
    expect(renderSettingsTable()).toContain(
      '| SMTP_URL |  | URL of the mail server. Required unless BASE_URL is a loopback address. Put a password in it only if the provider accepts no client certificate (SMTP_CERT). (secret) |',
    );
  });
});

function problemsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}
