import { createHash } from 'node:crypto';
import pg from 'pg';
import { computeCheckDigit } from '../../plugins/document-number/check-digit.ts';
import { secondsPerDay, secondsPerHour } from '../../src/server/platform/base/fixed-periods.ts';
import type { Database } from '../../src/server/platform/database/schema.ts';
import type { Vault } from '../../src/server/platform/keys/vault.ts';
import { buildSavedFlowEncryptionPurpose } from '../../src/server/features/saved-flows/index.ts';
import { buildStillImageEncryptionPurpose } from '../../src/server/features/video-room/still-images.ts';
import { buildTotpVaultPurpose } from '../../src/server/trust/credentials/second-factors.ts';
import { providerSignInVaultPurpose, buildWalletKeyVaultPurpose } from '../../src/server/trust/federation/tables.ts';
import { challengeNames } from '../../src/server/trust/identity/challenge-names.ts';
import { buildOidcVaultPurpose } from '../../src/server/trust/sessions/index.ts';

/** Parameters of a simulated population. The rows of all tables are computed from them. */
export interface SimulatedPopulation {
  readonly citizens: number;
  readonly seed: number;
  readonly now: Date;
  /** Password hash of all accounts. It is shared, because each hash takes 20 ms. */
  readonly passwordHash: string;
  readonly vault: Pick<Vault, 'encrypt'>;
}

/** SQL expressions for the columns of row `n`, counted from 0. Other columns have their default or a filler. */
type Columns = Readonly<Record<string, string>>;
type Table = readonly [name: keyof Database, rows: number, columns: Columns];

const applications = 10;
const yearS = 365 * secondsPerDay;
const oidcModels = ['Session', 'Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode', 'Interaction'] as const;
const text = (value: string): string => pg.escapeLiteral(value);

/**
 * Computes a citizen from an index. Four of five have a Uruguayan card, and one of fifty is a record of a foreign
 * provider.
 */
export function computeCitizen({ seed }: Pick<SimulatedPopulation, 'seed'>, index: number) {
  const hex = createHash('md5').update(`citizen:${seed}:${index}`).digest('hex');
  const isNational = index % 50 !== 49 && index % 5 !== 0;
  return {
    id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    document: isNational
      ? { country: 'uy', type: 'ci', number: computeNationalNumber(index) }
      : { country: index % 50 === 49 ? 'br' : 'ar', type: 'psp', number: `P${index}` },
  };
}

/** Computes the number of a Uruguayan card: seven digits and a check digit. */
export function computeNationalNumber(index: number): string {
  const digits = String(1_000_000 + index);
  return `${digits}${computeCheckDigit(digits)}`;
}

/** Fills all tables of an empty database except the audit log. The same seed gives the same rows. */
export async function fillTables(
  client: pg.Client,
  country: SimulatedPopulation,
  report: (table: string, rows: number) => void,
): Promise<void> {
  for (const [table, rows, columns] of listTables(country)) {
    const all = { ...(await listFillers(client, table, country)), ...columns };
    const names = Object.keys(all).map((name) => `"${name}"`);
    await client.query(
      `insert into ${table} (${names.join()}) select ${Object.values(all).join()} from generate_series(0, ${rows - 1}) n`,
    );
    report(table, rows);
  }
}

/** Returns SQL expressions: for columns by name, and for other required columns by type. */
async function listFillers(client: pg.Client, table: string, country: SimulatedPopulation): Promise<Columns> {
  const { rows } = await client.query<{ name: string; type: string; required: boolean }>(
    `select column_name as name, data_type as type,
       is_nullable = 'NO' and column_default is null and is_identity = 'NO' as required
     from information_schema.columns where table_schema = current_schema() and table_name = $1`,
    [table],
  );
  const { byName, hex, within } = createExpressions(country);
  const byType: Columns = {
    text: `''`,
    boolean: 'false',
    integer: '0',
    bigint: '0',
    jsonb: `'{}'`,
    'timestamp with time zone': within(secondsPerDay),
  };
  return Object.fromEntries(
    rows.flatMap(({ name, type, required }) => {
      if (byName[name] !== undefined) return [[name, byName[name]]];
      if (!required) return [];
      const isSecret = /^(hash|digest|browser|owner|nonce|mac|handle|credential_id|name_id|challenge|response)$/.test(
        name,
      );
      return [[name, isSecret ? hex(`${table} ${name}`) : (byType[type] ?? `''`)]];
    }),
  );
}

/** Creates SQL expressions that depend only on the row `n` and the seed. */
function createExpressions({ citizens, seed, now }: SimulatedPopulation) {
  const key = (kind: string, n: string) => `${text(`${kind}:${seed}:`)} || ${n}`;
  const id = (kind: string, n = 'n') => `md5(${key(kind, n)})::uuid`;
  const share = `(('x' || left(md5(${key('share', 'n')}), 8))::bit(32)::bigint / 4294967296.0)`;
  const instant = `${text(now.toISOString())}::timestamptz`;
  const later = (seconds: string | number) => `${instant} + (${seconds}) * interval '1 second'`;
  const ago = (seconds: string | number) => later(`-(${seconds})`);
  const digits = (c: string) => `(1000000 + ${c})::text`;
  const sum = (c: string) =>
    [...'2987634'].map((weight, at) => `${weight} * substr(${digits(c)}, ${at + 1}, 1)::int`).join(' + ');
  const card = (c: string) => `${digits(c)} || (10 - (${sum(c)}) % 10) % 10`;
  const c = `(n % ${citizens})`;
  const isNational = `${c} % 50 <> 49 and ${c} % 5 <> 0`;
  return {
    id,
    share,
    later,
    ago,
    card,
    hex: (kind: string) => `md5(${key(kind, 'n')}) || md5(${key(`${kind} 2`, 'n')})`,
    within: (seconds: number) => ago(`${share} * ${seconds}`),
    /** Creation time of a row that is retained for `seconds`. One in a thousand rows is due for deletion. */
    aged: (seconds: number) =>
      ago(`case when n % 1000 = 0 then ${seconds + secondsPerHour / 2} else ${share} * ${seconds} end`),
    /** Expiry time of a row. One in a thousand rows has expired. */
    ending: (seconds: number) => later(`case when n % 1000 = 0 then -60 else 60 + ${share} * ${seconds} end`),
    byName: {
      citizen_id: id('citizen', c),
      country: `case when ${c} % 50 = 49 then 'br' when ${isNational} then 'uy' else 'ar' end`,
      type: `case when ${isNational} then 'ci' else 'psp' end`,
      number: `case when ${isNational} then ${card(c)} else 'P' || ${c} end`,
      email: `'c' || ${c} || '@example.com'`,
      phone: `'+59899123456'`,
      first_name: `'Ana'`,
      second_name: `''`,
      first_surname: `'Pereira'`,
      second_surname: `'Sosa'`,
      language: `'es'`,
      address: `'10.' || (n >> 16 & 255) || '.' || (n >> 8 & 255) || '.' || (n & 255)`,
      user_agent: `'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'`,
    } as Columns,
  };
}

function listTables(country: SimulatedPopulation): readonly Table[] {
  const { citizens, vault, passwordHash } = country;
  const { id, hex, share, later, ago, card, within, aged, ending } = createExpressions(country);
  /**
   * Number of rows for a share of the citizens. It is at least a thousand, so that a sequential scan in a plan means a
   * missing index.
   */
  const part = (of: number) => Math.min(citizens, Math.max(1_000, Math.round(citizens * of)));
  const [calls, sessions] = [part(0.05), citizens * 5];
  const sealed = (purpose: string, content: string) => text(vault.encrypt(purpose, content)); // an encrypted value shared by all rows: only its length matters
  const long = `repeat('x', 2000)`;
  const mail = `repeat('Alguien ingresó a tu cuenta desde un dispositivo nuevo. Si no fuiste vos, avisanos por este vínculo. ', 4)`;
  const waiting = Math.ceil(citizens / 10_000);
  const isToCome = 'n % 50 = 0';
  const turn = '(n / 50)';
  const start = `case when ${isToCome} then date_trunc('hour', ${later(0)}) + (1 + ${turn} / 20) * interval '1 hour'
    else ${ago(`(1 + ${share} * 2 * 364) * ${secondsPerDay}`)} end`;
  const models = `(array['${oidcModels.join("','")}'])[1 + n % ${oidcModels.length}]`;
  const payloads = oidcModels.map((kind) =>
    sealed(buildOidcVaultPurpose(kind), JSON.stringify({ kind, jti: 'x'.repeat(43) })),
  );
  const ofModel = (which: string, value: string, other = 'null') =>
    `case when ${models} in (${which}) then ${value} else ${other} end`;
  const agent = id('citizen', '(n % 100)');
  const app = `'app-' || n % ${applications}`;
  const provider = `'sp-' || n % ${applications}`;
  const read = (every: number) => `case when n % ${every} <> 0 then ${within(700 * secondsPerDay)} end`;
  const reader = (every: number) => `case when n % ${every} = 0 then '' else 'Bruno Suárez' end`;
  return [
    [
      'clients',
      applications,
      {
        id: app,
        registration: `json_build_object('id', ${app}, 'name', 'Trámites ' || n,
      'redirectUris', array['https://tramites.example/'], 'scopes', array['personal_info'])`,
      },
    ],
    ['registry', citizens, { number: card('n'), birth_date: `'1990-01-01'`, serial: `'A' || lpad(n::text, 8, '0')` }],
    [
      'citizens',
      citizens,
      {
        id: id('citizen'),
        email_verified_at: `case when n % 50 <> 13 then ${within(5 * yearS)} end`,
        origin: `'WEB'`,
        level: `case when n % 50 <> 49 and n % 5 <> 0 then 'Autoregistro con CI' else 'Autoregistrado' end`,
        active_at: `case when n % 50 <> 13 then ${within(5 * yearS)} end`,
        blocked_at: `case when n % 200 = 7 then ${within(yearS)} end`,
        last_login_at: within(300 * secondsPerDay),
        created_at: ago(`(1 + ${share}) * ${5 * yearS}`),
        closing_at: `case when n % 1000 = 8 then ${later(`(1 + ${share} * 29) * ${secondsPerDay}`)} end`,
        idp: `case when n % 50 = 49 then 'br' end`,
      },
    ],
    ['credentials', citizens, { password_hash: text(passwordHash), changed_at: within(5 * yearS) }],
    ['known_devices', citizens * 2, { seen_at: aged(yearS) }],
    [
      'link_tokens',
      part(0.5),
      {
        purpose: `'activation'`,
        subject: `'c' || n || '@example.com'`,
        created_at: ago(31 * secondsPerDay),
        expires_at: aged(30 * secondsPerDay),
        used_at: `case when n % 3 <> 0 then ${ago(secondsPerDay)} end`,
      },
    ],
    [
      'second_factors',
      part(0.2),
      {
        id: id('second_factors'),
        kind: `case when n % 2 = 0 then 'totp' else 'email' end`,
        secret: `case when n % 2 = 0 then ${sealed(buildTotpVaultPurpose('growth'), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')} end`,
        activated_at: `case when n % 50 <> 0 then ${within(yearS)} end`,
      },
    ],
    [
      'recovery_codes',
      citizens,
      {
        citizen_id: id('citizen', '(n / 10)'),
        digest: `'$argon2id$v=19$m=19456,t=2,p=1$' || left(md5((n / 10)::text), 22) || '$' || left(${hex('code')}, 43)`,
      },
    ],
    ['spent_recovery_codes', part(0.05), {}],
    [
      'failed_attempts',
      part(0.2),
      { authenticator: text(challengeNames.password), browser: `''`, failures: '1 + n % 5' },
    ],
    ['email_changes', part(0.005), { requested_at: aged(30 * secondsPerDay) }],
    [
      'passkeys',
      part(0.1),
      {
        id: id('passkeys'),
        public_key: `repeat('x', 104)`,
        transports: `'internal hybrid'`,
        device_type: `'multiDevice'`,
        backed_up: 'true',
        name: `'Teléfono'`,
        created_at: within(yearS),
      },
    ],
    ['passkey_handles', part(0.1), {}],
    [
      'credential_changes',
      part(0.05),
      {
        kind: `'password-changed'`,
        at: aged(14 * secondsPerDay),
        before: `jsonb_build_object('email', 'c' || n || '@example.com', 'phone', null, 'closing', false)`,
      },
    ],
    [
      'provider_identities',
      part(0.02),
      {
        provider: `'br'`,
        issuer: `'https://br.example'`,
        subject: `'s' || n`,
        citizen_id: id('citizen', `((n * 50 + 49) % ${citizens})`),
        linked_at: ago(400 * secondsPerDay),
        used_at: aged(360 * secondsPerDay),
      },
    ],
    [
      'provider_refusals',
      part(0.01),
      { provider: `'br'`, issuer: `'https://br.example'`, subject: `'r' || n`, at: within(yearS) },
    ],
    ['signature_requests', part(0.01), { statement: long, expires_at: aged(secondsPerDay) }],
    [
      'signed_documents',
      part(0.02),
      {
        form: `'cms'`,
        statement: long,
        file: long,
        certificate_serial: `left(${hex('serial')}, 32)`,
        certificate_issuer: `'CN=Autoridad Certificadora'`,
        certificate_fingerprint: hex('fingerprint'),
        signed_at: within(yearS),
      },
    ],
    [
      'saved_flows',
      part(0.02),
      {
        flow: `'registro'`,
        sealed: sealed(buildSavedFlowEncryptionPurpose({ citizenId: 'growth', flow: 'growth' }), 'x'.repeat(300)),
        saved_at: within(20 * secondsPerDay),
        expires_at: ending(30 * secondsPerDay),
      },
    ],
    [
      'agent_acts',
      part(0.01),
      {
        act: `'level'`,
        detail: `'Verificado'`,
        agent: id('citizen', '0'),
        name: `'Ana Pereira'`,
        at: within(yearS),
        done_at: within(secondsPerDay),
      },
    ],
    ['throttle', part(0.3), { key: hex('throttle'), tries: '1', blocked_until: `'epoch'`, since: aged(secondsPerDay) }],
    ['captcha_replays', part(0.02), { expires_at: ending(1200) }],
    [
      'broker_sessions',
      sessions,
      {
        id: id('session'),
        created_at: aged(36 * secondsPerHour),
        expires_at: `${aged(36 * secondsPerHour)} + interval '12 hours'`,
        seen_at: `${aged(36 * secondsPerHour)} + interval '15 minutes'`,
        idle_at: `${aged(36 * secondsPerHour)} + interval '45 minutes'`,
        revoked_at: `case when n % 10 = 3 then ${aged(36 * secondsPerHour)} + interval '800 seconds' end`,
        amr: `'urn:iduruguay:am:password'`,
        nid: '1',
        oidc_uid: `case when n % 5 = 0 then ${id('oidc-uid')} end`,
      },
    ],
    [
      'challenges',
      part(0.02),
      { step: `'password'`, document: `'growth-' || n`, created_at: ago(60), expires_at: ending(600) },
    ],
    ['mailed_codes', part(0.02), { purpose: `'sign-in'`, expires_at: ending(600) }],
    ['passkey_challenges', part(0.01), { purpose: `'sign-in'`, expires_at: ending(600) }],
    [
      'consents',
      citizens,
      {
        id: id('consents'),
        client_id: app,
        scopes: `'openid personal_info'`,
        texts_version: '1',
        given_at: within(yearS),
      },
    ],
    [
      'oidc_records',
      citizens,
      {
        model: models,
        id: hex('oidc'),
        payload: `(array[${payloads.join()}])[1 + n % ${oidcModels.length}]`,
        grant_id: ofModel(`'Session','Interaction'`, 'null', id('grant')),
        uid: ofModel(`'Session'`, id('oidc-uid')),
        account_id: id('citizen'),
        client_id: ofModel(`'Session'`, 'null', app),
        expires_at: ending(14 * secondsPerDay),
      },
    ],
    [
      'saml_participants',
      part(0.5),
      {
        session_id: id('session'),
        provider,
        name_id_format: `'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'`,
        session_index: id('saml_participants'),
      },
    ],
    [
      'saml_requests',
      part(0.01),
      { provider, message_id: id('saml_requests'), request: `'{}'`, created_at: ago(60), expires_at: ending(1800) },
    ],
    ['saml_logouts', part(0.01), { chain: `'{}'`, expires_at: ending(1800) }],
    [
      'session_ends',
      part(0.01),
      {
        session_id: id('session_ends'),
        attempts: '3',
        due_at: later(`600 + ${share} * 1800`),
        created_at: aged(secondsPerDay),
      },
    ],
    ['card_checks', part(0.05), { session_id: id('session') }],
    ['card_tickets', part(0.01), { number: 'null', expires_at: ending(120) }],
    [
      'wallet_requests',
      part(0.01),
      { key: sealed(buildWalletKeyVaultPurpose('growth'), 'x'.repeat(200)), number: 'null', expires_at: ending(300) },
    ],
    [
      'provider_sign_ins',
      part(0.01),
      {
        provider: `'br'`,
        kept: sealed(providerSignInVaultPurpose, '{}'),
        created_at: ago(60),
        expires_at: ending(600),
      },
    ],
    [
      'video_calls',
      calls,
      {
        id: id('call'),
        kind: `'support'`,
        state: `case when ${isToCome} then 'Agendado' else 'Atendido' end`,
        starts_at: start,
        ends_at: `${start} + interval '30 minutes'`,
        place: `case when ${isToCome} then 1 + ${turn} % 20 end`,
        name: `'Ana Pereira'`,
        subject: `'otro'`,
        message: `'No puedo entrar a mi cuenta.'`,
        created_at: `${start} - interval '3 days'`,
        reminders: `case when ${isToCome} then 0 else 2 end`,
        agent_id: `case when not ${isToCome} then ${agent} end`,
      },
    ],
    ['room_seats', Math.min(calls, part(0.01)), { call_id: id('call'), seat: `'citizen'`, sequence: '3' }],
    [
      'room_signals',
      Math.min(calls, part(0.01)),
      { call_id: id('call'), seat: `'citizen'`, number: '1', content: `'{}'`, created_at: within(600) },
    ],
    ['call_meetings', Math.min(calls, part(0.025)), { call_id: id('call'), agent_id: agent, met_ms: '60000' }],
    [
      'call_stills',
      Math.min(calls, part(0.01)),
      {
        id: id('still'),
        call_id: id('call'),
        kind: `'document'`,
        asked_by: id('citizen', '0'),
        asked_at: aged(30 * secondsPerDay),
        taken_at: within(secondsPerDay),
        width: '1280',
        height: '720',
        sealed: sealed(buildStillImageEncryptionPurpose('growth'), 'x'.repeat(2000)),
      },
    ],
    [
      'contact_messages',
      part(0.1),
      {
        name: `'Ana Pereira'`,
        subject: `'otro'`,
        message: `'No puedo entrar a mi cuenta.'`,
        created_at: aged(2 * yearS),
        answered_at: read(100),
        answered_by: reader(100),
        answer: `case when n % 100 = 0 then '' else 'Probá de nuevo.' end`,
      },
    ],
    [
      'feedback',
      part(0.1),
      {
        page: `'/ayuda'`,
        useful: `'si'`,
        usefulness: '4',
        clarity: '4',
        email: 'null',
        created_at: aged(2 * yearS),
        read_at: read(10),
        read_by: reader(10),
      },
    ],
    [
      'outbox',
      citizens,
      {
        recipient: `'c' || n || '@example.com'`,
        subject: `'Ingresaste desde un dispositivo nuevo'`,
        text: mail,
        html: `'<p>' || ${mail} || '</p>'`,
        created_at: `case when n >= ${citizens - waiting} then ${ago(60)} else ${aged(30 * secondsPerDay)} end`,
        due_at: `case when n >= ${citizens - waiting} then ${ago(60)} else ${aged(30 * secondsPerDay)} end`,
        attempts: '1',
        sent_at: `case when n < ${citizens - waiting} and n % 1000 <> 2 then ${aged(30 * secondsPerDay)} + interval '2 seconds' end`,
        refused_at: `case when n % 1000 = 2 then ${aged(30 * secondsPerDay)} + interval '2 seconds' end`,
        refusal: `case when n % 1000 = 2 then '550 no such user' end`,
      },
    ],
  ];
}
