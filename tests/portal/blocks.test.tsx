// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPortalStore } from '../../src/domain/root-store.ts';
import type { FlowBlockProps } from '../../src/engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../src/engine/runtime/flow-runner.ts';
import type { RunningFlowState } from '../../src/engine/runtime/flow-state.ts';
import Consent from '../../src/portal/blocks/consent.tsx';
import LoginMethods from '../../src/portal/blocks/login-methods.tsx';
import LogoutPage from '../../src/portal/blocks/logout.tsx';
import SamlLogoutPage from '../../src/portal/blocks/saml-logout.tsx';
import Passkeys from '../../src/portal/blocks/passkeys.tsx';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { fakeClient, memoryStorage, now, createFailure, createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const client = {
  name: 'Trámites',
  website_url: 'https://tramites.uy',
  url: null,
  terms_url: 'https://tramites.uy/t',
  priv_url: null,
  logo: null,
  state: 's',
  scopes: [
    { scope: 'email', name: 'correo electrónico', description: 'La dirección validada.', value: 'ana@correo.uy' },
    { scope: 'document', name: 'documento', description: '', value: '' },
  ],
  citizen: 'Ana Pérez, Cédula 45123784, Uruguay',
};
const mfa = {
  estado: { activado: true, fecha_activado: '2026-03-01T10:00:00-03:00' },
  methods: { totp: { id: 't', secret: null, url: null }, email: null },
  estado_email: 'validado',
  errors: null,
  obligatorio: false,
  codigos_de_recuperacion: 7,
};
const providers = {
  idps: [
    {
      identificador: 'abitab',
      nombre: 'Abitab',
      descripcion: 'Con tu celular.',
      nivel_seguridad: 'avanzado',
      logo: '/logo.svg',
    },
  ],
  ci_allowed: false,
  gub_uy_allowed: true,
};

interface BlockContext {
  readonly state?: Partial<RunningFlowState>;
  readonly answers?: Parameters<typeof fakeClient>[0];
  readonly calls?: readonly string[];
  /** Whether the store's module fails to load. */
  readonly broken?: boolean;
}

/** Renders a block in the portal, after its store has performed `calls`. Returns the events that the block raised. */
async function draw(
  Block: ComponentType<FlowBlockProps>,
  { state = {}, answers = {}, calls = [], broken = false }: BlockContext,
) {
  const portal = openPortal(createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }));
  const fake = fakeClient(answers);
  const storage = memoryStorage({ portal: JSON.stringify({ token: createToken(), flows: {} }) });
  const store = createPortalStore({ client: fake.client, clock: () => now, storage });
  for (const call of calls) await store.perform(call);
  const given = vi.spyOn(portal, 'store').mockResolvedValue(store);
  if (broken) given.mockRejectedValue(new Error('offline'));
  const replace = vi.spyOn(portal.navigation, 'replace').mockImplementation(() => undefined);
  const raise = vi.fn();
  const shown = {
    context: {},
    view: { name: 'a' },
    viewBelowModal: null,
    notice: null,
    busy: false,
    failed: false,
    ...state,
  };
  const runner = { state: shown, subscribe: () => () => undefined, raise, dismiss: vi.fn() } as unknown as FlowRunner;
  const drawn = render(
    <MemoryRouter>
      <PortalProviders portal={portal}>
        <Block runner={runner} />
      </PortalProviders>
    </MemoryRouter>,
  );
  await act(async () => {
    await vi.advanceTimersByTimeAsync(0);
  });
  return { ...drawn, portal, raise, replace, storage, calls: fake.calls };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

beforeEach(() => vi.useFakeTimers());
afterEach(cleanup);

describe('[SES-05] logout through service providers', () => {
  test.each<[string, Record<string, unknown>, string, number]>([
    ['forced', { forceLogin: 'True' }, 'Redirigiendo...', 1_000],
    ['forced, with `espera`', { forceLogin: 'True', espera: true }, 'Redirigiendo...', 10_000],
    ['normal', {}, 'Cerrando sesión', 4_000],
    ['normal, with `espera`', { espera: true }, 'Cerrando sesión', 10_000],
  ])('shows its message and continues after its delay: %s', async (_, context, text, waitMs) => {
    const { raise } = await draw(SamlLogoutPage, { state: { context: { avisos: [], ...context } } });
    expect(screen.getByRole('status').textContent).toContain(text);
    await act(async () => void (await vi.advanceTimersByTimeAsync(waitMs - 1)));
    expect(raise).not.toHaveBeenCalled();
    await act(async () => void (await vi.advanceTimersByTimeAsync(1)));
    expect(raise.mock.calls).toEqual([['waited']]);
  });

  test('starts its delay only once the applications to notify are known', async () => {
    const { raise } = await draw(SamlLogoutPage, {});
    await act(async () => void (await vi.advanceTimersByTimeAsync(20_000)));
    expect(raise).not.toHaveBeenCalled();
  });
});

describe('[CONS-01 CONS-02 CONS-03] consent page', () => {
  const open = (change: Partial<typeof client> = {}) =>
    draw(Consent, {
      answers: { getConsentClient: { ok: true, result: { ...client, ...change } } },
      calls: ['getConsentClient'],
    });

  test('[ASVS-10.7.2] shows the application, the requested data, the law and the duration', async () => {
    const { container } = await open();
    expect(screen.getByRole('link', { name: /^Trámites/ }).getAttribute('href')).toBe('https://tramites.uy');
    expect(screen.getByRole('link', { name: /^Términos y condiciones/ }).getAttribute('rel')).toBe(
      'noopener noreferrer',
    );
    expect(container.textContent).toContain('Conocer tu(s) correo electrónico');
    expect(container.textContent).toContain('Conocer tu(s) documento');
    expect(container.textContent).toContain('ana@correo.uy');
    expect(container.textContent).toContain('Iniciaste sesión como Ana Pérez, Cédula 45123784, Uruguay');
    expect(container.textContent).toContain('18.331');
    expect(container.textContent).toContain('hasta que lo retires');
  });

  test('names the citizen once if the requested data already do', async () => {
    const citizen = 'Ana Pérez, Cédula 45123784, Uruguay';
    const personal = { scope: 'personal_info', name: 'información personal', description: '', value: citizen };
    const { container } = await open({ scopes: [personal] });
    expect(screen.getAllByText(citizen)).toHaveLength(1);
    expect(container.textContent).not.toContain('Iniciaste sesión como');
  });

  test('says that no data is requested', async () => {
    const { container } = await open({ scopes: [] });
    expect(container.textContent).toContain('No quiere acceder a ninguna información.');
    expect(container.textContent).not.toContain('quiere acceder a tu información');
  });

  test('shows no link for a script address', async () => {
    await open({ website_url: 'javascript:alert(1)' });
    expect(screen.queryByRole('link', { name: /^Trámites/ })).toBeNull();
  });

  test.each([
    ['Permitir', true],
    ['Cancelar', false],
  ])('raises `decide` with the choice of the button %s', async (name, allow) => {
    const { raise } = await open();
    press(name);
    expect(raise.mock.calls).toEqual([['decide', { allow }]]);
  });
});

test.each([
  ['supports passkeys', true, ['Volver', 'Agregar una llave de acceso']],
  ['does not support passkeys', false, ['Volver']],
])(
  '[SEG+PASSKEY] Passkeys offers to add a passkey if the browser supports it: browser that %s',
  async (_, known, offered) => {
    vi.stubGlobal('PublicKeyCredential', class {});
    if (!known) Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
    await draw(Passkeys, {
      answers: { getMfaStatus: { ok: true, result: { ...mfa, llaves: [] } } },
      calls: ['getMfaStatus'],
    });
    expect(buttons()).toEqual(offered);
  },
);

describe('[LOG-02] choice of sign-in methods', () => {
  const ui = {
    title: '¿Cómo querés identificarte?',
    intro: [{ text: 'Para continuar en {aplicacion}', visible: { var: 'context.aplicacion' } }],
  };
  const view = { name: 'elegir', screen: { validator: { screen: { ui } } } } as unknown as RunningFlowState['view']; // a partial fake: the block reads only these properties
  const open = (context = {}, change = {}, notice: RunningFlowState['notice'] = null, shown = view) =>
    draw(LoginMethods, {
      state: { context, view: shown, notice },
      answers: { getIdentityProviders: { ok: true, result: { ...providers, ...change } } },
      calls: ['getIdentityProviders'],
    });

  test.each([
    ['avanzado', 'Avanzado'],
    ['intermedio', 'Básico o intermedio'],
    ['basico', 'Básico o intermedio'],
  ])(
    '[SEG-11] shows name, description, level and logo of a provider of level %s: %s',
    async (nivel_seguridad, level) => {
      const { container } = await open({}, { idps: providers.idps.map((idp) => ({ ...idp, nivel_seguridad })) });
      expect(buttons()[1]).toBe(`AbitabCon tu celular.Nivel de seguridad: ${level}`);
      expect(container.querySelector('img')?.getAttribute('src')).toBe('/logo.svg');
    },
  );

  test.each([
    [/Usuario/, ['own']],
    [/Abitab/, ['provider', { idp: 'abitab' }]],
    ['Volver', ['back']],
  ])('[LOG-13] raises the event of the button %s: %j', async (name, event) => {
    const { raise } = await open();
    press(name);
    expect(raise.mock.calls).toEqual([event]);
  });

  test('[LOG-11] raises `cancel` for a sign-in that an application began', async () => {
    const { raise } = await open({ process_state: 'p' });
    press('Cancelar y volver');
    expect(raise.mock.calls).toEqual([['cancel']]);
  });

  test.each([
    [{}, []],
    [{ useId4Verification: 'True' }, ['Iniciar sesión con billetera digital']],
  ])('[LOG-10 LOG-15] shows the visible actions of the screen with context %j: %j', async (context, more) => {
    const wallet = { event: 'wallet', text: 'Iniciar sesión con billetera digital' };
    const visible = { '==': [{ var: 'context.useId4Verification' }, 'True'] };
    const other = { screen: { validator: { screen: { ui: { ...ui, actions: [{ ...wallet, visible }] } } } } };
    const { raise } = await open(context, {}, null, other as unknown as typeof view);
    expect(buttons().slice(2, -1)).toEqual(more);
    for (const name of more) press(name);
    expect(raise.mock.calls).toEqual(more.map(() => ['wallet']));
  });

  test('omits the own method if the server does not allow it', async () => {
    await open({}, { gub_uy_allowed: false });
    expect(buttons()).toHaveLength(2);
  });

  test('[LOG-05] names the waiting application, if there is one', async () => {
    const { container } = await open({ aplicacion: 'Trámites <b>' });
    expect([
      screen.getByRole('heading', { level: 1 }).textContent,
      container.querySelector('.screen-intro')?.textContent,
    ]).toEqual(['¿Cómo querés identificarte?', 'Para continuar en Trámites <b>']);
    cleanup();
    expect((await open()).container.querySelector('.screen-intro')).toBeNull();
  });

  test('[LOG-01] shows the message of the address as text without a link', async () => {
    const { container } = await open(
      { mensaje: 'https://falso.example/' },
      {},
      { intent: 'info', text: 'Mensaje: «{mensaje}»' },
    );
    await act(() => vi.advanceTimersByTimeAsync(150));
    expect(container.querySelector('.notice p')?.textContent).toBe('Mensaje: «https://falso.example/»');
    expect(container.querySelector('.notice a')).toBeNull();
  });
});

describe('[SES-04] Logout', () => {
  const answer = {
    logout_urls: ['https://a.uy/out', 'https://b.uy/out'],
    location: '/ayuda',
    wait_longer: false,
    unreachable: [] as string[],
  };
  const open = (change: object = {}, context = {}) =>
    draw(LogoutPage, { state: { context }, answers: { logout: { ok: true, result: { ...answer, ...change } } } });

  test('notifies each application in a hidden frame, empties the storage and redirects after one second', async () => {
    const { container, replace, storage, calls } = await open({}, { redirect_uri: '/ayuda', state: 'x' });
    expect(
      [...container.querySelectorAll('iframe')].map((frame) => [
        frame.src,
        frame.getAttribute('aria-hidden'),
        frame.title !== '',
      ]),
    ).toEqual(answer.logout_urls.map((url) => [url, 'true', true]));
    expect([screen.getByRole('status').textContent, storage.content.size]).toEqual(['Cerrando sesión', 0]);
    expect(calls).toEqual([{ name: 'logout', input: { body: { redirect_uri: '/ayuda', state: 'x' } } }]);
    expect(replace).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(replace.mock.calls).toEqual([['/ayuda']]);
  });

  test.each([
    ['if the server asks for it', { wait_longer: true }],
    ['if an application was not notified', { unreachable: ['Trámites'] }],
  ])('redirects after 10 s %s', async (_, change) => {
    const { replace } = await open(change);
    await act(() => vi.advanceTimersByTimeAsync(9_999));
    expect(replace).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(replace).toHaveBeenCalledTimes(1);
  });

  test('shows a spinner while it runs, and an error with a retry if the store cannot be loaded', async () => {
    const { container } = await open();
    expect(container.querySelector('[role=status] .spinner')).not.toBeNull();
    cleanup();
    await draw(LogoutPage, { broken: true });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('No pudimos mostrar esta página');
    expect(screen.getByRole('button').textContent).toBe('Probar de nuevo');
  });

  test('lists the applications whose session could not be closed', async () => {
    await open({ unreachable: ['Trámites', 'Salud'] });
    expect(screen.getByRole('alert').textContent).toContain('Trámites, Salud');
  });

  test.each([
    ['to the home page', {}, '/'],
    ['to `redirect_uri`', { redirect_uri: '/login' }, '/login'],
  ])('redirects %s if the broker is unreachable, and empties the storage', async (_, context, target) => {
    const { replace, storage } = await draw(LogoutPage, {
      state: { context },
      answers: { logout: createFailure({ status: 0 }) },
    });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect([replace.mock.calls, storage.content.size]).toEqual([[[target]], 0]);
  });
});
