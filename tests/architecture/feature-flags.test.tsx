// @vitest-environment happy-dom
import { generateKeyPairSync } from 'node:crypto';
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findOperationRefusal } from '../../src/contract/operation-access.ts';
import { apiContract } from '../../src/contract/contract.ts';
import { featureFlagDefaults, type FeatureFlagName, type FeatureFlags } from '../../src/contract/feature-flags.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { Json } from '../../src/engine/core/json.ts';
import { isRuleTrue, renderLogicTemplate as fill } from '../../src/engine/core/json-logic.ts';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { PageHeader, PageShell } from '../../src/portal/shell/page-shell.tsx';
import { createInternalChangeOrigin } from '../../src/server/platform/base/change-origin.ts';
import { createLocalSigner } from '../../src/server/platform/keys/jws-signer.ts';
import { endSessionEverywhere } from '../../src/server/trust/federation/broker/end-session-everywhere.ts';
import { getIdentityProviders } from '../../src/server/features/sign-in/index.ts';
import { isCallRoomOpen } from '../../src/server/features/video-calls/call-access.ts';
import { createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from '../portal/support/sample-page.ts';
import { productDefinitions } from '../definitions/support/product-definitions.ts';

const told = vi.hoisted(() => ({ inFrames: [] as readonly string[] }));
vi.mock('../../src/server/trust/federation/saml/logout-chain.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  startLogoutChain: async (_needs: object, { frames }: { frames: readonly string[] }) => void (told.inFrames = frames),
}));

let definitions: ServedDefinitions;
beforeAll(async () => {
  definitions = await productDefinitions;
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const hour = new Date('2026-03-02T15:00:00Z');
const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
/** Creates a partial fake of a server object, with only the properties that a probe reads. */
const createFakePart = (part: object): never => part as never;
const listErrors = (screen: string | readonly string[], values: object, flags: FeatureFlags) =>
  Object.keys(definitions.check(screen, { ...values }, { language: 'es', context: { flags, user: {} } }).errors).sort();
const canEnter = (flow: string, state: string, flags: FeatureFlags, more: object = {}) =>
  isRuleTrue(definitions.flows[flow]?.states[state]?.requires?.guard, { flags, ...more });
const isShown = (screen: string, link: string, flags: FeatureFlags) =>
  (definitions.ui(screen, 'es').links ?? []).some(({ to, visible }) => to === link && isRuleTrue(visible, { flags }));
/** Returns the links in the header, or in the complete shell, for a signed-in citizen. */
const listLinks = (Part: () => React.ReactNode, flags: FeatureFlags) => {
  const token = createToken({ exp: Math.floor(Date.now() / 1000) + 300 });
  localStorage.setItem('portal', JSON.stringify({ token, flows: {} }));
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } });
  const { container } = render(
    <PortalProviders portal={openPortal({ ...page, config: { ...page.config, flags } })}>
      <MemoryRouter>
        <Part />
      </MemoryRouter>
    </PortalProviders>,
  );
  return [...container.querySelectorAll('a')].map((link) => decodeURI(link.getAttribute('href') ?? ''));
};

/** For each flag, a probe of its visible effect. Its result must depend on the flag. */
const probes: Readonly<Record<FeatureFlagName, (flags: FeatureFlags) => unknown>> = {
  async slo_saml(flags) {
    const which = {
      which: { id: 's' },
      origin: createInternalChangeOrigin('system', 't'),
      end: { kind: 'path', path: '/' },
    } as const;
    const participant = { provider: 'sp', nameId: { value: 'n', format: 'f' }, sessionIndex: 'i' };
    const metadata = { entityId: 'sp', logout: { binding: 'redirect', location: 'https://sp.example/slo' } };
    const parts = {
      config: { flags, baseUrl: 'https://portal.example' },
      clock: { now: () => hour },
      commands: { run: async () => ({ id: 's', sessions: [], participants: [participant] }) },
      oidc: { provider: {} },
      notifyEnds: async () => [],
      saml: {
        providers: { findCurrent: async () => ({ registration: {}, metadata }) },
        credentials: () => [{ signer: createLocalSigner(signingKey) }],
      },
    };
    await endSessionEverywhere(createFakePart(parts), which);
    return told.inFrames.map((url) => url.split('?')[0]);
  },
  videollamada_5_minutos_antes: (flags) =>
    isCallRoomOpen(
      createFakePart({
        state: 'Agendado',
        startsAt: new Date(hour.getTime() + 3_600_000),
        endsAt: new Date(hour.getTime() + 7_200_000),
      }),
      createFakePart({ flags }),
      hour,
    ),
  telefono_autogestion: (flags) => canEnter('seguridad-telefono', 'modificar', flags),
  telefono_en_registro: (flags) => listErrors('registro-correo', { numero_telefono: '1' }, flags),
  telefono_en_videollamada: (flags) => listErrors('elevacion-datos', { numero_serie: '007HEC' }, flags),
  telefono_en_agenda: (flags) => [
    definitions.screenVersion(apiContract.bookSupportCall.screen, { flags, user: {} }),
    canEnter('agenda-soporte', 'telefono', flags, { user: {} }),
    listErrors('agenda-soporte', {}, flags),
  ],
  campo_contrasena: (flags) => {
    const field = (definitions.ui('registro-contrasena', 'es').fields as Record<string, Json>)['password'];
    return fill(field ?? null, { flags });
  },
  saml_index: (flags) => canEnter('saml-index', 'prueba', flags),
  idp_autogestion: (flags) =>
    findOperationRefusal(
      apiContract.verifyPassword,
      { role: 'foreign', permisos: {}, restricted: false, factorDue: false },
      flags,
    ),
  cabezal: (flags) => listLinks(() => <PageShell chrome="full">{null}</PageShell>, flags).includes('/seguridad'),
  cierre_de_sesion: (flags) => listLinks(() => <PageHeader />, flags),
  contrasena: (flags) => isShown('login-contrasena', '/contraseña/restablecer', flags),
  ayuda: (flags) => isShown('contacto', '/ayuda', flags),
  ci_electronica: async (flags) => {
    const dependencies = { config: { flags, identityProviders: [] } };
    return (await getIdentityProviders(createFakePart(dependencies), createFakePart({ query: {} }))).body.ci_allowed;
  },
  verificar_identidad: (flags) => {
    const states = Object.values(definitions.flows['seguridad-contrasena']?.states ?? {});
    return JSON.stringify(
      states.map(({ always }) => [always ?? []].flat().map(({ guard }) => isRuleTrue(guard, { flags, user: {} }))),
    );
  },
};

test.each(Object.keys(featureFlagDefaults) as readonly FeatureFlagName[])(
  '[CFG-01] flag %s changes the behaviour of the product',
  async (flag) => {
    const on = await probes[flag]({ ...featureFlagDefaults, [flag]: true });
    cleanup();
    const off = await probes[flag]({ ...featureFlagDefaults, [flag]: false });
    expect(on).not.toEqual(off);
  },
);
