import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import {
  activeSampleCitizen,
  fillRegistration,
  completeStepsBefore,
  createForeigner,
  registrationSteps,
  createSampleCitizen,
  type RegistrationStep,
} from './support/registration.ts';

const send = { name: 'Continuar' };
/**
 * Options of a click on an aria-disabled button. By default, Playwright waits until it is enabled, but a citizen can
 * press it.
 */
const anyway = { force: true };
interface Refusal {
  readonly label: string;
  readonly typed: string;
  readonly message: string;
  readonly note: string;
}
const personal = 'No uses información personal en la contraseña!';

/** For each step: a field, an invalid input, and the error that appears when the field loses the focus. */
const refusals: Partial<Record<RegistrationStep, readonly Refusal[]>> = {
  documento: [
    {
      label: 'Número de documento',
      typed: '4512378/4',
      message: 'El documento no es válido.',
      note: 'a sign that no number has',
    },
    {
      label: 'Número de documento',
      typed: '45123785',
      message: 'El documento no es válido.',
      note: 'a wrong check digit',
    },
  ],
  nombre: [
    { label: 'Primer nombre', typed: '', message: 'Este es un dato requerido', note: 'nothing' },
    { label: 'Primer nombre', typed: 'Ana3', message: 'No uses símbolos ni números', note: 'a digit in a name' },
    {
      label: 'Segundo nombre',
      typed: 'M@ría',
      message: 'No uses símbolos ni números',
      note: 'a sign in an optional name',
    },
    {
      label: 'Primer apellido',
      typed: 'a'.repeat(101),
      message: 'Asegúrese de que este campo no tenga más de 100 caracteres.',
      note: 'a name of 101',
    },
  ],
  correo: [
    { label: 'Correo electrónico', typed: 'inés@', message: 'Ingrese un email válido', note: 'half an address' },
    {
      label: 'Repetir correo electrónico',
      typed: 'otra@example.com',
      message: 'Los correos deben ser iguales',
      note: 'another address',
    },
    {
      label: 'Número de teléfono',
      typed: '+598 999',
      message: 'Ingresá el número con su código de país, por ejemplo +598 999 999 99.',
      note: 'half a number',
    },
  ],
  contraseña: [
    { label: 'Contraseña', typed: 'mate-ya', message: 'Mínimo 8 caracteres de longitud', note: 'a short password' },
    {
      label: 'Contraseña',
      typed: '83649172',
      message: 'Muy fácilmente adivinable! No uses solo números',
      note: 'digits alone',
    },
    { label: 'Contraseña', typed: 'quirogas1', message: personal, note: 'made of the e-mail of a step before' },
    { label: 'Contraseña', typed: 'hermelinda', message: personal, note: 'made of the name of a step before' },
    {
      label: 'Contraseña',
      typed: 'password1',
      message: 'Esa contraseña es muy común. Elegí otra.',
      note: 'a common one',
    },
    {
      label: 'Repetir contraseña',
      typed: 'cuatro-termos-de-mate',
      message: 'Las contraseñas deben ser iguales',
      note: 'another password',
    },
  ],
};

test('[VAL-01 VAL-02 VAL-03 VAL-04 VAL-05 VAL-06 VAL-07 CLAVE-06 CLAVE-07] each registration field shows its error when it loses the focus, hides it on input and normalizes its value', async ({
  page,
}) => {
  const person = {
    ...createSampleCitizen('Hermelinda', 'Machado', '9876549'),
    email: 'i.quiroga@example.com',
  };
  const continues = async (): Promise<void> => page.getByRole('button', send).click();
  const refuses = async (step: RegistrationStep): Promise<void> => {
    for (const { label, typed, message, note } of refusals[step] ?? []) {
      const field = page.getByLabel(label, { exact: label === 'Contraseña' || label === 'Correo electrónico' });
      const before = await field.inputValue();
      await field.fill(typed);
      await field.focus();
      await expect.soft(field, `${note}: quiet while typing`).not.toHaveAttribute('aria-invalid', 'true');
      await field.blur();
      await expect.soft(field, note).toHaveAttribute('aria-invalid', 'true');
      await expect
        .soft(field, note)
        .toHaveAccessibleDescription(new RegExp(message.replace(/[+?.()]/g, '\\$&').replaceAll(' ', '\\s')));
      await field.fill(`${typed}x`);
      await expect.soft(field, `${note}: gone while typing`).not.toHaveAttribute('aria-invalid', 'true');
      await field.fill(before);
    }
  };
  await page.goto('/registro');
  await refuses('documento');
  await test.step('VAL-06: the country sets the document types and selects the first, and a single type is disabled', async () => {
    const [country, type] = [page.getByLabel('País emisor del documento'), page.getByLabel('Tipo de documento')];
    for (const { code, first, count, note } of [
      { code: 'br', first: 'cpf', count: 3, note: 'several types' },
      { code: 'fr', first: 'psp', count: 1, note: 'one type' },
      { code: 'ar', first: 'dni', count: 2, note: 'several again' },
      { code: 'uy', first: 'ci', count: 1, note: 'the default country' },
    ]) {
      await country.selectOption(code);
      await expect.soft(type, note).toHaveValue(first);
      await expect.soft(type.locator('option:not([value=""])'), note).toHaveCount(count);
      if (count === 1) await expect.soft(type, note).toBeDisabled();
      else await expect.soft(type, note).toBeEnabled();
    }
    await country.focus();
    await country.selectOption('');
    await country.blur();
    await expect(country).toHaveAccessibleDescription(/Este es un dato requerido/);
  });
  await test.step('VAL-05: a foreign document number accepts letters, loses hyphens and rejects a slash', async () => {
    await page.getByLabel('País emisor del documento').selectOption('ar');
    const number = page.getByLabel('Número de documento');
    await number.fill('AAA/123');
    await number.blur();
    await expect(number).toHaveAttribute('aria-invalid', 'true');
    await number.fill('AAA-123');
    await number.blur();
    await expect(number).toHaveValue('AAA123');
    await expect(number).not.toHaveAttribute('aria-invalid', 'true');
  });
  await page.getByLabel('País emisor del documento').selectOption('uy');
  await registrationSteps.documento(page, person);
  await continues();
  await registrationSteps.nombre(page, person);
  await refuses('nombre');
  await continues();
  await registrationSteps.correo(page, person);
  await refuses('correo');
  await test.step('VAL-02: the e-mail is converted to lower case only when the field loses the focus', async () => {
    const field = page.getByLabel('Correo electrónico', { exact: true });
    await field.fill('');
    await field.pressSequentially('Inge@Example.COM');
    await expect(field).toHaveValue('Inge@Example.COM');
    await field.blur();
    await expect(field).toHaveValue('inge@example.com');
  });
  await test.step('VAL-07: the phone gets +598 on focus, and is emptied on blur if nothing was added', async () => {
    const phone = page.getByLabel('Número de teléfono');
    await phone.focus();
    await expect(phone).toHaveValue('+598');
    await phone.blur();
    await expect(phone).toHaveValue('');
    await expect(phone).not.toHaveAttribute('aria-invalid', 'true');
    await phone.focus();
    await phone.press('End');
    await phone.pressSequentially('99123456');
    await phone.blur();
    await expect(phone).toHaveValue(/^\+598 ?99 ?123 ?456$/);
    await phone.fill('+59');
    await phone.blur();
    await expect(phone).toHaveValue('');
  });
  await registrationSteps.correo(page, person);
  await continues();
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await refuses('contraseña');
  await test.step('CLAVE-07: the strength meter shows its five levels, and the hint counts the missing characters', async () => {
    const [field, meter] = [page.getByLabel('Contraseña', { exact: true }), page.getByRole('meter')];
    for (const { typed, percent, hint, note } of [
      { typed: '', percent: 0, hint: null, note: 'empty' },
      { typed: 'mateh', percent: 10, hint: 'Agregá 3 caracteres más', note: 'too short' },
      { typed: 'matehoy', percent: 10, hint: 'Agregá 1 carácter más', note: 'one is missing' },
      { typed: '83649172', percent: 10, hint: null, note: 'refused for another reason' },
      { typed: 'mate-hoy', percent: 40, hint: 'Fortaleza: débil', note: 'exactly 8' },
      { typed: 'mate-hoy.', percent: 70, hint: 'Fortaleza: media', note: '9' },
      { typed: 'mate-hoy-lluvia', percent: 70, hint: 'Fortaleza: media', note: '15' },
      { typed: 'mate-hoy-lluvias', percent: 100, hint: 'Fortaleza: fuerte', note: '16' },
    ]) {
      await field.fill(typed);
      await expect.soft(meter, note).toHaveAttribute('aria-valuenow', String(percent));
      if (hint !== null) await expect.soft(page.getByText(hint).first(), note).toBeVisible();
    }
  });
});

test('[VAL-04 LOG-16] a document number with separators is normalized, phones show digits, and every field accepts a paste', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/registro');
  const number = page.getByLabel('Número de documento');
  await expect(number).toHaveAttribute('inputmode', 'numeric');
  await number.pressSequentially('4.512.378-4');
  await number.blur();
  await expect(number).toHaveValue('45123784');
  await expect(number).not.toHaveAttribute('aria-invalid', 'true');
  await number.fill('');
  const pastes = async (label: string, pasted: string, text = pasted): Promise<void> => {
    const field = page.getByLabel(label, { exact: true });
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), pasted);
    await field.focus();
    await page.keyboard.press('Control+V');
    await expect.soft(field, label).toHaveValue(pasted);
    await field.blur();
    await expect.soft(field, label).toHaveValue(text);
  };
  await pastes('Número de documento', '4.512.378-4', '45123784');
  await page.getByRole('button', send).click();
  await pastes('Primer nombre', 'Inés');
  await pastes('Primer apellido', 'Quiroga');
  await page.getByRole('button', send).click();
  await pastes('Correo electrónico', 'ines@example.com');
  await pastes('Repetir correo electrónico', 'ines@example.com');
  await page.getByRole('button', send).click();
  await pastes('Contraseña', 'cuatro-termos-de-agua');
  await pastes('Repetir contraseña', 'cuatro-termos-de-agua');
});

test('[REG-01] terms and privacy open in a new tab without checking the box or losing input', async ({
  page,
  context,
}) => {
  const person = createForeigner();
  await page.goto('/registro');
  await completeStepsBefore(page, person, 'contraseña');
  for (const [text, path] of [
    ['Leer los términos', '/terminos-y-condiciones'],
    ['Leer la política', '/politica-de-privacidad'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await page
      .getByRole('main')
      .getByRole('link', { name: `${text} (se abre en una pestaña nueva)` })
      .click();
    const tab = await opened;
    await expect(tab).toHaveURL(path);
    expect(await tab.evaluate(() => window.opener as unknown)).toBeNull();
    await tab.close();
  }
  await expect(page.getByLabel(/Acepto los términos/)).not.toBeChecked();
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(page.getByLabel('Repetir correo electrónico')).toHaveValue(person.email);
});

test('[REG-02 VAL-08 VAL-10] an incomplete step sends no request, and its focused summary links to the fields', async ({
  page,
  axe,
}) => {
  const person = createForeigner();
  const sent = countPosts(page);
  await page.goto('/registro');
  await completeStepsBefore(page, person, 'contraseña');
  const button = page.getByRole('button', send);
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await button.click(anyway);
  const summary = page.getByRole('group', { name: 'Hay datos para corregir' });
  await expect(summary).toBeFocused();
  for (const [link, label] of [
    ['Repetir contraseña: Este es un dato requerido', 'Repetir contraseña'],
    ['No soy un robot: Requerido', 'No soy un robot'],
  ] as const) {
    await summary.getByRole('link', { name: link }).click();
    await expect(page.getByLabel(label)).toBeFocused();
  }
  expect(await axe()).toEqual([]);
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await expect(summary.getByRole('link', { name: /^Contraseña/ })).toHaveCount(0);

  await registrationSteps.contraseña(page, person);
  await expect(summary).toHaveCount(0);
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  const terms = page.getByLabel(/Acepto los términos/);
  await terms.uncheck();
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await terms.blur();
  await expect(terms).toHaveAccessibleDescription('Requerido');
  await button.press('Enter');
  await page.getByRole('link', { name: /^Acepto los términos.*: Requerido$/ }).click();
  await expect(terms).toBeFocused();
  expect(sent()).toBe(0);
});

test('[REG-05 REG-07] a surname that does not match the document is reported in its field, and a corrected form succeeds', async ({
  page,
}) => {
  const person = createSampleCitizen('Aníbal', 'Machado', '9876549');
  const challenges = page.waitForResponse((response) => response.url().includes('captcha'));
  await page.goto('/registro');
  await fillRegistration(page, { ...person, surname: 'Machada' });
  await challenges;
  const renewed = page.waitForResponse((response) => response.url().includes('captcha'));
  await page.getByRole('button', send).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tu nombre');
  await expect(page.getByLabel('Primer apellido')).toHaveAccessibleDescription(
    'Los datos son incorrectos. Asegúrate que el primer apellido y el número de documento coincidan con los de tu cédula de identidad.',
  );
  await expect(page.getByLabel('Primer apellido')).toHaveAttribute('aria-invalid', 'true');
  for (const heading of ['Tu nombre', 'Tu correo electrónico']) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    if (heading === 'Tu nombre') await page.getByLabel('Primer apellido').fill(person.surname);
    await page.getByRole('button', send).click();
  }
  await registrationSteps.contraseña(page, person);
  expect((await renewed).ok()).toBe(true);
  await page.getByRole('button', send).click();
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeVisible();
});

test('[REG-10] names that do not match the identity registry are reported in a focused summary', async ({ page }) => {
  await page.goto('/registro');
  await fillRegistration(page, createSampleCitizen('Bruna', 'Suárez', '46781232'));
  await page.getByRole('button', send).click();
  await expect(
    page
      .getByRole('group')
      .filter({ hasText: 'Verifica que tus datos personales coincidan con los de la cédula de identidad' }),
  ).toBeFocused();
});

test('[REG-06 REG-07] a document that has an account is reported in its field, with a link to the sign-in', async ({
  page,
}) => {
  await page.goto('/registro');
  await fillRegistration(page, {
    ...activeSampleCitizen,
    email: 'otra.ana@example.com',
    password: 'cuatro-termos-de-agua',
  });
  await page.getByRole('button', send).click();
  const summary = page.locator('.form-summary');
  await expect(summary).toContainText('La cédula, el documento o el pasaporte que ingresaste ya está registrado.');
  const number = page.getByLabel('Número de documento');
  await expect(number).toHaveAccessibleDescription(/pasaporte que ingresaste ya está registrado/);
  await expect(page).toHaveURL(/\/registro$/);
  await expect(page.getByRole('button', send)).toHaveAttribute('aria-disabled', 'true');
  await summary.getByRole('link', { name: 'Iniciar sesión' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});

test('[REG-07 LOG-16] a double click on the registration sends one request and shows its progress', async ({
  page,
}) => {
  await page.goto('/registro');
  await fillRegistration(page, createForeigner());
  const sent = countPosts(page);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/rest/ciudadanos/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', send).dblclick();
  await expect(page.getByText('Enviando tus datos…')).toBeVisible();
  await expect(page.getByRole('button', send)).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Repetir contraseña').press('Enter');
  release();
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeVisible();
  expect(sent()).toBe(1);
});

test('[VAL-07 VAL-10] a press on Continuar shows the summary although the phone error appears during the press', async ({
  page,
}) => {
  await page.goto('/registro');
  await completeStepsBefore(page, createForeigner(), 'correo');
  await page.getByLabel('Número de teléfono').fill('+598 12');
  const button = page.getByRole('button', send);
  await button.scrollIntoViewIfNeeded();
  await button.hover(anyway);
  await page.mouse.down();
  await page.mouse.up();
  const summary = page.getByRole('group', { name: 'Hay datos para corregir' });
  await expect(summary).toBeFocused();
  await expect(
    summary.getByRole('link', { name: /^Número de teléfono: Ingresá el número con su código de país/ }),
  ).toBeVisible();
});

/** Returns a function that returns the number of POST requests since `countPosts` was called. */
function countPosts(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') count += 1;
  });
  return () => count;
}
