import { cp, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect as expectSoon, withOwnPortal } from './support/fixtures.ts';
import { projectRoot, startPortalProcess } from './support/portal.ts';
import { copyProject } from './support/project-copy.ts';

/** The development server prepares a module when it is first asked for. */
const expect = expectSoon.configure({ timeout: 60_000 });

/** The studio of a team. The tests are its proxy: they come from this machine, and say who is signed in. */
const test = withOwnPortal(async () => {
  const project = await copyProject();
  await cp(join(projectRoot, 'vite.config.ts'), join(project.root, 'vite.config.ts'));
  await writeFile(join(project.root, 'editors.json'), JSON.stringify({ 'ana@example.org': 'Ana Pereira' }));
  const settings = { NODE_ENV: 'development', TRUST_PROXY: 'loopback', STUDIO_USER_HEADER: 'X-Forwarded-Email' };
  const portal = await startPortalProcess(project.root, settings, ['src/cli/portal.mjs', 'studio']);
  return { project, portal, close: project.remove };
});

test.describe.configure({ timeout: 240_000 });

const as = (email: string) => ({ 'x-forwarded-email': email });

test('a team shares the studio behind its proxy: who may write writes, and others see it at once and look', async ({
  portal,
  page,
  context,
  browser,
  allowProblem,
  axe,
}) => {
  for (const path of ['/', '/registro', '/_dev/estudio', '/@vite/client', '/rest/sesion', '/definitions/x.js'])
    expect((await fetch(portal.url + path)).status, path).toBe(403);
  expect(await isUpgraded(portal.url, {})).toBe(false);
  expect(await isUpgraded(portal.url, as('ana@example.org'))).toBe(true);

  await context.setExtraHTTPHeaders(as('ana@example.org'));
  await page.goto('/_dev/estudio?pantalla=contacto&editar=texts');
  await expect(page.getByText('Estás como Ana Pereira.')).toBeVisible();
  const others = await browser.newContext({ baseURL: portal.url, extraHTTPHeaders: as('eva@example.org') });
  const other = await others.newPage();
  await other.goto('/_dev/estudio?pantalla=contacto&editar=texts');
  await expect(other.getByText('Podés mirar: quien edita está en editors.json.')).toBeVisible();
  await page.getByLabel('Español: Título', { exact: true }).fill('Escribinos hoy');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText('No hay cambios sin guardar.')).toBeVisible();
  await expect(other.getByLabel('Español: Título', { exact: true })).toHaveValue('Escribinos hoy');
  await expect(other.getByRole('button', { name: 'Deshacer' })).toBeDisabled();
  expect(await axe()).toEqual([]);

  allowProblem(/403/);
  await other.getByLabel('Español: Título', { exact: true }).fill('Otro');
  await other.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(other.getByText('podés mirar, no editar')).toBeVisible();
  await others.close();
});

/** Whether somebody gets the socket by which pages hear of changes. */
function isUpgraded(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const socket = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'sec-websocket-protocol': 'vite-ping',
  };
  return new Promise((resolve) => {
    const asked = request(`${url}/_dev/aviso`, { headers: { ...socket, ...headers } });
    asked.on('upgrade', (_response, own) => {
      own.destroy();
      resolve(true);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
