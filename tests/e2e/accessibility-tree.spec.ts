import type { Page } from '@playwright/test';
import { formatAccessibilityTree } from './support/accessibility-tree.ts';
import { activateByHttp } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import {
  completeDocumentStep,
  createForeigner,
  registrationHeadings,
  registrationSteps,
  solveCaptcha,
} from './support/registration.ts';
import { computeAppCode } from './support/second-factor.ts';

// Snapshots of the accessibility tree of each step. `npx playwright test accessibility -u` accepts a deliberate change.

/** Values that differ between runs: document, e-mail, secrets, dates and times. */
const changing = [
  /persona\.\d+@/g,
  /\d{8}/g,
  /[A-Z2-7]{4}( [A-Z2-7]{4}){7}/g,
  /[A-Z0-9]{4}(?:[- ]?[A-Z0-9]{4}){3}/g,
  /(?<=button "Mes anterior")[^]*?(?=\n *group "Hora)/g,
  /(^ *radio .*\n)+/gm,
  /(lunes|martes|miércoles|jueves|viernes|sábado|domingo) \d.*$/gim,
];
const pressContinue = (page: Page, name = 'Continuar') => page.getByRole('button', { name }).click();

/** Collects the accessibility trees of consecutive screens. */
class OutlineReader {
  readonly #page: Page;
  readonly #screens: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  async reads(heading: string): Promise<void> {
    await expect(this.#page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(this.#page.getByText('Cargando...')).toHaveCount(0);
    this.#screens.push(await formatAccessibilityTree(this.#page, changing));
  }

  get text(): string {
    return this.#screens.join('\n');
  }
}

test('[INI-12 REG-01 LOG-03 MFA-02] registration, sign-in and second factor expose the recorded accessibility trees to a screen reader', async ({
  page,
  portal,
}) => {
  const person = createForeigner();
  const registration = new OutlineReader(page);
  await page.goto('/registro');
  for (const [step, heading] of registrationHeadings) {
    await registration.reads(heading);
    if (step === 'nombre') {
      await page.getByRole('button', { name: 'Continuar' }).click({ force: true });
      await registration.reads(heading); // includes the errors of the empty step
    }
    await registrationSteps[step](page, person);
    await pressContinue(page);
  }
  await registration.reads('Tu usuario fue creado correctamente');
  expect(registration.text).toMatchSnapshot(['accessibility', 'registro.txt']);

  await activateByHttp(portal, person);
  const signIn = new OutlineReader(page);
  await page.goto('/login');
  await signIn.reads('Iniciá sesión');
  await completeDocumentStep(page, person);
  await signIn.reads('Ingresá tu contraseña');
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await pressContinue(page, 'Iniciar sesión');
  await signIn.reads('Activá el doble factor de autenticación');
  expect(signIn.text).toMatchSnapshot(['accessibility', 'ingreso.txt']);

  const factor = new OutlineReader(page);
  await pressContinue(page, 'Configurar con aplicativo de autenticación');
  await factor.reads('Agregá tu cuenta a la aplicación');
  const secret = await page.getByLabel('Clave de configuración', { exact: true }).inputValue();
  await pressContinue(page);
  await factor.reads('Ingresá el código de verificación');
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(computeAppCode(secret));
  await pressContinue(page, 'Comprobar');
  await factor.reads('Activaste el doble factor de autenticación');
  expect(factor.text).toMatchSnapshot(['accessibility', 'segundo-factor.txt']);
});

test('[INI-12 AGEN-01] the booking of a video call exposes the recorded accessibility tree to a screen reader', async ({
  page,
}) => {
  const person = createForeigner();
  const booking = new OutlineReader(page);
  await page.goto('/contacto-videollamada');
  await booking.reads('Agenda Soporte');
  await page.getByLabel('Nombre completo').fill('Inés Quiroga');
  await page.getByLabel('País emisor del documento').selectOption('ar');
  await page.getByLabel('Número de documento').fill(person.document);
  await page.getByLabel('Correo electrónico').fill(person.email);
  await page.getByLabel('Número de teléfono').fill('+59899123456');
  await page.getByLabel('Asunto').selectOption({ label: 'Firma digital' });
  await page.getByLabel('Motivo de la consulta').fill('No puedo firmar.');
  await pressContinue(page);
  const hour = page.getByRole('group', { name: /^Hora/ }).getByRole('radio').last(); // the last slot, because other tests book earlier ones
  await expect(hour).toBeVisible();
  await booking.reads('Elegí día y hora');
  await hour.check();
  await pressContinue(page);
  await booking.reads('Confirmá tu videollamada');
  await solveCaptcha(page);
  await pressContinue(page, 'Reservar videollamada');
  await booking.reads('Falta confirmar tu videollamada');
  expect(booking.text).toMatchSnapshot(['accessibility', 'agenda.txt']);
});
