import { expect, test } from './support/fixtures.ts';
import { findLink } from './support/outbox.ts';
import {
  activate,
  fillDocument,
  fillRegistration,
  completeStepsBefore,
  createForeigner,
  register,
  registrationHeadings,
  registrationSteps,
  createSampleCitizen,
  submitPasswordSteps,
  signIn,
  solveCaptcha,
  readLocalStorage,
} from './support/registration.ts';

const send = { name: 'Continuar' };

test('[REG-01 REG-03 REG-09 RUTA-04 ACT-01 ACT-02 ACT-05 LOG-03 LOG-05 MFA-06 RUTA-08 RUTA-09 SES-01 SES-04] a citizen with a Uruguayan identity card registers, activates the account, and signs in twice, past the reminder of a second factor each time', async ({
  page,
  mail,
  request,
}) => {
  const person = createSampleCitizen('Juan', 'Rodríguez', '38712057');
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(frame.url()));

  await register(page, person);
  await expect(page).toHaveURL(/\/registro\/exito$/);
  await expect(page.getByText(person.email)).toBeVisible();
  await mail(person.email);
  await page.setViewportSize({ width: 360, height: 400 });
  const resend = page.getByRole('button', { name: 'Reenviar correo de activación' });
  await resend.click();
  await expect(page.getByText('El email de activación fue enviado nuevamente')).toBeInViewport();
  await resend.evaluate((button) => window.scrollBy(0, button.getBoundingClientRect().top - 10));
  expect(
    await resend.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) === button;
    }),
    'the message covers no button at any scroll position',
  ).toBe(true);
  await page.setViewportSize({ width: 1280, height: 720 });

  const newest = await mail(person.email, 2);
  const link = findLink(newest, 'uuid=');
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD'])
    expect((await request.fetch(link, { method })).status()).toBe(200);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Un último paso...' })).toBeVisible();
  await activate(page, newest);
  await expect(page.getByText('ya se había usado'), 'the link was not used by opening it').toHaveCount(0);

  await page.getByRole('button', { name: 'Empezar' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, person);
  expect(await readLocalStorage(page)).toContain('token');
  await page.getByRole('link', { name: 'Seguridad' }).click();
  await expect(page.getByText(`${person.firstName} ${person.surname}`)).toBeVisible();
  await expect(page.getByText('Nivel Básico')).toBeVisible();

  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByText('Cerrando sesión')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Registrate' }).first()).toBeVisible();
  expect(await readLocalStorage(page)).toBe('{}');

  await page.goto('/seguridad');
  await expect(page.getByRole('heading', { name: 'Iniciá sesión' })).toBeVisible();
  expect(visited.some((url) => new URL(url).searchParams.get('redirectUrl') === '/seguridad')).toBe(true);
  await signIn(page, person);
  await expect(page).toHaveURL(/\/seguridad$/);
  await expect(page.getByText(`${person.firstName} ${person.surname}`)).toBeVisible();
});

test('[REG-01 REG-02 REG-08 ENG-10] each registration step asks for the fields of the specification, shows its button on a phone, and a reload keeps all input except the password', async ({
  page,
}) => {
  const person = createForeigner();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/registro');
  await page.getByRole('link', { name: 'Pedir un nuevo correo de activación' }).click();
  await expect(page).toHaveURL(/\/registro\/reenviar-link-activacion$/);
  await page.goBack();
  await expect(page.getByLabel('País emisor del documento')).toHaveValue('uy');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('ci');
  const asked: Record<string, readonly string[]> = {};
  for (const [step, heading] of registrationHeadings) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    asked[step] = await page.locator('form [data-field] label').allInnerTexts();
    if (step === 'contraseña') await expect(page.getByLabel(/Acepto los términos/)).not.toBeChecked();
    await registrationSteps[step](page, person);
    await page.evaluate(() => window.scrollTo(0, 0));
    const { y, height } = (await page.getByRole('button', send).boundingBox())!;
    expect.soft(y + height, `the button of ${step}`).toBeLessThanOrEqual(640);
    if (step !== 'contraseña') await page.getByRole('button', send).click();
  }
  expect(asked).toEqual({
    documento: ['País emisor del documento', 'Tipo de documento', 'Número de documento'],
    nombre: ['Primer nombre', 'Segundo nombre (opcional)', 'Primer apellido', 'Segundo apellido (opcional)'],
    correo: ['Correo electrónico', 'Repetir correo electrónico', 'Número de teléfono (opcional)'],
    contraseña: [
      'Contraseña',
      'Repetir contraseña',
      'Acepto los términos y condiciones y la política de privacidad',
      'No soy un robot',
    ],
  });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tu contraseña');
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue('');
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }]));
  expect(kept).toContain(person.email);
  expect(kept).not.toContain(person.password);
  await expect(page.getByText('Paso 4 de 4: Contraseña')).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Pasos' }).getByRole('link'),
    'the step bar has no links',
  ).toHaveCount(0);
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(page.getByLabel('Repetir correo electrónico')).toHaveValue(person.email);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('navigation', { name: 'Pasos' }).getByRole('link', { name: 'Documento' }).click();
  await expect(page.getByLabel('Número de documento')).toHaveValue(person.document);
  await page.goto('/registro/contrase%C3%B1a');
  await expect(page.getByRole('heading', { level: 1 }), 'no step can be skipped').toHaveText('Registrate');
});

test('[SES-02 ACT-05] the confirmation of a registration or resend survives a reload, but only in its own tab', async ({
  page,
  mail,
  context,
}) => {
  const person = createForeigner();
  await register(page, person);
  const created = page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' });
  for (let mails = 2; mails < 4; mails += 1) {
    await page.reload();
    await expect(created).toBeVisible();
    await expect(page.getByText(person.email)).toBeVisible();
    await page.getByRole('button', { name: 'Reenviar correo de activación' }).click();
    await expect(page.getByText('El email de activación fue enviado nuevamente')).toBeVisible();
    await mail(person.email, mails);
  }
  expect(await readLocalStorage(page)).toBe('{}');
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 }), 'Back does not open a completed registration').toHaveText(
    'Registrate',
  );
  await expect(page.getByLabel('Número de documento')).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(person.surname);
  await page.goForward();
  await expect(created).toBeVisible();
  const other = await context.newPage();
  await other.goto('/registro/exito');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Registrate');

  await page.goto('/registro/reenviar-link-activacion');
  await fillDocument(page, person);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Reenviar' }).click();
  const sent = page.getByRole('heading', { name: 'Revisá tu correo electrónico' });
  await expect(sent).toBeVisible();
  await page.reload();
  await expect(sent).toBeVisible();
});

test('[REG-03 REG-09 VAL-02] the registration suggests a correction for a misspelled domain, and the same browser can correct the e-mail', async ({
  page,
  mail,
  axe,
}) => {
  const person = createForeigner();
  const [name = ''] = person.email.split('@');
  await page.goto('/registro');
  await completeStepsBefore(page, person, 'correo');
  const email = page.getByLabel('Correo electrónico', { exact: true });
  await email.fill(`${name}@hotmial.com`);
  await page.keyboard.press('Tab');
  const question = page.getByRole('button', { name: `¿Quisiste decir ${name}@hotmail.com?` });
  await expect(page.getByRole('status').filter({ has: question })).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await expect(question).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(email).toHaveValue(`${name}@hotmail.com`);
  await expect(email).toBeFocused();
  await expect(question).toHaveCount(0);

  const typo = `${name}@exmaple.com`;
  await registrationSteps.correo(page, { ...person, email: typo });
  await page.getByRole('button', send).click();
  await registrationSteps.contraseña(page, person);
  await page.getByRole('button', send).click();
  await expect(page.getByText(`Enviamos un correo a ${typo}`)).toBeVisible();
  const stale = await mail(typo);

  const correct = page.getByRole('button', { name: 'Corregilo' });
  await correct.click();
  await expect(email).toHaveValue(typo);
  expect(await axe()).toEqual([]);
  await email.fill(person.email);
  await page.getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText(`Enviamos un correo a ${person.email}`)).toBeVisible();
  const newest = await mail(person.email);

  await page.context().clearCookies();
  await correct.click();
  await email.fill('otra.persona@example.com');
  await page.getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText('Ya no podés corregir el correo acá.')).toBeVisible();

  await page.goto(findLink(stale, 'uuid='));
  await page.getByRole('button', { name: 'Activar cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Ups, ocurrió un problema...' })).toBeVisible();
  await activate(page, newest);
});

test('[REG-06] a second registration before the activation succeeds, and invalidates the link sent to the first e-mail', async ({
  page,
  mail,
}) => {
  const person = createForeigner();
  await register(page, { ...person, email: `x${person.email}` });
  const stale = await mail(`x${person.email}`);
  await register(page, person);
  await page.goto(findLink(stale, 'uuid='));
  await page.getByRole('button', { name: 'Activar cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Ups, ocurrió un problema...' })).toBeVisible();
  await activate(page, await mail(person.email));
});

test('[REG-04 SES-02] a citizen registered at a counter can complete the registration, and signing out before leaves no data', async ({
  page,
  mail,
}) => {
  const person = { ...createSampleCitizen('Carlos', 'González', '29458715'), password: 'playa-de-invierno' };
  await page.goto('/login');
  await submitPasswordSteps(page, person);
  await page.getByRole('button', send).click();
  await expect(page.getByLabel('Primer nombre')).toHaveValue(person.firstName);
  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Registrate' }).first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registrate');
  await expect(page.getByLabel('Número de documento')).toHaveValue('');
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(person.document);
  await page.goto('/login');
  await submitPasswordSteps(page, person);
  await page.getByRole('button', { name: 'Completar más tarde' }).click();
  await expect(page.getByRole('heading', { name: 'Activá el doble factor de autenticación' })).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Configurar con correo electrónico' }),
    'no button without an e-mail address',
  ).toHaveCount(0);
  await page.getByRole('link', { name: 'Completar mis datos' }).click();
  await expect(page.getByLabel('Número de documento')).toHaveValue(person.document);
  await page.getByRole('button', send).click();
  await expect(page.getByLabel('Primer nombre')).toHaveValue(person.firstName);
  await page.getByRole('button', send).click();
  await registrationSteps.correo(page, person);
  await page.getByRole('button', send).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Para terminar');
  await expect(page.getByLabel(/contraseña/i), 'asks for no new password').toHaveCount(0);
  await page.getByLabel(/Acepto los términos/).check();
  await solveCaptcha(page);
  await page.getByRole('button', send).click();
  await expect(page, 'the level requires a second factor').toHaveURL(/\/configurar-segundo-factor/);
  await expect(page.getByRole('heading', { name: 'Activá el doble factor de autenticación' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Completar mis datos' })).toHaveCount(0);
  expect((await mail(person.email)).text).toContain('uuid=');
});

for (const { next, path, note } of [
  { next: '/login', path: '/login', note: 'a page of the portal' },
  { next: 'https://malo.example/registro', path: '/', note: 'a foreign host' },
]) {
  test(`[REG-04 SES-02 INI+PINTURA] \`next\` set to ${note} makes the registration continue to ${path}`, async ({
    page,
    baseURL,
  }) => {
    await page.goto(`/registro?next=${encodeURIComponent(next)}`);
    await fillRegistration(page, createForeigner());
    await page.getByRole('button', { name: 'Continuar' }).click();
    await expect(page).toHaveURL(`${baseURL ?? ''}${path}`);
    await page.reload();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1 }), 'Back does not open a completed registration').toHaveText(
      'Registrate',
    );
    await expect(page.getByLabel('Número de documento')).toHaveValue('');
  });
}

test('[ENG-04] the name fields are side by side from 640 px on, and keep their tab order', async ({ page, axe }) => {
  await page.goto('/registro');
  await completeStepsBefore(page, createForeigner(), 'nombre');
  const placeOf = async (name: string) => (await page.locator(`[data-field="${name}"]`).boundingBox())!;
  for (const { width, beside } of [
    { width: 1280, beside: true },
    { width: 640, beside: true },
    { width: 639, beside: false },
    { width: 320, beside: false },
  ]) {
    await page.setViewportSize({ width, height: 800 });
    const [first, second] = [await placeOf('primer_nombre'), await placeOf('segundo_nombre')];
    expect(first.y === second.y && first.x < second.x, `beside at ${width}`).toBe(beside);
    expect(first.x === second.x && first.y < second.y, `below at ${width}`).toBe(!beside);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `nothing is lost at ${width}`).toBe(width);
  }
  await page.setViewportSize({ width: 640, height: 800 });
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect((await placeOf('primer_nombre')).x, 'one column with large text').toBe((await placeOf('segundo_nombre')).x);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(640);
  await page.evaluate(() => (document.documentElement.style.fontSize = ''));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.locator('[name="primer_nombre"]').focus();
  for (const name of ['segundo_nombre', 'primer_apellido', 'segundo_apellido']) {
    await page.keyboard.press('Tab');
    await expect(page.locator(`[name="${name}"]`)).toBeFocused();
  }
  expect(await axe()).toEqual([]);
});
