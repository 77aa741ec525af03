import type { Page } from '@playwright/test';
import { createAccount } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { typeByKeyboard as type } from './support/keyboard.ts';
import { readMails } from './support/outbox.ts';
import { fillDocument, createForeigner, signIn, solveCaptcha, type Person } from './support/registration.ts';

const support = 'soporte@localhost';
const press = '\n';
const summary = (page: Page) => page.getByRole('group', { name: /para corregir|No pudimos continuar/ });
const expectFocusOn = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeFocused();

/** Fills in all required fields of /contacto. */
async function fillContact(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Nombre completo').fill(`${person.firstName} ${person.surname}`);
  await fillDocument(page, person);
  await page.getByLabel('Correo electrónico').fill(person.email);
  await page.getByLabel('Número de teléfono').pressSequentially('99123456'); // types after the prefix, which is already in the field
  await page.getByLabel('Asunto').selectOption({ label: 'Accesibilidad' });
  await page.getByLabel('Motivo solicitud').fill('El contraste no alcanza.');
  await solveCaptcha(page);
}

test('[CONT-01 CONT-02 CONT-03 RUTA-06] the contact form can be sent with the keyboard, and mails support and sender', async ({
  page,
  mail,
  portal,
}) => {
  const person = createForeigner();
  await page.goto('/contacto');
  await expect(page.getByRole('heading', { level: 1, name: 'Contacto' })).toBeVisible();
  await expect(page.getByLabel('País emisor del documento')).toHaveValue('uy');
  await expect(page.getByLabel('Número de documento')).toHaveAccessibleDescription('Sin puntos ni guiones.');
  await expect(page.getByLabel('Asunto').getByRole('option', { name: 'Seleccione un asunto' })).toBeAttached();
  const panel = page.getByRole('complementary', { name: 'Atención a la ciudadanía' });
  await expect(panel.getByRole('link', { name: support })).toHaveAttribute('href', `mailto:${support}`);
  const inPerson = panel.getByRole('link', { name: 'Puntos de atención (se abre en una pestaña nueva)' });
  await expect(inPerson).toHaveAttribute('href', 'https://www.gub.uy/');
  await expect(inPerson).toHaveAttribute('target', '_blank');

  await type(page.getByLabel('Asunto'), 'Firma');
  await type(page.getByLabel('Motivo solicitud'), 'No puedo firmar.\nUso lector de pantalla.');
  await expect(page.getByRole('status').filter({ hasText: 'Te quedan 2008 caracteres.' })).toBeAttached();
  await type(page.getByLabel('Nombre completo'), `${person.firstName} ${person.surname}`);
  await type(page.getByLabel('País emisor del documento'), 'Argentina');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('dni');
  await type(page.getByLabel('Número de documento'), person.document);
  await type(page.getByLabel('Correo electrónico'), person.email.toUpperCase());
  await type(page.getByLabel('Número de teléfono'), '99123456');
  await expect(page.getByLabel('Número de teléfono')).toHaveValue(/^\+598/);
  await type(page.getByLabel('No soy un robot'), ' ');
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await type(page.getByRole('button', { name: 'Continuar' }), press);

  await expectFocusOn(page, 'Tu mensaje se ha enviado');
  await expect(page).toHaveURL(/\/contacto\/mensaje-enviado$/);
  await expect(page.getByText('Un agente se estará contactando contigo a la brevedad.')).toBeVisible();
  await expect(
    page.getByText(/Tu mensaje tiene el número \d+\. Te contestamos .* a más tardar el [a-záé]+ \d+ de [a-z]+/),
  ).toBeVisible();
  const message = (await readMails(portal.outboxUrl, support)).find(({ text }) => text.includes(person.email));
  expect(message?.subject).toBe('Contacto: Firma digital');
  expect(message?.text).toContain('> No puedo firmar.\n> Uso lector de pantalla.');
  expect((await mail(person.email)).text).not.toContain('No puedo firmar');
  await page.goBack();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect(page.getByLabel('Motivo solicitud'), 'the sent message is not restored').toHaveValue('');
});

test('[CONT-05 CONT-07] the contact form lists missing fields and server errors, and solves a new captcha after a rejection', async ({
  page,
}) => {
  await page.goto('/contacto');
  await page.getByRole('button', { name: 'Continuar' }).click({ force: true });
  await expect(summary(page)).toBeFocused();
  await expect(summary(page).getByRole('listitem')).toHaveCount(7); // the required fields except country and type, which have defaults
  await expect(page.getByLabel('Motivo solicitud')).toHaveAccessibleDescription(/Este es un dato requerido/);

  await fillContact(page, createForeigner());
  const challenges: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/rest/captcha/')) challenges.push(request.url());
  });
  // One route handles both requests: a route with `times` removes itself, and Playwright misses requests that are sent
  // during the removal.
  const refusals: object[] = [
    { field: 'asunto', error: 'Este asunto ya no existe.' },
    { error: 'x', next: '/ayuda' },
  ];
  await page.route('**/contacto/enviar/', (route) => route.fulfill({ status: 400, json: refusals.shift() }));
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByLabel('Asunto')).toHaveAccessibleDescription('Este asunto ya no existe.');
  await expect(summary(page)).toBeFocused();
  await expect.poll(() => challenges.length).toBe(1);
  await expect(page.getByText('Verificación completa')).toBeVisible();

  await page.getByLabel('Asunto').selectOption({ label: 'Otro' });
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL(/\/ayuda$/);
});

test('[CONT-04] the contact form has the profile of a signed-in citizen filled in, even after input before the sign-in', async ({
  page,
  portal,
}) => {
  const person = createForeigner();
  await createAccount(portal, person);
  await page.goto('/contacto');
  await page.getByLabel('Nombre completo').fill('Otra persona');
  await page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' }).click();
  await signIn(page, person);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contacto' }).click();
  await expect(page).toHaveURL(/\/contacto$/);
  await expect(page.getByLabel('Nombre completo')).toHaveValue(`${person.firstName} ${person.surname}`);
  await expect(page.getByLabel('País emisor del documento')).toHaveValue('ar');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('dni');
  await expect(page.getByLabel('Número de documento')).toHaveValue(person.document);
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(person.email);
  await page.getByLabel('Número de teléfono').pressSequentially('99123456'); // types after the prefix, which is already in the field
  await page.getByLabel('Asunto').selectOption({ label: 'Datos personales' });
  await page.getByLabel('Motivo solicitud').fill('Cambié de apellido.');
  await solveCaptcha(page);
  const sent = page.waitForRequest('**/contacto/enviar/');
  await page.getByRole('button', { name: 'Continuar' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ logueado: true, asunto: 'datos-personales' });
  await expectFocusOn(page, 'Tu mensaje se ha enviado');
  const message = (await readMails(portal.outboxUrl, support)).find(({ text }) => text.includes('Cambié de apellido.'));
  expect(message?.text).toContain(`Sesión: iniciada con la cuenta del documento ar-dni-${person.document}`);
});

test('[CONT-06 RUTA-06] the feedback form rejects an empty submission', async ({ page }) => {
  await page.goto('/feedback');
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Enviar' }).click();
  await expect(summary(page)).toBeFocused();
  await expect(summary(page)).toContainText('No se puede enviar el formulario vacío.');
  await expect(page).toHaveURL(/\/feedback$/);
});

test('[CONT-06 RUTA-06 INI-03] the feedback form preselects the answer given in the footer, works with the keyboard and sends all answers', async ({
  page,
}) => {
  await page.goto('/feedback?util=no&pagina=%2Fayuda');
  await expect(page).toHaveURL(/\/feedback$/);
  await expect(page.getByRole('radio', { name: 'Nada útil' })).toBeChecked();
  await solveCaptcha(page);
  await type(page.getByRole('group', { name: /útil/ }).getByRole('radio').first(), ' ');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'Poco útil' })).toBeChecked();
  await type(page.getByRole('group', { name: /clara/ }).getByRole('radio').first(), ' ');
  const difficulties = page.getByRole('group', { name: '¿Tuviste alguna dificultad?' });
  await expect(difficulties).toHaveAccessibleDescription('Marcá las que correspondan.');
  await expect(difficulties.getByRole('checkbox')).toHaveCount(6);
  await type(difficulties.getByLabel('No entendí el texto'), ' ');
  await type(page.getByLabel('¿Qué podemos mejorar?'), 'Más ejemplos.');
  await type(page.getByLabel('Correo electrónico'), 'ana@correo.uy');
  const sent = page.waitForRequest('**/rest/feedback-form/');
  await type(page.getByRole('button', { name: 'Enviar' }), press);
  expect((await sent).postDataJSON()).toMatchObject({
    util: 'no',
    pagina: '/ayuda',
    pregunta_1: 2,
    pregunta_2: 1,
    pregunta_3_checkbox_1: null,
    pregunta_3_checkbox_2: true,
    pregunta_4: 'Más ejemplos.',
    email: 'ana@correo.uy',
  });
  await expectFocusOn(page, '¡Gracias por tu opinión!');
  await expect(page).toHaveURL(/\/feedback\/mensaje-enviado$/);
});

test('[CONT-06] the feedback form shows each server error at its field or above the form, requests a new captcha and can be resent', async ({
  page,
}) => {
  await page.goto('/feedback');
  await page.getByLabel('Muy útil').check();
  await solveCaptcha(page);
  // One route handles all requests: a route with `times` removes itself, and Playwright misses requests that are sent
  // during the removal.
  let field = '';
  await page.route('**/rest/feedback-form/', (route) =>
    field === '' ? route.continue() : route.fulfill({ status: 400, json: { field, error: 'No se admite.' } }),
  );
  for (const [own, place] of [
    ['pregunta_4', page.locator('[data-field=pregunta_4]')],
    ['email', page.locator('[data-field=email]')],
    ['button', summary(page)],
  ] as const) {
    field = own;
    const renewed = page.waitForRequest('**/rest/captcha/');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await expect(place.getByText('No se admite.')).toBeVisible();
    await renewed;
    await expect(page.getByText('Verificación completa')).toBeVisible();
    for (const label of ['¿Qué podemos mejorar?', 'Correo electrónico'])
      await page.getByLabel(label).fill(label === 'Correo electrónico' ? `${own}@correo.uy` : own); // an edit removes the error
  }
  field = '';
  await page.getByRole('button', { name: 'Enviar' }).click();
  await expectFocusOn(page, '¡Gracias por tu opinión!');
});

test('[CONT-06] the feedback form reports a comment that is too long, and does not cut it', async ({ page }) => {
  await page.goto('/feedback');
  const comment = page.getByLabel('¿Qué podemos mejorar?');
  await comment.fill('a'.repeat(2049));
  await expect(comment).toHaveValue('a'.repeat(2049));
  await expect(page.getByRole('status').filter({ hasText: 'Te sobra 1 carácter.' })).toBeAttached();
  await comment.blur();
  await expect(comment).toHaveAccessibleDescription('Asegúrese de que este campo no tenga más de 2048 caracteres.');
});

test('[CONT-02 CONT-06 RUTA-06] contact and feedback forms pass axe without horizontal scrolling, empty and with errors, at both widths', async ({
  page,
}) => {
  test.slow();
  for (const { path, button } of [
    { path: '/contacto', button: 'Continuar' },
    { path: '/feedback', button: 'Enviar' },
  ]) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: button })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: button }).click({ force: true });
    await expect(summary(page)).toBeFocused();
    await expectAccessible(page);
  }
  await page.goto('/contacto/mensaje-enviado');
  await expect(page.getByRole('heading', { level: 1 }), 'the form was not sent').toHaveText('Contacto');
  await page.goto('/feedback/mensaje-enviado');
  await expect(page.getByRole('heading', { level: 1 }), 'the form was not sent').toHaveText('Tu opinión');
});
