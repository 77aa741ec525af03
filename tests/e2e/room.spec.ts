import type { Locator, Page } from '@playwright/test';
import { confirmByPassword, signInAtDesk } from './support/agents.ts';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import type { Portal } from './support/portal.ts';
import { createSampleCitizen, type Person } from './support/registration.ts';
import { setUpApp } from './support/second-factor.ts';

test.use({
  settings: {
    FLAGS: 'videollamada_5_minutos_antes=off',
    ELEVATION_HOURS: 'mon-sun 09:00-10:00 x2',
    ELEVATION_MIN_CALL_S: '5',
  },
});

/** Denies the first camera request, because headless browsers show no permission dialog. */
function denyCameraOnce(): void {
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = () => {
    mediaDevices.getUserMedia = ask;
    return Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
  };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Waits until the video has played several frames. */
async function expectPlaying(video: Locator): Promise<void> {
  const drawn = () => video.evaluate((element: HTMLVideoElement) => element.getVideoPlaybackQuality().totalVideoFrames);
  const before = await drawn();
  await expect.poll(drawn).toBeGreaterThan(before + 5);
}

/** Creates a citizen, books a call and opens its page. Returns the date of the call. */
async function bookAndOpen(page: Page, portal: Portal, citizen: Person, serial: string): Promise<string> {
  await createAccount(portal, citizen);
  await openSignedIn(page, portal, citizen, '/seguridad');
  await expect(heading(page, 'Seguridad')).toBeVisible();
  const date = await page.evaluate(async (serial) => {
    const stored = Object.values(localStorage).map((value) => /"token":"([^"]+)"/.exec(String(value))?.[1]);
    const headers = { authorization: `Bearer ${stored.find(Boolean)}`, 'content-type': 'application/json' };
    const dates = await fetch('/rest/configuracion-turno/lista-fechas-configuradas/', { headers });
    const [{ fecha }] = (await dates.json()) as [{ fecha: string }];
    const card = { terminos: true, clausula: true, numero_serie: serial, numero_telefono: '+598 99 123 456' };
    const body = JSON.stringify({ ...card, fecha, hora: '09:00:00' });
    const booked = await fetch('/rest/tramite-videollamada/', { method: 'POST', headers, body });
    if (!booked.ok) throw new Error(await booked.text());
    return fecha;
  }, serial);
  await page.goto('/ingresar-videollamada');
  await expect(heading(page, 'Entrá a tu videollamada')).toBeVisible();
  return date;
}

test('[ELEV-06 ELEV-07 ELEV-09 DESK-03 RUTA-03] citizen and agent meet in the call, reconnect, share a photo, and an approval raises the level', async ({
  page,
  browser,
  portal,
  mail,
  axe,
}) => {
  test.setTimeout(180_000);
  const citizen = createSampleCitizen('María', 'Fernández', '50234162');
  await page.setViewportSize({ width: 320, height: 700 });
  const date = await bookAndOpen(page, portal, citizen, '5S0O1A');
  await expect(page.getByText('a unos 50 centímetros de la cámara')).toBeVisible();
  await page.getByRole('button', { name: 'Probar cámara y micrófono' }).press('Enter');
  await expectPlaying(page.getByLabel('Tu imagen'));
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Entrar' }).press('Enter');
  await expect(heading(page, 'Tu videollamada')).toBeFocused();
  await expect(page.getByText('Estás en la sala.')).toBeVisible();
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  const desk = await (await browser.newContext({ baseURL: portal.url, reducedMotion: 'reduce' })).newPage();
  await signInAtDesk(desk, mail);
  await desk.getByLabel('Día', { exact: true }).fill(date);
  const row = desk.getByRole('row').filter({ hasText: 'María' });
  await expect(row, 'the call waits for the agent').toContainText('Pendiente agente');
  await row.getByRole('button', { name: /Tomar/ }).click();
  await desk.getByRole('button', { name: 'Probar cámara y micrófono' }).click();
  await desk.getByRole('button', { name: 'Entrar' }).click();

  const theirs = page.getByLabel('Imagen del agente');
  const hers = desk.getByLabel('Imagen de la persona');
  const talking = page.getByText('Estás en la videollamada.');
  await expect(talking).toBeVisible();
  for (const video of [theirs, hers]) await expectPlaying(video);
  await page.reload();
  await expect(talking, 'reconnects automatically').toBeVisible();
  for (const video of [theirs, hers]) await expectPlaying(video);
  await desk.reload();
  await expect(desk.getByText('En la videollamada.')).toBeVisible();
  for (const video of [theirs, hers]) await expectPlaying(video);

  await desk.getByRole('button', { name: 'Pedir foto del documento' }).click();
  await expect(page.getByRole('heading', { name: 'El agente te pide una foto de tu documento' })).toBeFocused();
  expect(await axe()).toEqual([]);
  const take = page.getByRole('button', { name: 'Sacar y enviar la foto' });
  await page.setViewportSize({ width: 640, height: 360 });
  await take.focus();
  for (const part of [take, page.getByLabel('Tu imagen')])
    await expect(part, 'the picture is visible above its button in landscape').toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 320, height: 700 });
  await take.press('Enter');
  await expect(page.getByText('La foto se envió.')).toBeVisible();
  await desk.getByRole('button', { name: 'Ver la foto' }).click();
  const still = desk.getByRole('img', { name: 'Foto del documento' });
  const size = () => still.evaluate((image: HTMLImageElement) => `${image.naturalWidth}x${image.naturalHeight}`);
  await expect.poll(size).toBe('1280x720');
  await desk.getByRole('button', { name: 'Pedir foto de la cara' }).click();
  await page.getByRole('button', { name: 'No quiero' }).click();
  await expect(desk.getByText('la persona no quiso')).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Silenciar micrófono' }).click();
  await expect(page.getByText('Tu micrófono está silenciado.')).toBeVisible();
  expect(await axe()).toEqual([]);
  for (const point of await desk.getByRole('checkbox').all()) await point.check();
  await desk.getByRole('button', { name: 'Guardar el control' }).click();
  await confirmByPassword(desk);
  await expectPlaying(hers);
  await desk.getByRole('button', { name: 'Aprobar' }).click();
  await desk.getByLabel('Motivo').fill('Todo coincide.');
  await desk.getByRole('button', { name: 'Confirmar' }).click();
  await expect(async () => {
    await desk.getByRole('button', { name: 'Confirmar' }).click();
    await expect(page.getByText('El agente comprobó tu identidad.')).toBeVisible({ timeout: 2_000 });
  }, 'accepted once both have been in the room long enough').toPass({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Seguir a las condiciones' }).click();
  await expect(page).toHaveURL(/\/confirmar-nivel-intermedio-videollamada$/);
  await expect(desk.getByText('La persona no está en la sala.')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 700 });
  const read = page.getByLabel('He leído las condiciones');
  await expect(read).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Aceptar' }), 'disabled without accepting the terms').toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await read.press('Space');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Aceptar' }).press('Enter');
  await expect(heading(page, 'Tu cuenta pasó a nivel Intermedio')).toBeFocused();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Ir a Seguridad' }).press('Enter');
  await expect(
    heading(page, 'Activá el doble factor de autenticación'),
    'the new level requires a second factor',
  ).toBeVisible();
  await setUpApp(page);
  await expect(page.getByText('Nivel Intermedio').first()).toBeVisible();
  await page.goto('/confirmar-nivel-intermedio-videollamada');
  await expect(page, 'once').toHaveURL(/\/seguridad/);
  await desk.context().close();
});

test('[ELEV-09] a denied camera permission shows instructions, and a second try plays the video', async ({
  page,
  portal,
  axe,
}) => {
  const citizen = createSampleCitizen('Diego', 'Castro', '31028473');
  await page.addInitScript(denyCameraOnce);
  await bookAndOpen(page, portal, citizen, 'S2A1Q0');
  await page.getByRole('button', { name: 'Probar cámara y micrófono' }).click();
  await expect(page.getByText('El navegador no tiene permiso para usar la cámara y el micrófono.')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Probar de nuevo' }).click();
  await expectPlaying(page.getByLabel('Tu imagen'));
});
