import type { Page } from '@playwright/test';
import { openBrowser } from '../server/support/browser.ts';
import { confirmByPassword, sampleAgent, signInAtDesk } from './support/agents.ts';
import { requestCaptchaSolution, post } from './support/accounts.ts';
import { skewClock } from './support/clock.ts';
import { startOriginProxy, getProxyOrigin } from './support/origin-proxy.ts';
import { expect, withOwnPortal } from './support/fixtures.ts';
import { readMails } from './support/outbox.ts';
import { startPortal, type Portal } from './support/portal.ts';

/** Test with a portal whose desk has a separate host. */
const test = withOwnPortal(async () => {
  let port = 0;
  const door = await startOriginProxy(() => port);
  const desk = { origin: getProxyOrigin(door).replace('localhost', 'agentes.localhost') };
  const portal = await startPortal({
    FLAGS: 'videollamada_5_minutos_antes=off',
    ELEVATION_HOURS: 'mon-sun 09:00-10:00 x2',
    AGENTS_HOST: desk.origin,
  });
  port = Number(new URL(portal.url).port);
  return { desk, portal, close: async () => void door.close() };
});
test.use({ actionTimeout: 10_000 });

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Books a call of the sample citizen for the first available day. Returns the day. */
async function bookElevation(portal: Portal): Promise<string> {
  const browser = openBrowser(portal.url);
  await browser.signIn();
  const headers = { authorization: `Bearer ${await browser.bearer()}` };
  const dates = await browser.get('/rest/configuracion-turno/lista-fechas-configuradas/', headers);
  const [{ fecha }] = (await dates.json()) as [{ fecha: string }];
  const body = { terminos: true, clausula: true, numero_serie: '007HEC', numero_telefono: '+598 99 123 456' };
  const booked = await browser.post('/rest/tramite-videollamada/', { ...body, fecha, hora: '09:00:00' }, headers);
  if (!booked.ok) throw new Error(await booked.text());
  return fecha;
}

/** Books the support slot that the agent has added. */
async function bookSupport(portal: Portal, fecha: string): Promise<void> {
  const booked = await post(portal, '/rest/videollamada-soporte/', {
    nombre_completo: 'Nora Bado',
    pais_emisor: 'ar',
    tipo_documento: 'dni',
    numero_documento: '23456789',
    correo_electronico: 'nora.mesa@example.com',
    numero_telefono: '+598 99 123 456',
    asunto: 'otro',
    mensaje: '¿Me ayudan?',
    fecha,
    hora: '21:00:00',
    captcha_response: await requestCaptchaSolution(portal),
  });
  expect(booked.status, await booked.text()).toBe(200);
}

test('[DESK-01 DESK-02 DESK-03 DESK-04 DESK-05 DESK-06 DESK-08 DESK-09] an agent handles calls, accounts, opening hours, messages and figures on the host of the desk', async ({
  page,
  mail,
  axe,
  portal,
  own: { desk },
}) => {
  test.setTimeout(150_000);
  const date = await bookElevation(portal);
  const shown = date.split('-').reverse().join('/');
  const sent = await post(portal, '/contacto/enviar/', {
    nombre_completo: 'Inés Quiroga',
    pais_emisor: 'ar',
    tipo_documento: 'dni',
    numero_documento: '12345678',
    email: 'ines.mesa@example.com',
    telefono: '+598 99 123 456',
    asunto: 'otro',
    mensaje: '¿Cómo sigo?',
    captcha_response: await requestCaptchaSolution(portal),
  });
  expect(sent.status, await sent.text()).toBe(200);
  await page.setViewportSize({ width: 360, height: 800 });
  await signInAtDesk(page, mail, `${desk.origin}/registro`); // every URL of the desk's host opens the desk
  await expect(page).toHaveURL(`${desk.origin}/agentes`);
  await expect(page.getByRole('row').filter({ hasText: 'Patricia' }), 'call of the sample data').toContainText(
    'Agendado',
  );
  const now = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Ahora' }) });
  await expect(now, 'the current call is above the list of the day').toContainText('Patricia');
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await page.getByLabel('Día', { exact: true }).fill(date);
  const row = page.getByRole('row').filter({ hasText: 'Ana' });
  await expect(row).toContainText('Agendado');
  await page.getByRole('button', { name: /Sin agente \(1\)/ }).click();
  await page.getByLabel('Asunto').selectOption('Subir de nivel');
  await page.getByLabel('Estado').selectOption('Agendado');
  await row.getByRole('button', { name: /Tomar/ }).click();
  await expect(heading(page, /Llamada de Ana/), 'opened after taking it').toBeVisible();
  await expect(page.getByText('La llamada es tuya.')).toBeVisible();
  await page.getByRole('button', { name: 'Volver a las llamadas' }).click();
  await expect(page.getByLabel('Día', { exact: true }), 'day and filters are kept').toHaveValue(date);
  await expect(page.getByLabel('Estado')).toHaveValue('Agendado');
  await page.getByRole('button', { name: /Mías \(1\)/ }).click();
  await page.reload();
  await expect(page.getByLabel('Día', { exact: true }), 'day and filters are kept after a reload').toHaveValue(date);
  await expect(page.getByRole('button', { name: /Mías \(1\)/, pressed: true })).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByLabel('Documento exacto').fill('4.512.378-4');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await expect(row).toBeVisible();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('j');
  await expect(row.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(heading(page, /Llamada de Ana/)).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Datos' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Número de serie' })).toContainText('007HEC');
  const surname = page.getByRole('row').filter({ hasText: 'Primer apellido' });
  await expect(surname.getByRole('img', { name: 'Coincide' }), 'equal in account and registry').toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Control y decisión' }).click();
  for (const name of ['Probar cámara y micrófono', 'Guardar el control', 'Aprobar', 'Error técnico'])
    await expect(page.getByRole('button', { name }), 'decision and call are visible together').toBeInViewport();
  const approve = page.getByRole('button', { name: 'Aprobar' });
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  await expect(approve).toHaveAccessibleDescription('Para aprobar, marcá los puntos obligatorios del control.');
  for (const point of await page.getByRole('checkbox').all()) await point.check();
  await expect(approve).toHaveAccessibleDescription('Para aprobar, guardá el control.');
  await page.getByLabel('Notas').fill('Mostró la cédula.');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Guardar el control' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirmá con tu contraseña' });
  await confirmation.getByLabel('Contraseña actual').fill('otra');
  await page.keyboard.press('Enter');
  await expect(confirmation.getByText(/contraseña/i).last()).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByText('No lo confirmaste: no se hizo ningún cambio.')).toBeVisible();
  await page.getByRole('button', { name: 'Guardar el control' }).click();
  await confirmByPassword(page);
  await expect(page.getByText('Se guardó el control.')).toBeVisible();
  await expect(approve).toHaveAccessibleDescription('');
  await approve.click();
  await page.getByLabel('Motivo').fill('Todo coincide.');
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(
    page.getByRole('dialog').getByText(/tienen que haber estado juntos en la sala al menos 60 segundos/),
  ).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Volver', exact: true }).click();
  await page.getByRole('button', { name: 'No se pudo comprobar' }).click();
  await page.getByLabel('Motivo').fill('No vino nadie a la sala.');
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('Quedó en «Rechazado agente».')).toBeVisible();
  expect(await axe()).toEqual([]);

  await page.getByRole('link', { name: 'Cuentas' }).click();
  await page.getByLabel('Documento').fill('45123784');
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Ana Lucía Pereira Sosa')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Restringir' }).click();
  await page.getByLabel('Motivo').fill('Pidió revisar su cuenta.');
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText(/Le avisamos por correo/)).toBeVisible();
  await expect(page.getByText('Activa, Restringida')).toBeVisible();
  expect((await mail('ana.pereira@example.com')).text).toContain('Pidió revisar su cuenta.');
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await page.getByRole('link', { name: 'Horarios' }).click();
  const week = page.getByRole('region', { name: 'Horario de la semana: Subir de nivel' });
  await expect(week.getByText('09:00–10:00 2 a la vez')).toHaveCount(7);
  await page.getByRole('button', { name: 'Agregar una fecha a Soporte' }).click();
  await page.getByLabel('Fecha', { exact: true }).fill('2099-12-25');
  await page.getByLabel('Por qué').fill('Navidad');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('row', { name: /25\/12\/2099 Cerrado Navidad/ })).toBeVisible();
  expect(await axe()).toEqual([]);

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 640, height: 360 });
  await page.getByRole('button', { name: 'Agregar una fecha a Soporte' }).click();
  await page.getByLabel('Fecha', { exact: true }).fill(date);
  await page.getByLabel('Abre').first().fill('21:00');
  await page.getByLabel('Cierra').first().fill('22:00');
  await page.getByRole('button', { name: 'Guardar' }).click();
  const special = page.getByRole('row').filter({ hasText: `${shown}de 21:00 a 22:00: una llamada a la vez` });
  await expect(special).toBeVisible();
  await bookSupport(portal, date);
  await page.getByRole('button', { name: `Quitar el ${shown}` }).click();
  await expect(page.getByText(/Con el horario de la semana quedarían sin lugar: .*21:00/)).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Quitar y mover' }).click();
  await expect(page.getByText(/Se guardaron los horarios y se movieron: /)).toBeVisible();
  await expect(special).toBeHidden();
  expect((await mail('nora.mesa@example.com', 2)).text).toContain('hora oficial de Uruguay');

  await page.getByRole('link', { name: 'Mensajes' }).click();
  await expect(page.getByText(/Responder a más tardar el \d\d\/\d\d\/\d{4}/)).toBeVisible();
  await page.getByRole('button', { name: 'Responder a Inés Quiroga' }).click();
  await page.getByLabel('Respuesta').fill('Ya lo arreglamos.');
  await page.getByRole('button', { name: 'Enviar' }).click();
  await expect(page.getByText(/Respondido por Bruno/)).toBeVisible();
  expect((await mail('ines.mesa@example.com', 2)).text).toContain('Ya lo arreglamos.');
  expect(await axe()).toEqual([]);

  await page.getByRole('link', { name: 'Cifras' }).click();
  await expect(page.getByRole('img', { name: /Llamadas por semana/ })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('llamadas.csv');
  expect(await axe()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await axe()).toEqual([]);

  await page.goto(`${desk.origin}/seguridad`);
  await expect(page, 'also rejected for the own account of the agent').toHaveURL(`${desk.origin}/agentes`);
  const scripts = () =>
    page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  const ofDesk = (await scripts()).filter((path) => /\/(agents|desk-)[^/]*\.js$/.test(path));
  expect(ofDesk).not.toEqual([]);
  const hidden = await page.goto(`${portal.url}/agentes`);
  expect(hidden?.status(), 'does not exist on the host of the citizens').toBe(404);
  expect((await scripts()).filter((path) => ofDesk.includes(path))).toEqual([]);
});

test('[DESK-02] the desk shows the current day of the server if the clock of the device is three days off', async ({
  page,
  portal,
  mail,
  own: { desk },
}) => {
  const earlier = (await readMails(portal.outboxUrl, sampleAgent.email)).length;
  await skewClock(page, 3 * 24 * 3_600_000);
  await signInAtDesk(page, (to) => mail(to, earlier + 1), `${desk.origin}/`);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Montevideo', dateStyle: 'short' });
  await expect(page.getByLabel('Día', { exact: true })).toHaveValue(today.format(new Date()));
});

test('[DESK-02] the desk shows a not-found page for an unknown call, and a connection error only if the request fails', async ({
  page,
  mail,
  axe,
  allowProblem,
  portal,
  own: { desk },
}) => {
  const earlier = (await readMails(portal.outboxUrl, sampleAgent.email)).length;
  await signInAtDesk(page, (to) => mail(to, earlier + 1), `${desk.origin}/`);
  for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
    await page.goto(`${desk.origin}/agentes/llamadas/${id}`);
    await expect(heading(page, 'No encontramos lo que buscás')).toBeVisible();
    await expect(page).toHaveTitle(/^No encontramos lo que buscás/);
    await expect(page.getByText('Revisá tu conexión')).toHaveCount(0);
    expect(await axe()).toEqual([]);
  }
  allowProblem(/net::ERR_FAILED/);
  await page.route('**/rest/agentes/llamadas/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Volver a las llamadas' }).click();
  await expect(heading(page, 'No pudimos mostrar esta página')).toBeVisible();
  await expect(page.getByText('Revisá tu conexión')).toBeVisible();
});
