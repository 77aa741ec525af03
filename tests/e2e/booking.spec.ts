import type { Locator, Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { typeByKeyboard as type } from './support/keyboard.ts';
import { findLink } from './support/outbox.ts';
import { createForeigner, createSampleCitizen } from './support/registration.ts';

const press = '\n';
const bar = (page: Page) => page.getByRole('navigation', { name: 'Pasos' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Completes the support wizard up to the choice of day and time, with the keyboard only. */
async function completePersonStep(page: Page, email: string): Promise<void> {
  await page.goto('/contacto-videollamada');
  await type(page.getByLabel('Nombre completo'), 'Inés Quiroga');
  await type(page.getByLabel('País emisor del documento'), 'Argentina');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('dni');
  await type(page.getByLabel('Número de documento'), createForeigner().document);
  await type(page.getByLabel('Correo electrónico'), email);
  await completeReasonStep(page);
}

async function completeReasonStep(page: Page): Promise<void> {
  await type(page.getByLabel('Número de teléfono'), '99123456');
  await type(page.getByLabel('Asunto'), 'Firma digital');
  await type(page.getByLabel('Motivo de la consulta'), 'No puedo firmar.');
  await type(page.getByRole('button', { name: 'Continuar' }), press);
  await expect(heading(page, 'Elegí día y hora')).toBeFocused();
}

const daysOf = (page: Page) => page.getByRole('group', { name: 'Día', exact: true }).getByRole('radio');
const hoursOf = (page: Page) => page.getByRole('group', { name: /^Hora/ }).getByRole('radio');

/** Chooses an hour of the selected day and submits, with the keyboard only. */
async function chooseHour(page: Page, hour: Locator): Promise<void> {
  await type(hoursOf(page).first(), ' ');
  for (let turn = 0; turn < 40 && !(await hour.isChecked()); turn += 1) await page.keyboard.press('ArrowDown');
  await type(page.getByRole('button', { name: 'Continuar' }), press);
  await expect(heading(page, 'Confirmá tu videollamada')).toBeFocused();
}

test.describe('support video call', () => {
  test('[AGEN-01 AGEN-02 AGEN-04 AGEN-06 AGEN-08 RUTA-07] is booked with the keyboard, and is confirmed and cancelled with the buttons of its links', async ({
    page,
    mail,
    axe,
    request,
  }) => {
    test.setTimeout(120_000);
    const email = 'ines.agenda@example.com';
    await page.setViewportSize({ width: 320, height: 800 });
    await completePersonStep(page, email);
    await expect(page.getByText('Paso 2 de 3: Día y hora')).toBeVisible();
    await expect(daysOf(page).first(), 'the first day is preselected').toBeChecked();
    await expect(page.getByRole('button', { name: 'Continuar' })).toHaveAttribute('aria-disabled', 'true');
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByRole('radio', { name: '09:30' }).check();
    await daysOf(page).nth(1).check();
    await expect(hoursOf(page).first()).toBeVisible();
    await expect(hoursOf(page).and(page.locator(':checked')), 'changing the day clears the hour').toHaveCount(0);
    await heading(page, 'Elegí día y hora').focus();
    await chooseHour(page, page.getByRole('radio', { name: '10:00' }));
    const answers = await page.getByRole('definition').allTextContents();
    expect(answers).toEqual([
      'Inés Quiroga',
      'Argentina',
      'Documento nacional de identidad',
      expect.any(String),
      email,
      expect.stringMatching(/^\+598/),
      'Firma digital',
      'No puedo firmar.',
      expect.stringMatching(/^[a-záé]+ \d+ de [a-z]+$/),
      '10:00',
    ]);
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1280, height: 800 }); // a desktop, because the step bar has no links on phones
    await bar(page).getByRole('link', { name: 'Tus datos' }).click();
    await expect(heading(page, 'Agenda Soporte')).toBeFocused();
    await page.goBack();
    await page.setViewportSize({ width: 320, height: 800 });
    await type(page.getByRole('button', { name: 'Cambiar Tus datos' }), press);
    await expect(page.getByLabel('Nombre completo'), 'the input is kept').toHaveValue('Inés Quiroga');
    await page.goBack();
    await expect(heading(page, 'Confirmá tu videollamada')).toBeVisible();
    await type(page.getByLabel('No soy un robot'), ' ');
    await expect(page.getByText('Verificación completa')).toBeVisible();
    await type(page.getByRole('button', { name: 'Reservar videollamada' }), press);
    await expect(heading(page, 'Falta confirmar tu videollamada')).toBeVisible();
    await expect(page.getByText(`Te enviamos un correo electrónico a ${email}.`)).toBeVisible();
    await expect(page.getByRole('link', { name: /Google/ }), 'not booked before the confirmation').toHaveCount(0);
    expect(await axe()).toEqual([]);

    const reserved = await mail(email);
    const confirm = findLink(reserved, '/videollamada-soporte?');
    for (const method of ['GET', 'HEAD', 'GET']) expect((await request.fetch(confirm, { method })).status()).toBe(200);
    await page.goto(confirm);
    await expect(page).toHaveURL(/\/videollamada-soporte$/);
    await expect(page.getByText('Dura 30 minutos.')).toBeVisible();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Confirmar videollamada' }).click();
    await expect(heading(page, 'Tu videollamada está confirmada')).toBeVisible();
    for (const name of [/Google/, /Apple/, /Outlook/]) await expect(page.getByRole('link', { name })).toBeVisible();

    const booked = await mail(email, 2);
    await page.goto(findLink(booked, '/ingresar-videollamada-soporte?'));
    await expect(page.getByText('La sala se abre 5 minutos antes de la hora.')).toBeVisible();
    await expect(page.getByText(/50 centímetros de la cámara/)).toBeVisible();
    await page.getByRole('button', { name: 'Ver si ya abrió' }).click();
    await expect(page.getByText('La sala todavía no está abierta.')).toBeVisible();
    expect(await axe()).toEqual([]);

    await page.goto(findLink(booked, '/cancelar-videollamada-soporte?'));
    await page.getByRole('button', { name: 'Cancelar videollamada' }).click();
    await expect(heading(page, 'Cancelamos tu videollamada')).toBeVisible();
    for (const path of ['/cancelar-videollamada-soporte?', '/ingresar-videollamada-soporte?']) {
      await page.goto(findLink(booked, path));
      await expect(heading(page, 'Tu videollamada ya estaba cancelada')).toBeVisible();
    }
    await page.goto(confirm);
    await expect(heading(page, 'Tu videollamada ya estaba cancelada')).toBeVisible();
    await page.goto('/videollamada-soporte?videollamada=nada');
    await expect(heading(page, 'Ups, ocurrió un problema...')).toBeVisible();
  });

  test('[AGEN-03 AGEN-05] uses the profile of a signed-in citizen, needs no captcha and is limited to one', async ({
    page,
    portal,
    axe,
  }) => {
    const citizen = createForeigner();
    await createAccount(portal, citizen);
    await openSignedIn(page, portal, citizen, '/contacto-videollamada');
    await expect(page.getByText('el agente puede corregirlo durante la videollamada')).toBeVisible();
    await expect(page.getByLabel('Nombre completo')).toHaveText(`${citizen.firstName} ${citizen.surname}`);
    await expect(page.getByLabel('Correo electrónico')).toHaveText(citizen.email);
    await expect(page.getByRole('textbox', { name: /Nombre|Documento|Correo/ }), 'read-only').toHaveCount(0);
    expect(await axe()).toEqual([]);
    await completeReasonStep(page);
    await chooseHour(page, hoursOf(page).first());
    await expect(page.getByRole('checkbox'), 'no captcha for a signed-in citizen').toHaveCount(0);
    await type(page.getByRole('button', { name: 'Reservar videollamada' }), press);
    await expect(heading(page, 'Falta confirmar tu videollamada')).toBeVisible();

    await page.goto('/contacto-videollamada');
    await expect(page.getByText('Su usuario ya tiene una videollamada agendada')).toBeVisible();
    await expect(page.getByText(/^Tu videollamada de soporte es el [a-záé]+ \d+ de/)).toBeVisible();
    await expect(page.getByLabel('Asunto'), 'the booked call replaces the form').toHaveCount(0);
    expect(await axe()).toEqual([]);
    await type(page.getByRole('button', { name: 'Confirmar videollamada' }), press);
    await expect(heading(page, 'Tu videollamada está confirmada')).toBeVisible();
    await page.goto('/');
    await page.getByRole('link', { name: 'Cancelar videollamada' }).click();
    await page.getByRole('button', { name: 'Cancelar videollamada' }).click();
    await expect(heading(page, 'Cancelamos tu videollamada')).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Reservar una videollamada de soporte' })).toBeVisible();
    await expect(page.getByText('De soporte:')).toHaveCount(0);
  });
});

for (const width of [360, 1280])
  test(`[AGEN-04] the submit button moves at ${width} px while the days and hours of a call load`, async ({
    page,
    portal,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 800 });
    const citizen = createForeigner();
    await createAccount(portal, citizen);
    await openSignedIn(page, portal, citizen, '/contacto-videollamada');
    const answers: (() => void)[] = [];
    await page.route(/lista-fechas-configuradas|disponibilidad-consulta/, async (route) => {
      await new Promise<void>((send) => answers.push(send));
      await route.continue();
    });
    const locate = async () => (await page.getByRole('button', { name: 'Continuar' }).boundingBox())?.y;
    const answer = async () => {
      await expect.poll(() => answers.length).toBeGreaterThan(0);
      for (const send of answers.splice(0)) send();
    };
    await completeReasonStep(page);
    const places = [await locate()];
    await answer();
    await expect(daysOf(page).first()).toBeChecked();
    places.push(await locate());
    await answer();
    await expect(hoursOf(page).first()).toBeVisible();
    places.push(await locate());
    await daysOf(page).nth(1).check();
    await expect(hoursOf(page)).toHaveCount(0);
    places.push(await locate());
    await answer();
    await expect(hoursOf(page).first()).toBeVisible();
    places.push(await locate());
    expect(places).toEqual(places.map(() => places[0]));
  });

test.describe('elevation video call', () => {
  test('[ELEV-01 ELEV-02 ELEV-05 ELEV-09] is booked with the keyboard at 360 px, is listed on the home page and can be cancelled', async ({
    page,
    portal,
    axe,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width: 360, height: 640 });
    const whole = async (): Promise<void> => {
      expect(await axe()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    };
    const citizen = createSampleCitizen('María', 'Fernández', '50234162');
    await createAccount(portal, citizen);
    await openSignedIn(page, portal, citizen, '/seguridad');
    await page.getByRole('link', { name: 'Por videollamada con un agente' }).click();

    await expect(heading(page, 'Subí tu nivel por videollamada')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Continuar' }), 'at 360x640').toBeInViewport({ ratio: 1 });
    await whole();
    await type(page.getByRole('checkbox', { name: 'Acepto los términos' }), ' ');
    await type(page.getByRole('checkbox', { name: /Ley N.º\s18.331/ }), ' ');
    await type(page.getByRole('button', { name: 'Continuar' }), press);

    await expect(heading(page, 'Tus datos')).toBeFocused();
    await expect(page.getByLabel('Nombre completo')).toHaveText('María Fernández');
    await expect(page.getByPlaceholder('Ej. 007HEC')).toBeVisible();
    await whole();
    await type(page.getByLabel('Número de serie de la cédula'), 'AAAAAA');
    await type(page.getByLabel('Número de teléfono'), '99123456');
    await type(page.getByRole('button', { name: 'Continuar' }), press);
    await expect(page.locator('#field-numero_serie__error')).toContainText('El número de serie no coincide');
    await page.getByLabel('Número de serie de la cédula').fill('5S0O1A');
    await page.getByRole('button', { name: 'Continuar' }).press('Enter');

    await expect(heading(page, 'Elegí día y hora')).toBeFocused();
    await expect(page.getByText('Paso 3 de 4: Día y hora')).toBeVisible();
    await expect(daysOf(page).first()).toBeChecked();
    await whole();
    for (const part of ['Mañana', 'Tarde']) {
      await page.getByRole('button', { name: part }).click();
      await expect(hoursOf(page).first()).toBeVisible();
      await page.evaluate(() => window.scrollTo(0, 0));
      const next = await page.getByRole('button', { name: 'Continuar' }).boundingBox();
      expect((next?.y ?? 640) + (next?.height ?? 0), `${part}: the button is in sight`).toBeLessThanOrEqual(640);
    }
    await type(page.getByRole('button', { name: 'Ver otros días en un calendario' }), press);
    const grid = page.getByRole('grid');
    await expect(grid.locator('[aria-pressed="true"]')).toBeFocused();
    await whole();
    await page.keyboard.press('PageDown');
    await expect(grid.locator(':focus')).toHaveCount(1);
    for (let day = 0; day < 7 && (await grid.locator(':focus').getAttribute('aria-disabled')) === 'true'; day += 1)
      await page.keyboard.press('ArrowRight');
    const hours = page.waitForResponse(/\/rest\/disponibilidad\/\?fecha=/);
    await page.keyboard.press('Enter');
    await expect(grid.locator(':focus')).toHaveAttribute('aria-pressed', 'true');
    await (await hours).finished();
    await expect(page.getByText('Buscando las horas con cupo')).toHaveCount(0);
    await type(hoursOf(page).first(), ' ');
    await type(page.getByRole('button', { name: 'Continuar' }), press);
    await expect(heading(page, 'Confirmá tu videollamada')).toBeFocused();
    await page.goBack();
    await expect(heading(page, 'Elegí día y hora'), 'the browser history contains the steps').toBeVisible();
    await page.goForward();
    await page.getByRole('button', { name: 'Reservar videollamada' }).press('Enter');
    await expect(heading(page, 'Tu videollamada está confirmada')).toBeVisible();
    await whole();

    await page.goto('/videollamada');
    await expect(page, 'redirected home while a call is booked').toHaveURL('/');
    await expect(page.getByText('Para subir tu nivel:')).toBeVisible();
    await whole();
    await expect(page.getByRole('link', { name: 'Entrar' }), 'no link to enter on another day').toHaveCount(0);
    await page.goto('/ingresar-videollamada');
    await expect(page.getByText('La sala se abre 5 minutos antes de la hora.')).toBeVisible();
    await page.goto('/confirmar-nivel-intermedio-videollamada');
    await expect(page, 'redirected home before the approval').toHaveURL('/');
    await page.getByRole('link', { name: 'Cancelar videollamada' }).click();
    await expect(heading(page, '¿Cancelar tu videollamada?')).toBeVisible();
    await page.getByRole('button', { name: 'Cancelar videollamada' }).click();
    await expect(page).toHaveURL(/\/videollamada-cancelada$/);
    await expect(heading(page, 'Cancelamos tu videollamada')).toBeVisible();
  });

  test('[ELEV-04 RUTA-10] is not offered to a citizen with a foreign document, and /videollamada redirects that citizen', async ({
    page,
    portal,
  }) => {
    const citizen = createForeigner();
    await createAccount(portal, citizen);
    await openSignedIn(page, portal, citizen, '/seguridad');
    await expect(heading(page, 'Seguridad')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Por videollamada con un agente' })).toHaveCount(0);
    await page.goto('/videollamada');
    await expect(page).not.toHaveURL(/\/videollamada$/);
  });
});
