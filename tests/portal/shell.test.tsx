// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flagDefaults, type FlagName } from '../../src/contract/flags.ts';
import { PortalProviders } from '../../src/portal/portal-providers.tsx';
import { Shell } from '../../src/portal/shell/shell.tsx';
import Landing from '../../src/portal/blocks/landing.tsx';
import { createToken } from '../domain/support/store.ts';
import { openPortal, createPage } from './support/page.ts';

function draw({
  flags = {},
  path = '/',
  signedIn = false,
  language = 'es',
}: { flags?: Partial<Record<FlagName, boolean>>; path?: string; signedIn?: boolean; language?: 'es' | 'pt' } = {}) {
  if (signedIn)
    localStorage.setItem(
      'portal',
      JSON.stringify({ token: createToken({ exp: Math.floor(Date.now() / 1000) + 300 }), flows: {} }),
    );
  const page = createPage({ id: 'main', initial: 'a', states: { a: { path: '/', block: 'a' } } }, { language });
  const portal = openPortal({ ...page, config: { ...page.config, flags: { ...flagDefaults, ...flags } } });
  render(
    <PortalProviders portal={portal}>
      <MemoryRouter initialEntries={[path]}>
        <Shell chrome="full">
          <Landing />
        </Shell>
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

describe('[INI-02] the header', () => {
  test('leads in', () => {
    draw();
    expect(linksOf('banner')).toEqual([
      ['Más sobre cómo reconocer el sitio y los correos', '/como-saber-que-es-autentico'],
      ['Usuario', '/'],
      ['Iniciar sesión', '/login'],
      ['Registrate', '/registro'],
    ]);
  });

  test('leads to the account and out, once signed in', () => {
    draw({ signedIn: true });
    expect(linksOf('banner')).toEqual([
      ['Más sobre cómo reconocer el sitio y los correos', '/como-saber-que-es-autentico'],
      ['Usuario', '/'],
      ['Seguridad', '/seguridad'],
      ['Cerrar sesión', '/logout-process'],
    ]);
  });

  test('[CFG-01] without cabezal there is none; without cierre_de_sesion no way out', () => {
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

describe('[INI-01] the landing page', () => {
  const ways = () => linksOf('main').slice(0, 2);

  test('leads in, and to the help', () => {
    draw();
    expect(linksOf('main').slice(0, 3)).toEqual([
      ['Iniciar sesión', '/login'],
      ['Registrate', '/registro'],
      ['Preguntas frecuentes', '/ayuda'],
    ]);
  });

  test('leads who is signed in to the account', () => {
    draw({ signedIn: true });
    expect(ways()).toEqual([
      ['Ir a mi cuenta', '/seguridad'],
      ['Preguntas frecuentes', '/ayuda'],
    ]);
  });
});

describe('[INI-03] the footer', () => {
  test('asks whether the page was useful, and names it in the answer', () => {
    draw({ path: '/contraseña/restablecer' });
    expect(screen.getByText('¿Te pareció útil esta página?')).toBeDefined();
    const answers = linksOf('contentinfo').slice(0, 2);
    expect(answers.map(([text]) => text)).toEqual(['Sí', 'No']);
    expect(new URLSearchParams(answers[0]?.[1]?.split('?')[1]).get('util')).toBe('si');
    expect(new URLSearchParams(answers[1]?.[1]?.split('?')[1]).get('pagina')).toBe('/contraseña/restablecer');
  });

  test('leads to help and legal texts, and to the page in the other language', () => {
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

  test('[CFG-02] offers Spanish to who reads Portuguese', () => {
    draw({ language: 'pt' });
    expect(linksOf('contentinfo').at(-1)).toEqual(['Español', '/?lang=es']);
  });

  test('[CFG-01] without ayuda there are no links to help', () => {
    draw({ flags: { ayuda: false } });
    expect(
      [...linksOf('contentinfo'), ...linksOf('main')].filter(([, to]) => to === '/ayuda' || to === '/contacto'),
    ).toEqual([]);
  });
});

describe('[INI-01] the landing page', () => {
  test('says what the account is for, its levels and its second factor, with the ways in', () => {
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
