// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { featureFlagDefaults, type FeatureFlagName } from '../../src/contract/feature-flags.ts';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { PageShell } from '../../src/portal/shell/page-shell.tsx';
import LandingPage from '../../src/portal/blocks/landing.tsx';
import { createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/sample-page.ts';

function draw({
  flags = {},
  path = '/',
  signedIn = false,
  language = 'es',
}: {
  flags?: Partial<Record<FeatureFlagName, boolean>>;
  path?: string;
  signedIn?: boolean;
  language?: 'es' | 'pt';
} = {}) {
  if (signedIn)
    localStorage.setItem(
      'portal',
      JSON.stringify({ token: createToken({ exp: Math.floor(Date.now() / 1000) + 300 }), flows: {} }),
    );
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }, { language });
  const portal = openPortal({ ...page, config: { ...page.config, flags: { ...featureFlagDefaults, ...flags } } });
  render(
    <PortalProviders portal={portal}>
      <MemoryRouter initialEntries={[path]}>
        <PageShell chrome="full">
          <LandingPage />
        </PageShell>
      </MemoryRouter>
    </PortalProviders>,
  );
}

const linksOf = (role: 'banner' | 'contentinfo' | 'main') =>
  within(screen.getByRole(role))
    .getAllByRole('link')
    .map((link) => [link.textContent, decodeURI(link.getAttribute('href') ?? '')]);

beforeEach(() => localStorage.clear());
afterEach(cleanup);

describe('[INI-02] header', () => {
  test('links to sign-in and registration', () => {
    draw();
    expect(linksOf('banner')).toEqual([
      ['Más sobre cómo reconocer el sitio y los correos', '/como-saber-que-es-autentico'],
      ['Usuario', '/'],
      ['Iniciar sesión', '/login'],
      ['Registrate', '/registro'],
    ]);
  });

  test('links to account and logout for a signed-in citizen', () => {
    draw({ signedIn: true });
    expect(linksOf('banner')).toEqual([
      ['Más sobre cómo reconocer el sitio y los correos', '/como-saber-que-es-autentico'],
      ['Usuario', '/'],
      ['Seguridad', '/seguridad'],
      ['Cerrar sesión', '/logout-process'],
    ]);
  });

  test('[INI-02] marks only the link to the current page', () => {
    const marked = () =>
      [...document.querySelectorAll('header [aria-current]')].map((it) => [
        it.textContent,
        it.getAttribute('aria-current'),
      ]);
    draw({ path: '/registro' });
    expect(marked()).toEqual([['Registrate', 'page']]);
    cleanup();
    draw({ path: '/contacto' });
    expect(marked()).toEqual([]);
  });

  test('[CFG-01] is hidden without the flag cabezal, and has no logout link without cierre_de_sesion', () => {
    draw({ flags: { cabezal: false } });
    expect(screen.queryByRole('banner')).toBeNull();
    cleanup();
    draw({ flags: { cierre_de_sesion: false }, signedIn: true });
    expect(linksOf('banner')).toEqual([
      ['Más sobre cómo reconocer el sitio y los correos', '/como-saber-que-es-autentico'],
      ['Usuario', '/'],
      ['Seguridad', '/seguridad'],
    ]);
  });
});

describe('[INI-01] landing page', () => {
  const ways = () => linksOf('main').slice(0, 2);

  test('links to sign-in, registration and help', () => {
    draw();
    expect(linksOf('main').slice(0, 3)).toEqual([
      ['Iniciar sesión', '/login'],
      ['Registrate', '/registro'],
      ['Preguntas frecuentes', '/ayuda'],
    ]);
  });

  test('links a signed-in citizen to account and help', () => {
    draw({ signedIn: true });
    expect(ways()).toEqual([
      ['Ir a mi cuenta', '/seguridad'],
      ['Preguntas frecuentes', '/ayuda'],
    ]);
  });
});

describe('[INI-03] footer', () => {
  test('asks whether the page was useful, and adds its path to the answer', () => {
    draw({ path: '/contraseña/restablecer' });
    expect(screen.getByText('¿Te pareció útil esta página?')).toBeDefined();
    const answers = linksOf('contentinfo').slice(0, 2);
    expect(answers.map(([text]) => text)).toEqual(['Sí', 'No']);
    expect(new URLSearchParams(answers[0]?.[1]?.split('?')[1]).get('util')).toBe('si');
    expect(new URLSearchParams(answers[1]?.[1]?.split('?')[1]).get('pagina')).toBe('/contraseña/restablecer');
  });

  test('links to help, legal texts and the page in the other language', () => {
    draw();
    expect(linksOf('contentinfo').slice(2)).toEqual([
      ['Contacto', '/contacto'],
      ['Preguntas Frecuentes', '/ayuda'],
      ['Acerca de', '/acerca-de'],
      ['Términos y condiciones', '/terminos-y-condiciones'],
      ['Política de privacidad', '/politica-de-privacidad'],
      ['Accesibilidad', '/accesibilidad'],
      ['Cómo saber que es auténtico', '/como-saber-que-es-autentico'],
      ['Português', '/?lang=pt'],
    ]);
  });

  test('[CFG-02] links to Spanish on a Portuguese page', () => {
    draw({ language: 'pt' });
    expect(linksOf('contentinfo').at(-1)).toEqual(['Español', '/?lang=es']);
  });

  test('[CFG-01] has no help links without the flag ayuda', () => {
    draw({ flags: { ayuda: false } });
    expect(
      [...linksOf('contentinfo'), ...linksOf('main')].filter(([, to]) => to === '/ayuda' || to === '/contacto'),
    ).toEqual([]);
  });
});

describe('[INI-01] texts of the landing page', () => {
  test('describe account, levels and second factor, followed by the links to sign in', () => {
    draw();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Elegí la forma de identificarte digitalmente');
    expect(screen.getByText(/más de 190 servicios y 2\.300 trámites en línea/)).toBeDefined();
    expect(
      within(screen.getByRole('region', { name: 'Niveles de seguridad' }))
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Básico', 'Intermedio', 'Avanzado']);
    expect(screen.getByRole('region', { name: 'Doble factor de autenticación' })).toBeDefined();
    expect(linksOf('main').slice(0, 3)).toEqual([
      ['Iniciar sesión', '/login'],
      ['Registrate', '/registro'],
      ['Preguntas frecuentes', '/ayuda'],
    ]);
  });
});
