import { describe, expect, test } from 'vitest';
import type { SignInRecord } from '../../../../src/server/trust/sessions/sign-in-record.ts';
import { createScreenValidator } from '../../../../src/server/app/create-screen-validator.ts';
import { institutionalEmailChallenge } from '../../../../src/server/features/sign-in/challenges/password-and-code-challenges.ts';
import {
  findChallengeByName,
  selectNextChallenge,
} from '../../../../src/server/features/sign-in/challenges/select-challenge.ts';
import { getIdentityProviders } from '../../../../src/server/features/sign-in/index.ts';
import {
  handleProviderFailure,
  ProviderUserRejectedError,
} from '../../../../src/server/features/sign-in/provider-failure.ts';
import {
  UpstreamFailedError,
  UpstreamRefusedError,
  StaleUpstreamSignInError,
} from '../../../../src/server/trust/federation/upstream/upstream-adapter.ts';
import {
  identityCardChallengeAlias,
  challengeNames,
  getWalletAmr,
} from '../../../../src/server/trust/identity/challenge-names.ts';
import {
  computeSessionLevel,
  findLevelShortfall,
  computeAuthenticationStrength,
} from '../../../../src/server/trust/identity/session-level.ts';
import type { SignInChallengeRequest } from '../../../../src/server/features/sign-in/challenges/challenge.ts';
import { readConfig } from '../../../../src/server/platform/config/read-config.ts';
import type { HandlerContext } from '../../../../src/server/features/handler-context.ts';
import { InvalidBodyError, findRefusalLogFacts } from '../../../../src/server/platform/base/errors.ts';
import type { Passkey } from '../../../../src/server/trust/credentials/passkeys.ts';
import type { SecondFactor } from '../../../../src/server/trust/credentials/second-factors.ts';
import { createOrigin } from '../../support/origin.ts';
import { createFakeDefinitions } from '../../support/fake-definitions.ts';

const steps = {
  password: 'urn:iduruguay:am:password',
  institutional: 'institutional_email',
  totp: 'urn:iduruguay:am:totp',
  mailed: 'urn:iduruguay:am:recoverycode',
  passkey: 'urn:iduruguay:am:passkey',
  backup: 'urn:iduruguay:am:recoverycode:backup',
  otherFactor: 'needs_other_factor',
  other: 'urn:iduruguay:am:other',
};
const record: SignInRecord = {
  hash: 'h',
  browser: 'b',
  step: steps.password,
  factors: 'username',
  tries: 0,
  document: 'uy-ci-1',
  citizen_id: 'c',
  redirect_url: null,
  process_state: null,
  agent: null,
  institutional_email: null,
  user_agent: '',
  address: '192.0.2.1',
  created_at: new Date(0),
  expires_at: new Date(600_000),
  used_at: null,
};

describe('[CFG-06 MFA-06] session levels', () => {
  test.each<[registration: number, amr: readonly string[], level: number, note: string]>([
    [1, [steps.password], 1, 'Básico'],
    [2, [steps.password], 1, 'Intermedio without a second factor'],
    [2, [steps.password, steps.totp], 2, 'Intermedio with the app'],
    [2, [steps.password, steps.mailed], 2, 'Intermedio with a code by e-mail'],
    [2, [steps.passkey], 2, 'Intermedio with only a passkey'],
    [1, [steps.password, steps.totp], 1, 'a second factor does not raise the registration'],
    [3, [steps.password, steps.mailed], 2, 'Avanzado is not reached with a code by e-mail'],
    [3, [steps.password, steps.totp], 3, 'Avanzado with the app'],
    [3, [steps.password, steps.passkey], 3, 'Avanzado with a passkey'],
    [0, [steps.password, steps.totp], 0, 'an unknown level restricts'],
    [3, [], 0, 'nothing proven'],
    [3, [steps.other], 0, 'an unknown method proves nothing'],
  ])('computeSessionLevel of registration %d with %j is %d (%s)', (registration, amr, level) => {
    expect(computeSessionLevel(registration, amr)).toBe(level);
  });

  test.each<[required: number, registration: number, amr: readonly string[], lack: string | null]>([
    [0, 1, [steps.password], null],
    [1, 1, [steps.password], null],
    [2, 2, [steps.password, steps.totp], null],
    [2, 2, [steps.password], 'needs_second_factor'],
    [2, 1, [steps.password, steps.totp], 'needs_identity_validation'],
    [2, 1, [steps.password], 'needs_both'],
    [3, 2, [steps.password, steps.totp], 'needs_identity_validation'],
    [3, 2, [steps.password, steps.mailed], 'needs_both'],
  ])(
    '[LOG-09] findLevelShortfall of required level %d, registration %d and %j is %s',
    (required, registration, amr, lack) => {
      expect(findLevelShortfall(required, registration, amr)).toBe(lack);
    },
  );
});

test.each<[strength: number, amr: readonly string[], note: string]>([
  [1, [], 'nothing proven'],
  [1, [steps.password], 'one factor'],
  [1, [steps.password, 'other'], 'an unknown method does not count'],
  [1, ['other', 'x'], 'two unknown methods do not count'],
  [2, [steps.password, steps.totp], 'two factors'],
  [2, [steps.passkey], 'a passkey counts as two'],
  [2, [getWalletAmr(2)], 'a wallet of level 2 counts as two'],
  [1, [getWalletAmr(1)], 'a wallet of level 1 counts as one'],
  [2, [getWalletAmr(1), steps.totp], 'a wallet of level 1 and a code'],
  [3, ['urn:iduruguay:am:ci'], 'the identity card'],
  [3, [steps.password, 'urn:iduruguay:am:ci'], 'the identity card and a password'],
])('[MFA-06] computeAuthenticationStrength is %d for %j (%s)', (strength, amr) => {
  expect(computeAuthenticationStrength(amr)).toBe(strength);
});

test.each([identityCardChallengeAlias, challengeNames.card])(
  '[LOG-10] findChallengeByName of %s is the identity card',
  (name) => {
    expect(findChallengeByName(name)?.name).toBe(challengeNames.card);
  },
);

describe('[LOG-04 LOG-05] selectNextChallenge', () => {
  const code = (kind: SecondFactor['kind']): SecondFactor => ({
    id: kind,
    citizen_id: 'c',
    kind,
    secret: null,
    last_step: null,
    created_at: new Date(0),
    activated_at: new Date(0),
  });
  const passkey: Passkey = {
    id: 'p',
    citizen_id: 'c',
    name: 'Mi llave',
    credential_id: 'p',
    public_key: '',
    counter: 0,
    transports: '',
    device_type: 'singleDevice',
    backed_up: false,
    created_at: new Date(0),
    last_used_at: null,
    mac: '',
  };
  /** Creates second factors from their initials: `a` for the app, `e` for codes by e-mail, `p` for a passkey. */
  const setUp = (letters: string) => ({
    totp: letters.includes('a') ? code('totp') : null,
    email: letters.includes('e') ? code('email') : null,
    passkeys: letters.includes('p') ? [passkey] : [],
  });
  const agent = { agent: '1' };
  const asked = { ...agent, institutional_email: 'a@salud.gub.uy' };
  const { password, institutional, totp, mailed, passkey: key, backup, otherFactor } = steps;

  test.each<[string, factors: readonly string[], about: Partial<SignInRecord>, wish: string, next: string | null]>([
    ['', [], {}, '', password],
    ['aep', [], {}, '', password],
    ['a', [totp], {}, '', password],
    ['', [], agent, '', password],
    // without a second factor
    ['', [password], {}, '', null],
    ['', [password], {}, 'byMail otherMethod', null],
    ['', [key], {}, '', null],
    ['', [getWalletAmr(1)], {}, '', null],
    // a wallet of level 1 counts as a password, so a second factor is required
    ['a', [getWalletAmr(1)], {}, '', totp],
    ['p', [getWalletAmr(1)], {}, '', key],
    ['e', [getWalletAmr(1)], {}, '', mailed],
    ['a', [getWalletAmr(1), totp], {}, '', null],
    ['aep', [getWalletAmr(2)], {}, '', null],
    // exactly one second factor is set up
    ['a', [password], {}, '', totp],
    ['a', [password], {}, 'otherMethod', totp],
    ['a', [password], {}, 'byMail', totp],
    ['e', [password], {}, '', mailed],
    ['e', [password], {}, 'byMail', mailed],
    ['p', [password], {}, '', key],
    ['p', [password], {}, 'byMail', key],
    ['p', [password], {}, 'otherMethod', key],
    // several second factors
    ['ae', [password], {}, '', totp],
    ['ae', [password], {}, 'byMail', mailed],
    ['ap', [password], {}, '', key],
    ['ap', [password], {}, 'otherMethod', totp],
    ['ap', [password], {}, 'byMail', totp],
    ['ap', [password], {}, 'byMail otherMethod', totp],
    ['aep', [password], {}, 'byMail', mailed],
    ['ep', [password], {}, '', key],
    ['ep', [password], {}, 'otherMethod', mailed],
    ['ep', [password], {}, 'byMail', mailed],
    // any of the set-up factors suffices
    ['aep', [password, totp], {}, '', null],
    ['aep', [password, mailed], {}, '', null],
    ['aep', [password, key], {}, '', null],
    ['aep', [key], {}, '', null],
    ['aep', [password, backup], {}, '', null],
    // after a reset by mail, mailed codes do not count
    ['e', [password], {}, 'reset', otherFactor],
    ['e', [password], {}, 'reset byMail', otherFactor],
    ['ae', [password], {}, 'reset byMail', totp],
    ['ep', [password], {}, 'reset byMail otherMethod', key],
    ['aep', [password], {}, 'reset byMail otherMethod', totp],
    ['e', [password, backup], {}, 'reset', null],
    // agents
    ['', [password], agent, '', institutional],
    ['a', [password], agent, '', institutional],
    ['', [key], agent, '', institutional],
    ['', [password], { agent: '0' }, '', null],
    ['', [password], asked, '', mailed],
    ['a', [password], asked, '', mailed],
    ['p', [password], asked, '', mailed],
    ['', [password, institutional], asked, '', null],
    ['a', [password, institutional], asked, '', totp],
    ['a', [password, institutional, totp], asked, '', null],
  ])('for set-up %j, proven %j, record %j, request %j is %s', (letters, factors, about, wish, next) => {
    const situation = {
      record: { ...record, ...about, factors: ['username', ...factors].join(' ') },
      active: setUp(letters),
      mailedCode: letters.includes('e') && !wish.includes('reset'),
      byMail: wish.includes('byMail'),
      otherMethod: wish.includes('otherMethod'),
    };
    expect(selectNextChallenge(situation)?.name ?? null).toBe(next);
  });
});

describe('validation of a sign-in step', () => {
  const config = readConfig({ DATA_DIR: 'unused', AGENT_DOMAINS: 'salud.gub.uy' });
  const definitions = createFakeDefinitions((screen, values): Record<string, string> => {
    if (values['institutional_email'] === 'x') return { institutional_email: `refused by ${screen}` };
    return {};
  });
  // a partial fake: `createScreenValidator` and the challenge use no other properties
  const asked = { config, definitions: () => definitions } as unknown as HandlerContext;
  const parts = { ...asked, validateForm: createScreenValidator(asked) };
  const nobody = (language: 'es' | 'pt') => ({ caller: null, origin: createOrigin({ language }) });
  const prove = (institutional_email: string) => {
    const body = { challenge: steps.institutional, data_challenge: { institutional_email }, extra: null, token: 't' };
    const tried = {
      ...record,
      password_hash: null,
      known_device: null,
      has_factor: false,
      password_reset_at: null,
      failed_attempts: [],
    };
    return institutionalEmailChallenge.answer!.verifyAnswer(
      parts,
      { body, caller: null, origin: createOrigin() } as unknown as SignInChallengeRequest,
      tried,
      async () => {},
    );
  };

  test('[VAL-09] uses the language and the facts of the server', async () => {
    const seen: unknown[] = [];
    const check: ReturnType<typeof createFakeDefinitions>['check'] = (screen, values, options) => {
      seen.push(screen, values, options);
      return { data: { totp: '123456' }, errors: {} };
    };
    const watched = { config, definitions: () => ({ ...definitions, check }) } as unknown as HandlerContext;
    expect(await createScreenValidator(watched)('login-totp', { totp: '123 456' }, nobody('pt'))).toEqual({
      totp: '123456',
    });
    const { flags, passwordPolicy } = config;
    const context = { flags, passwordPolicy, authenticated: false, user: null };
    expect(seen).toEqual(['login-totp', { totp: '123 456' }, { language: 'pt', context }]);
  });

  test('[VAL-09] reports the errors of the screen by field', async () => {
    const refused = parts.validateForm('login-institutional-email', { institutional_email: 'x' }, nobody('es'));
    await expect(refused).rejects.toThrow(InvalidBodyError);
    await expect(refused).rejects.toMatchObject({
      errors: { institutional_email: 'refused by login-institutional-email' },
    });
  });

  test('[IDP-02] normalizes an institutional address, which proves nothing yet', async () => {
    const proof = await prove('  Agente@SALUD.gub.uy ');
    expect(proof).toMatchObject({ factor: null, institutionalEmail: 'agente@salud.gub.uy' });
    await expect(prove('x')).rejects.toMatchObject({
      errors: { institutional_email: 'refused by login-institutional-email' },
    });
  });

  test.each(['agente@gmail.com', 'a@mala-salud.gub.uy', 'a@salud.gub.uy.evil.example', 'a@salud.gub.uy@evil.example'])(
    '[IDP-02 LOG-14] rejects %s, whose institution is not registered',
    async (address) => {
      await expect(prove(address)).rejects.toMatchObject({
        status: 400,
        code: 'dominio_no_registrado',
        field: 'institutional_email',
      });
    },
  );
});

describe('[LOG-02] getIdentityProviders', () => {
  const entry = { identificador: 'br', nombre: 'gov.br', descripcion: 'Brasil', nivel_seguridad: 'avanzado' };
  const dependencies = {
    config: {
      flags: { ci_electronica: true },
      identityProviders: [
        { ...entry, logo: 'https://br.example/logo.png', idioma: 'pt', color: '#123456', oidc: { clientId: 'portal' } },
        { ...entry, identificador: 'plain', logo: 'https://plain.example/none.png' },
      ],
    },
    pendingRequests: { findRequest: async (state: string) => (state === 'waits' ? { clientName: 'Trámites' } : null) },
    logos: { findLogoPath: async (source: string) => (source.includes('br.example') ? '/logos/br.png' : null) },
  } as unknown as Parameters<typeof getIdentityProviders>[0];
  const list = (query: object = {}) => getIdentityProviders(dependencies, { query } as never);
  const listed = {
    idps: [
      { ...entry, logo: '/logos/br.png', idioma: 'pt', color: '#123456' },
      { ...entry, identificador: 'plain', logo: '' },
    ],
    ci_allowed: true,
    gub_uy_allowed: true,
  };

  test('returns only the public properties of each provider', async () => {
    expect(await list()).toStrictEqual({ body: listed });
    expect(await list({ process_state: '' })).toStrictEqual({ body: listed });
  });

  test('[INI-10] names the application of a pending request, and returns 410 for an unknown one', async () => {
    expect(await list({ process_state: 'waits' })).toStrictEqual({ body: { ...listed, aplicacion: 'Trámites' } });
    const gone = { status: 410, code: 'solicitud_terminada' };
    await expect(list({ process_state: 'gone' })).rejects.toMatchObject(gone);
  });
});

describe('[INI-10 SES-11] failed sign-in at an identity provider', () => {
  type Destination = Parameters<typeof handleProviderFailure>[2]['destination'];
  const portal: Destination = { redirect_url: '/agenda', process_state: null };
  const application: Destination = { redirect_url: '/agenda', process_state: 'p' };
  /** Handles an error. Returns the response or the error, with the audit and log entries written for it. */
  async function told(error: unknown, destination: Destination) {
    const audited: unknown[][] = [];
    const dependencies = {
      commands: {
        run: (origin: unknown, work: (command: object) => unknown) =>
          work({ audit: (...entry: unknown[]) => void audited.push([origin, ...entry]) }),
      },
    } as unknown as Parameters<typeof handleProviderFailure>[0];
    const origin = createOrigin({ requestId: 'request-1' });
    const answer: unknown = await handleProviderFailure(dependencies, error, {
      idp: 'br',
      destination,
      origin,
      client: 'app',
    }).catch((thrown: unknown) => thrown);
    const outcome = answer instanceof Error ? answer : (answer as { location: string }).location;
    return { outcome, audited, facts: findRefusalLogFacts(answer), origin };
  }
  const own = (reason: string, back = '/agenda') =>
    `/error?${new URLSearchParams({ errorCode: 'IDP_ERROR', error_description: reason, redirectUrl: back })}`;
  const kept = (reason: string) => `/error?errorCode=IDP_ERROR&error_description=${reason}&process_state=p`;
  const open = '/error?errorCode=IDP_ERROR&process_state=p&error_description=GenericError';

  test.each<
    [denial: ConstructorParameters<typeof ProviderUserRejectedError>[0], inPortal: string, forApplication: string]
  >([
    ['blocked', '/error?errorCode=BLOCKED_ACCOUNT', '/error?errorCode=BLOCKED_ACCOUNT'],
    ['unregistered', '/error?errorCode=UNREGISTERED_USER', '/error?errorCode=UNREGISTERED_USER'],
    ['inactive', '/error?errorCode=UNACTIVE_ACCOUNT', '/error?errorCode=UNACTIVE_ACCOUNT'],
    ['document', own('OtherPerson'), kept('OtherPerson')],
    ['linked-elsewhere', own('OtherPerson'), kept('OtherPerson')],
    ['taken-back', own('LinkTakenBack', '/auth/idp-login?idp=br'), kept('LinkTakenBack')],
    ['second-factor', '/error?errorCode=IDP_ERROR', open],
    ['registry', '/error?errorCode=IDP_ERROR', open],
  ])('denied as %s goes to its page, and is audited and logged', async (denial, inPortal, forApplication) => {
    const { outcome, audited, facts, origin } = await told(new ProviderUserRejectedError(denial, 'c'), portal);
    expect(outcome).toBe(inPortal);
    expect(audited).toEqual([[origin, 'sign-in-failed', 'c', { idp: 'br', reason: denial }]]);
    expect(facts).toEqual({ code: 'provider-denied', step: 'br', client: 'app', account: 'c', reason: denial });
    expect((await told(new ProviderUserRejectedError(denial, 'c'), application)).outcome).toBe(forApplication);
  });

  test('is rejected, audited and logged if another citizen is signed in', async () => {
    const { outcome, audited, facts } = await told(new ProviderUserRejectedError('other-session', 'c'), portal);
    expect(outcome).toMatchObject({ status: 400, code: 'sesion_de_otra_persona' });
    expect(audited).toHaveLength(1);
    expect(facts).toMatchObject({ account: 'c', reason: 'other-session' });
  });

  test('requires a new sign-in if it was too old, and returns to where the citizen was', async () => {
    const { outcome, audited, facts, origin } = await told(new StaleUpstreamSignInError('old'), portal);
    expect(outcome).toBe(own('StaleSignIn'));
    expect(audited).toEqual([[origin, 'sign-in-failed', null, { idp: 'br', reason: 'stale' }]]);
    expect(facts).toMatchObject({ code: 'provider-denied', reason: 'old' });
    expect((await told(new StaleUpstreamSignInError('old'), application)).outcome).toBe(kept('StaleSignIn'));
    expect((await told(new StaleUpstreamSignInError('old'), { ...portal, redirect_url: null })).outcome).toBe(
      '/error?errorCode=IDP_ERROR&error_description=StaleSignIn',
    );
  });

  test('leaves the request open if the provider failed, and is only logged', async () => {
    const failed = new UpstreamFailedError('no', { description: 'BloquedUser: 7' });
    const { outcome, audited, facts } = await told(failed, application);
    expect(outcome).toBe('/error?errorCode=IDP_ERROR&process_state=p&error_description=BloquedUser');
    expect(audited).toEqual([]);
    expect(facts).toMatchObject({ code: 'provider-failed', reason: 'no' });
    expect((await told(failed, portal)).outcome).toBe('/error?errorCode=IDP_ERROR');
  });

  test('is rejected and audited if the response is not trusted', async () => {
    const refused = new UpstreamRefusedError('forged');
    const { outcome, audited, facts, origin } = await told(refused, portal);
    expect(outcome).toBe(refused);
    expect(audited).toEqual([[origin, 'sign-in-failed', null, { idp: 'br', reason: 'refused' }]]);
    expect(facts).toMatchObject({ step: 'br', client: 'app' });
  });

  test('is not handled if the error is internal', async () => {
    const ours = new Error('ours');
    expect(await told(ours, portal)).toMatchObject({ outcome: ours, audited: [], facts: undefined });
  });
});
