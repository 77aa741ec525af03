// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { featureFlagDefaults } from '../../src/contract/feature-flags.ts';
import { createPortalStore } from '../../src/domain/root-store.ts';
import type { FlowRunner } from '../../src/engine/runtime/flow-runner.ts';
import type { RunningFlowState } from '../../src/engine/runtime/flow-state.ts';
import ForeignAccount from '../../src/portal/blocks/foreign-account.tsx';
import Home from '../../src/portal/blocks/home.tsx';
import Overview from '../../src/portal/blocks/security-overview.tsx';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { citizen, fakeClient, memoryStorage, now, createFailure, createToken } from '../domain/support/store.ts';
import { PortalNavigation } from '../../src/portal/navigation/portal-navigation.ts';
import { openPortal, createPage } from './support/sample-page.ts';

const mfa = {
  estado: { activado: false, fecha_activado: null },
  methods: { totp: null, email: null },
  estado_email: 'validado',
  errors: null,
  obligatorio: false,
  codigos_de_recuperacion: 0,
  llaves: [],
};
const application = {
  id: 'c1',
  client: { name: 'Trámites', logo: null },
  scopes: [{ name: 'documento' }],
  date_given: '2026-02-01T13:30:00Z',
};
const actions = [
  {
    id: '9',
    timestamp_access: '2026-03-02T15:05:00Z',
    descripcion: 'Inicio de sesión',
    responsable: 'Sin identificar',
    dispositivo: 'Chrome en Windows',
    red: '198.51.x.x',
  },
];
const calm = { email_por_validar: null, info_tramite_videollamada_pendiente: null };

/** Renders the overview of a citizen, with additional responses of the server. */
async function draw(
  change: object = {},
  {
    idp = '',
    role,
    flags = {},
    config = {},
    state = {},
    Block = Overview,
    answers = {},
  }: {
    idp?: string;
    role?: 'agent';
    flags?: object;
    config?: object;
    state?: Partial<RunningFlowState>;
    Block?: typeof Overview;
    answers?: Parameters<typeof fakeClient>[0];
  } = {},
) {
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } });
  const portal = openPortal({
    ...page,
    config: { ...page.config, ...config, flags: { ...featureFlagDefaults, ...flags } },
  });
  const record = { ok: true, result: { ...citizen, ...calm, ...change } } as const;
  const providers = {
    idps: [
      { identificador: 'br', nombre: 'gov.br', descripcion: '', nivel_seguridad: 'avanzado', logo: '', idioma: 'pt' },
    ],
    ci_allowed: false,
    gub_uy_allowed: true,
  };
  const { client, calls } = fakeClient({
    getCitizen: record,
    getForeignCitizen: record,
    getMfaStatus: { ok: true, result: mfa },
    getApplications: { ok: true, result: [application] },
    getActions: { ok: true, result: actions },
    getSessions: { ok: true, result: { sesiones: [], pendientes: [] } },
    getIdentityProviders: { ok: true, result: providers },
    ...answers,
  });
  const storage = memoryStorage({ portal: JSON.stringify({ token: createToken({ idp, role }), flows: {} }) });
  const store = createPortalStore({ client, clock: () => now, storage });
  await store.loadUser();
  await store.perform('getIdentityProviders');
  vi.spyOn(portal, 'store').mockResolvedValue(store);
  const raise = vi.fn(async (event: string) => void (event === 'actions' && (await store.perform('getActions'))));
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
  render(
    <PortalProviders portal={portal}>
      <MemoryRouter>
        <Block runner={runner} />
      </MemoryRouter>
    </PortalProviders>,
  );
  await act(async () => undefined);
  await act(async () => undefined);
  return { raise, asked: (name: string) => calls.filter((call) => call.name === name).length };
}

const section = (name: string) => within(screen.getByRole('region', { name }));
const notices = () => [...document.querySelectorAll('.notice')].map(({ textContent }) => textContent);

beforeEach(() => vi.useFakeTimers({ now, toFake: ['Date'] }));
afterEach(cleanup);

describe('[SEG-01] alerts of the overview', () => {
  test('are empty for an account without problems', async () => {
    await draw();
    expect(notices()).toEqual([]);
  });

  test.each([
    ['a blocked account', { bloqueado: true }, '', /bloqueada.*agente/],
    [
      'a sign-in through a provider without an own account',
      { user: { ...citizen.user, email: null } },
      'br',
      /proveedor de identidad.*Completar/,
    ],
    [
      'an account whose e-mail was not confirmed',
      { email_validado: false, email_por_validar: { email: 'ana@correo.uy' } },
      '',
      /no confirmaste.*ana@correo.uy/,
    ],
    [
      'a new e-mail that is not confirmed yet',
      { email_por_validar: { email: 'nueva@correo.uy' } },
      '',
      /por confirmar: nueva@correo.uy/,
    ],
    ['an incomplete registration', { user: { ...citizen.user, email: null } }, '', /incompleto/],
  ])('report %s', async (_, change, idp, text) => {
    await draw(change, { idp });
    expect(notices()).toEqual([expect.stringMatching(text)]);
  });

  test('show the message of the address with its placeholders filled', async () => {
    await draw(
      {},
      { state: { notice: { intent: 'info', text: '{msg}' }, context: { msg: 'Usted ya realizó esta acción' } } },
    );
    await waitFor(() => expect(notices()[0]).toContain('Usted ya realizó esta acción'));
  });
});

describe('[INI-08 ERR-03] panel that fails to load', () => {
  test.each([
    ['Doble factor de autenticación', 'getMfaStatus', 0],
    ['Aplicaciones con acceso a tus datos', 'getApplications', 500],
    ['Actividad', 'getActions', 503],
  ] as const)('shows an error, and its retry repeats the request: %s', async (name, call, status) => {
    const { asked } = await draw({}, { answers: { [call]: createFailure({ status }) } });
    if (call === 'getActions') {
      fireEvent.click(section(name).getByRole('button', { name: 'Ver últimas acciones' }));
      await act(async () => undefined);
    }
    expect(section(name).getByRole('alert').textContent).toContain('No pudimos cargar estos datos.');
    expect(section(name).queryByText('Cargando...')).toBeNull();
    fireEvent.click(section(name).getByRole('button', { name: 'Probar de nuevo' }));
    await act(async () => undefined);
    expect(asked(call)).toBe(2);
  });
});

describe('[SEG-10] video call that did not prove the identity', () => {
  test('is reported in the overview for less than a month', async () => {
    const call = {
      id: '5',
      estado: 'Rechazado agente',
      fecha: '2026-02-20',
      hora_inicio: '10:00:00',
      link: null,
      jwt: null,
      sala: false,
    };
    await draw({ info_tramite_videollamada_pendiente: call });
    expect(notices()).toEqual([expect.stringMatching(/^Su identidad no se pudo validar durante la videollamada/)]);
    cleanup();
    await draw({ info_tramite_videollamada_pendiente: { ...call, fecha: '2026-02-02' } });
    expect(notices(), 'a month later').toEqual([]);
  });
});

describe('suggested steps', () => {
  const on = { ...mfa, estado: { activado: true, fecha_activado: '2026-02-01T13:30:00Z' } };
  const factorOn = { getMfaStatus: { ok: true, result: on } } as const;
  const first = () => [...document.querySelectorAll('.row h3')].map(({ textContent }) => textContent);

  test.each([
    ['the second factor', {}, ['Activá el doble factor']],
    ['nothing with a second factor', factorOn, []],
  ] as const)('show %s to a citizen of a higher level', async (_, answers, expected) => {
    await draw({ nivel: 'Verificado' }, { answers, Block: Home });
    expect(first()).toEqual(expected);
  });

  const locked = { acceso_funcionalidades: false };
  test.each<[string, object, object, readonly string[], string?, string?]>([
    ['only the second factor, before the level', {}, {}, ['Activá el doble factor']],
    ['a video call', {}, { answers: factorOn }, ['Subí tu nivel'], 'Reservar una videollamada', '/videollamada'],
    [
      'a signature if no call can be booked',
      { user: { ...citizen.user, permisos: {} } },
      { answers: factorOn },
      ['Subí tu nivel'],
      'Usar tu firma digital',
      '/seguridad/firma-digital',
    ],
    [
      'nothing if neither is available',
      { user: { ...citizen.user, permisos: {} } },
      { answers: factorOn, config: { digitalSignature: false } },
      [],
    ],
    ['nothing for a restricted citizen', locked, { answers: factorOn }, []],
    [
      'nothing while a call is booked',
      { info_tramite_videollamada_pendiente: citizen.info_tramite_videollamada_pendiente },
      { answers: factorOn },
      [],
    ],
    ['nothing above level Básico', { nivel: 'Verificado' }, { answers: factorOn }, []],
  ])('on the home page are %s', async (_, change, options, titles, action, to) => {
    await draw(change, { ...options, Block: Home });
    expect(first()).toEqual(titles);
    if (action !== undefined) expect(screen.getByRole('link', { name: action }).getAttribute('href')).toBe(to);
  });

  test('omit a video call without permission, and disable it with a reason for a restricted citizen', async () => {
    await draw({ user: { ...citizen.user, permisos: {} } });
    expect(screen.queryByText('Por videollamada con un agente')).toBeNull();
    cleanup();
    await draw(locked);
    const call = screen.getByRole('button', { name: 'Por videollamada con un agente' });
    expect(call.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(call.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'No disponible: tu cuenta tiene funciones restringidas.',
    );
  });
});

describe('[SEG-01 ELEV-08] links of a booked call', () => {
  const primary = () => [...document.querySelectorAll('.button-primary')].map(({ textContent }) => textContent);

  const call = { ...citizen.info_tramite_videollamada_pendiente, fecha: '2026-03-02', hora_inicio: '12:05:00' };
  const offered = () =>
    section('Tus videollamadas')
      .getAllByRole('link')
      .map(({ textContent, className }) => [textContent, className.includes('button-primary')]);
  const cancel = ['Cancelar videollamada', false];
  const enter = ['Entrar', true];

  const open = { sala: true };
  const opensAt = (time: string) => ({ abre: `2026-03-02T${time}.000Z` });

  test.each<[string, object, unknown[]]>([
    ['its room is open', open, [enter, cancel]],
    ['its room is on another site', { link: 'https://meet.example/a' }, [enter, cancel]],
    ['its room opens in a minute', opensAt('15:01:00'), [cancel]],
    ['it is tomorrow, and its room is open', { fecha: '2026-03-03', ...open }, [cancel]],
    ['it was yesterday', { fecha: '2026-03-01', ...open }, [cancel]],
    ['it was held but not verified', { estado: 'Pendiente verificación' }, [cancel]],
    ['it was held and approved', { estado: 'Pendiente usuario' }, [['Validar los términos', true], cancel]],
  ])('match its state: %s', async (_, change, expected) => {
    await draw({ info_tramite_videollamada_pendiente: { ...call, ...change } }, { Block: Home });
    expect(offered()).toEqual(expected);
  });

  test('include Entrar as soon as the room opens', async () => {
    vi.useFakeTimers({ now, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    await draw({ info_tramite_videollamada_pendiente: { ...call, ...opensAt('15:01:00') } }, { Block: Home });
    await act(async () => vi.advanceTimersByTime(59_000));
    expect([offered(), primary()]).toEqual([[cancel], ['Activar el doble factor']]);
    await act(async () => vi.advanceTimersByTime(1_000));
    expect([offered(), primary()], 'the call is the only primary action').toEqual([[enter, cancel], ['Entrar']]);
  });
});

test('[ROL-01] an agent is offered neither the video call that raises the level nor its cancellation', async () => {
  const pending = { info_tramite_videollamada_pendiente: { ...citizen.info_tramite_videollamada_pendiente } };
  const calls = () => screen.queryByText('Por videollamada con un agente');
  const cancelling = () => document.querySelector('a[href="/confirmar-cancelar-videollamada"]');
  await draw();
  expect(calls()).not.toBeNull();
  cleanup();
  await draw({}, { role: 'agent' });
  expect(calls()).toBeNull();
  cleanup();
  await draw(pending, { Block: Home });
  expect(cancelling()).not.toBeNull();
  cleanup();
  await draw(pending, { role: 'agent', Block: Home });
  expect(cancelling()).toBeNull();
});

test('[SEG-06] the overview links to the digital signature once, and not at all if it is not configured', async () => {
  await draw();
  const links = () =>
    screen
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
      .filter((to) => to === '/seguridad/firma-digital');
  expect(links()).toHaveLength(1);
  cleanup();
  await draw({}, { config: { digitalSignature: false } });
  expect([links(), document.body.textContent.match(/firma digital/i)]).toEqual([[], null]);
});

describe('[SEG-02] second factor panel', () => {
  test('shows that the factor is off, its methods and a link to turn it on', async () => {
    await draw();
    const part = section('Doble factor de autenticación');
    expect(part.getByText('Desactivada')).toBeDefined();
    expect(part.getAllByText('No asociado')).toHaveLength(2);
    expect(part.getByRole('link', { name: 'Configurar Doble factor de autenticación' }).getAttribute('href')).toBe(
      '/seguridad/autenticacion-en-dos-pasos',
    );
    expect(screen.getByText('A tu cuenta solo la protege tu contraseña.').dataset['level']).toBe('off');
  });

  test.each([
    ['the app', { totp: { id: 't1', secret: null, url: null }, email: null }],
    ['the e-mail', { totp: null, email: { id: 'e1' } }],
  ])('shows that the factor is on with %s, and the other method as not associated', async (_, methods) => {
    await draw(
      {},
      {
        answers: {
          getMfaStatus: {
            ok: true,
            result: { ...mfa, methods, estado: { activado: true, fecha_activado: '2026-02-01T13:30:00Z' } },
          },
        },
      },
    );
    const part = section('Doble factor de autenticación');
    expect(part.getAllByText(/^(Activada|Desactivada)/).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Activada/),
    ]);
    expect(part.getByRole('link', { name: 'Configurar Doble factor de autenticación' })).toBeDefined();
    expect(screen.getByText('Tu cuenta está protegida por un doble factor.').dataset['level']).toBe('on');
    expect([part.getAllByText('Asociado').length, part.getAllByText(/^No asociado/).length]).toEqual([1, 1]);
  });
});

describe('[SEG-03] account data panel', () => {
  test('links each value to the page that changes it', async () => {
    await draw();
    const links = section('Datos de la cuenta')
      .getAllByRole('link')
      .map((link) => [link.getAttribute('aria-label'), decodeURI(link.getAttribute('href') ?? '')]);
    expect(links).toEqual([
      ['Cambiar Contraseña', '/seguridad/contraseña/modificar'],
      ['Cambiar Correo electrónico', '/seguridad/correo-electronico/modificar'],
      ['Cambiar Teléfono', '/seguridad/telefono/modificar'],
    ]);
  });

  test('formats the phone number', async () => {
    await draw({ numero_telefono: '+59899123456' });
    await waitFor(() => expect(section('Datos de la cuenta').getByText('+598 99 123 456')).toBeDefined());
  });

  test('offers to add a missing value', async () => {
    await draw({ numero_telefono: null, user: { ...citizen.user, email: null } });
    const labels = section('Datos de la cuenta')
      .getAllByRole('link')
      .map((link) => link.getAttribute('aria-label'));
    expect(labels).toEqual(['Cambiar Contraseña', 'Agregar Correo electrónico', 'Agregar Teléfono']);
  });

  test.each([
    [{ telefono_autogestion: false }, 'Teléfono'],
    [{ contrasena: false }, 'Contraseña'],
  ])('[CFG-01] hides a value without its flag: %o, %s', async (flags, name) => {
    await draw({}, { flags });
    expect(section('Datos de la cuenta').queryByText(name)).toBeNull();
  });
});

describe('[SEG-03] state of the account data panel', () => {
  test.each([
    ['Confirmados', 'on', {}],
    ['Por confirmar', 'off', { email_validado: false }],
    ['Por confirmar', 'off', { email_por_validar: { email: 'nueva@correo.uy' } }],
    ['Por confirmar', 'off', { user: { ...citizen.user, email: null } }],
  ])('is %s', async (text, level, change) => {
    await draw(change);
    expect(section('Datos de la cuenta').getByText(text).dataset['level']).toBe(level);
  });
});

describe('[SEG-04] activity panel', () => {
  test('shows the last sign-in, and the latest actions on demand', async () => {
    const { raise } = await draw();
    const part = section('Actividad');
    expect(part.getByText(/01\/03\/2026, 10:00 hs/)).toBeDefined();
    const toggle = part.getByRole('button', { name: 'Ver últimas acciones' });
    expect([toggle.getAttribute('aria-expanded'), part.queryByText('Inicio de sesión')]).toEqual(['false', null]);
    await act(async () => void fireEvent.click(toggle));
    expect(raise).toHaveBeenCalledWith('actions');
    expect(part.getByText('Inicio de sesión')).toBeDefined();
    expect(part.getByText('02/03/2026, 12:05 hs · Sin identificar · Chrome en Windows · 198.51.x.x')).toBeDefined();
    await act(async () => void fireEvent.click(part.getByRole('button', { name: 'Ocultar últimas acciones' })));
    expect(part.queryByText('Inicio de sesión')).toBeNull();
  });
});

describe('[SEG-05] applications panel', () => {
  test('shows the data and date of an application, and raises `revoke` for it', async () => {
    const { raise } = await draw();
    const part = section('Aplicaciones con acceso a tus datos');
    expect(part.getByRole('heading', { level: 2 }).id, 'anchor of the links on the home page').toBe('aplicaciones');
    expect(part.getByText('Puede conocer:')).toBeDefined();
    expect(part.getByText('documento')).toBeDefined();
    expect(part.getByText('Desde el 01/02/2026, 10:30 hs')).toBeDefined();
    fireEvent.click(part.getByRole('button', { name: 'Retirar acceso de Trámites' }));
    expect(raise).toHaveBeenCalledWith('revoke', { id: 'c1', name: 'Trámites' });
  });

  test('[ASVS-10.7.3] raises `revokeScope` for one of several data', async () => {
    const scopes = [
      { scope: 'document', name: 'documento' },
      { scope: 'email', name: 'correo electrónico' },
    ];
    const { raise } = await draw(
      {},
      { answers: { getApplications: { ok: true, result: [{ ...application, scopes }] } } },
    );
    const part = section('Aplicaciones con acceso a tus datos');
    fireEvent.click(part.getByRole('button', { name: 'No compartir correo electrónico con Trámites' }));
    const form = { id: 'c1', scope: 'email', scopeName: 'correo electrónico', name: 'Trámites' };
    expect(raise).toHaveBeenCalledWith('revokeScope', form);
  });

  test('receives a list without the revoked application from the store', async () => {
    const { client } = fakeClient({
      getApplications: { ok: true, result: [application, { ...application, id: 'c2' }] },
      revokeApplication: { ok: true, result: {} },
    });
    const store = createPortalStore({ client, clock: () => now, storage: memoryStorage() });
    await store.perform('getApplications');
    await store.perform('revokeApplication', { params: { consent: 'c1' } });
    expect(store.applications?.map(({ id }) => id)).toEqual(['c2']);
  });
});

describe('[SEG-06] level panel', () => {
  test.each([
    ['Autoregistro con CI', 'Nivel Básico'],
    ['Autoregistrado', 'Nivel Básico'],
    ['AUTOREGISTRADO', 'Nivel Básico'],
    ['Verificado', 'Nivel Intermedio'],
    ['Certificado', 'Nivel Intermedio'],
    ['CERTIFICADO', 'Nivel Intermedio'],
    ['PRESENCIAL', 'Nivel Intermedio'],
  ])('shows %s as %s', async (nivel, text) => {
    await draw({ nivel });
    expect(section('Nivel de seguridad').getByText(text)).toBeDefined();
  });

  test.each([
    ['Firma Digital', { firma_validada: '/rest/firmas/1/' }],
    [
      'Trámite Videollamada',
      {
        info_tramite_videollamada_pendiente: {
          id: '5',
          estado: 'Exitoso',
          fecha: '2026-02-20',
          hora_inicio: '10:00:00',
          link: null,
          jwt: null,
          sala: false,
        },
      },
    ],
    ['Elevación por Agente', {}],
  ])('shows the source of the level: %s', async (source, change) => {
    await draw({ nivel: 'PRESENCIAL', ...change });
    expect(section('Nivel de seguridad').getByText(new RegExp(`^Obtenido por: ${source}`))).toBeDefined();
  });

  test.each([
    ['Autoregistrado', 'Básico'],
    ['PRESENCIAL', 'Intermedio'],
  ])('marks the level of the citizen on the home page, and describes all levels: %s', async (nivel, name) => {
    await draw({ nivel }, { Block: Home });
    const steps = section('Nivel de seguridad').getAllByRole('listitem');
    expect(steps.filter((step) => step.getAttribute('aria-current') === 'step')).toHaveLength(1);
    expect(document.querySelector('.ladder [aria-current] h3')?.textContent).toBe(`${name} Tu nivel`);
    expect(document.querySelector('.ladder')?.textContent).toMatch(
      /no piden comprobar.*identidad comprobada.*mayor seguridad/,
    );
  });

  test('[INI-01] says at level Avanzado that the portal does not offer it', async () => {
    const notices = () =>
      screen.queryAllByText('No disponible en este portal').map((it) => it.closest('h3')?.textContent);
    await draw({}, { Block: Home });
    expect(notices()).toEqual([]);
    cleanup();
    await draw({}, { Block: Home, config: { advancedLevel: false } });
    expect(notices()).toEqual(['Avanzado No disponible en este portal']);
  });

  test('shows the configured address and hours of the in-person service', async () => {
    await draw(
      {},
      {
        config: {
          inPerson: { url: 'https://puntos.example/', address: 'Liniers 1324', hours: 'lunes a viernes de 9 a 16' },
        },
      },
    );
    const part = section('Nivel de seguridad');
    expect(part.getByText('Dirección: Liniers 1324.')).toBeDefined();
    expect(part.getByText('Horario: lunes a viernes de 9 a 16.')).toBeDefined();
    expect(part.getByRole('link', { name: 'En persona, en un punto de atención' }).getAttribute('href')).toBe(
      'https://puntos.example/',
    );
  });

  test('offers the digital signature and the in-person service to a citizen with level Básico', async () => {
    await draw();
    const part = section('Nivel de seguridad');
    expect(part.getByText('Subí a nivel Intermedio:')).toBeDefined();
    expect(part.getByRole('link', { name: 'Con firma digital' }).getAttribute('href')).toBe('/seguridad/firma-digital');
    expect(part.getByText(/En persona/)).toBeDefined();
  });
});

describe('home page of a signed-in citizen', () => {
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent;
  const session = { dispositivo: '', red: '', inicio: '2026-03-01T10:00:00Z', actual: false };
  const sesiones = [
    { ...session, id: '1', visto: '2026-03-01T10:00:00Z', aplicaciones: ['Trámites', 'Agenda'] },
    { ...session, id: '2', visto: '2026-03-02T10:00:00Z', aplicaciones: ['BPS', 'Trámites'] },
  ];

  test('shows name, document and the recently used applications, latest first', async () => {
    await draw({}, { Block: Home, answers: { getSessions: { ok: true, result: { sesiones, pendientes: [] } } } });
    expect(heading()).toBe(`Hola, ${citizen.primer_nombre}`);
    expect(screen.getByText(`${citizen.nombre_completo} · Cédula 1.234.567-2, Uruguay`)).toBeDefined();
    expect(screen.queryByText(/la protege/), 'the home page does not rate the protection').toBeNull();
    const used = section('Últimas aplicaciones que usaste').getAllByRole('listitem');
    expect(used.map(({ textContent }) => textContent)).toEqual(['BPS', 'Trámites', 'Agenda']);
    const links = section('Últimas aplicaciones que usaste').getAllByRole('link');
    expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(new Set(['/seguridad#aplicaciones']));
  });

  test('lists a booked video call', async () => {
    await draw({ info_tramite_videollamada_pendiente: citizen.info_tramite_videollamada_pendiente }, { Block: Home });
    expect(section('Tus videollamadas').getByText(/^Para subir tu nivel/)).toBeDefined();
  });

  test('is the public page for a citizen of a foreign provider', async () => {
    await draw({}, { idp: 'br', Block: Home });
    expect(heading()).toBe('Elegí la forma de identificarte digitalmente');
  });
});

describe('[SEG-07] restricted citizen', () => {
  test.each([
    ['without access to the features', { acceso_funcionalidades: false }],
    ['with the lowest level', { rid: 'Muy bajo' }],
  ])('sees a warning and disabled buttons: %s', async (_, change) => {
    await draw(change);
    expect(notices()).toEqual([expect.stringMatching(/funciones restringidas/)]);
    const buttons = section('Datos de la cuenta').getAllByRole('button');
    expect(buttons.map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true', 'true']);
    expect(section('Datos de la cuenta').queryAllByRole('link')).toEqual([]);
    for (const [part, name] of [
      ['Nivel de seguridad', 'Con firma digital'],
      ['Doble factor de autenticación', 'Configurar Doble factor de autenticación'],
      ['Doble factor de autenticación', 'Llaves de acceso'],
    ] as const)
      expect(section(part).getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('ForeignAccount', () => {
  beforeEach(() => void vi.spyOn(PortalNavigation.prototype, 'replace').mockImplementation(() => undefined));

  test.each([
    ['urn:iduruguay:nid:2', /nivel 3/, 'Nivel 2', 'warning'],
    ['urn:iduruguay:nid:3', /alcanza/, 'Nivel 3', 'success'],
  ])('[IDP-01] shows the received data and whether the level suffices, with %s', async (acr, text, level, intent) => {
    await draw({ acr }, { idp: 'br', Block: ForeignAccount });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Te identificaste con gov.br');
    expect([...document.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
      'Ana Lucía Pereira Núñez',
      'Cédula 1.234.567-2, Uruguay',
      level,
    ]);
    expect(notices()).toEqual([expect.stringMatching(text)]);
    expect(document.querySelector('.notice')?.getAttribute('data-intent')).toBe(intent);
  });

  test('[IDP-01] shows the identifier of an unknown provider', async () => {
    await draw({}, { idp: 'cl', Block: ForeignAccount });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Te identificaste con cl');
  });

  test('[RUTA-13] redirects a citizen with an own account to /seguridad', async () => {
    const leave = vi.spyOn(PortalNavigation.prototype, 'leave').mockImplementation(() => undefined);
    await draw({}, { Block: ForeignAccount });
    expect(leave.mock.calls).toEqual([['/seguridad', { replace: true }]]);
    expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  });

  test('[IDP-01 CFG-02] switches to the language of the provider, unless the citizen has chosen one', async () => {
    const replace = vi.spyOn(PortalNavigation.prototype, 'replace').mockImplementation(() => undefined);
    await draw({}, { idp: 'br', Block: ForeignAccount });
    expect(replace.mock.calls).toEqual([['/seguridad-idp?lang=pt']]);
    cleanup();
    document.cookie = 'language=es';
    await draw({}, { idp: 'br', Block: ForeignAccount });
    expect(replace).toHaveBeenCalledTimes(1);
    document.cookie = 'language=; max-age=0';
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('other=1; __Host-language=es');
    cleanup();
    await draw({}, { idp: 'br', Block: ForeignAccount });
    expect(replace).toHaveBeenCalledTimes(1);
  });
});

describe('[SEG-01 INI+PINTURA] panels of an account page', () => {
  const late = new Promise<never>(() => undefined);

  test.each([
    ['the home page', 'getMfaStatus', Home],
    ['the home page', 'getSessions', Home],
    ['the overview', 'getMfaStatus', Overview],
    ['the overview', 'getApplications', Overview],
    ['the overview', 'getLinkedProviders', Overview],
  ] as const)('are hidden on %s until %s responds', async (_, operation, Block) => {
    const answers = { getLinkedProviders: createFailure({ status: 500 }), [operation]: late };
    await draw({}, { Block: Block as typeof Overview, answers, config: { identityProviders: true } });
    expect(screen.getByRole('heading', { level: 1 })).toBeDefined();
    expect(screen.queryAllByRole('region')).toEqual([]);
  });

  test('are shown if one operation fails', async () => {
    await draw({}, { answers: { getMfaStatus: createFailure({ status: 500 }) } });
    expect(section('Aplicaciones con acceso a tus datos').getByText('Trámites')).toBeDefined();
  });
});
