import type { Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/application.ts';
import { findLink, type Mail } from './support/outbox.ts';
import type { Portal } from './support/portal.ts';
import {
  chooseForeignDocument,
  fillDocument,
  fillRegistration,
  createForeigner,
  solveCaptcha,
  type Person,
} from './support/registration.ts';

// Uses settings that no other file uses, to start a separate portal, because registrations are limited to sixty per
// network address and hour.
test.use({ settings: { CONTACT_ANSWER_DAYS: '6' } });

/** What a task starts with: a page, a portal, a person and that person's mails. */
interface TaskStart {
  readonly page: Page;
  readonly portal: Portal;
  readonly person: Person;
  readonly mail: (to: string, count?: number) => Promise<Mail>;
}

interface OfflineTask {
  readonly name: string;
  /** Completes everything before the button. */
  readonly begin: (start: TaskStart) => Promise<void>;
  readonly button: string;
  /** Expected heading after the button was pressed. */
  readonly then: string | RegExp;
}

const phone = '+598 99 123 456';
const unreached = 'No pudimos comunicarnos con el servidor.';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Presses a button while offline, checks the error message, and presses it again online. */
async function pressTwice(page: Page, button: string, said: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true);
  await press(page, button);
  await said();
  await page.context().setOffline(false);
  await press(page, button);
}

async function fillBooking({ page, person }: TaskStart): Promise<void> {
  await page.goto('/contacto-videollamada');
  await page.getByLabel('Nombre completo').fill('Inés Quiroga');
  await fillDocument(page, person);
  await page.getByLabel('Correo electrónico').fill(person.email);
  await page.getByLabel('Número de teléfono').fill(phone);
  await page.getByLabel('Asunto').selectOption({ label: 'Firma digital' });
  await page.getByLabel('Motivo de la consulta').fill('No puedo firmar.');
  await press(page, 'Continuar');
  await page.getByRole('group', { name: /^Hora/ }).getByRole('radio').first().check();
  await press(page, 'Continuar');
  await solveCaptcha(page);
}

async function requestReset({ page, portal, person }: TaskStart): Promise<void> {
  await createAccount(portal, person);
  await page.goto('/contraseña/restablecer');
  await fillDocument(page, person);
  await solveCaptcha(page);
}

/** Tasks by test. A task starts with what the previous ones of its test have done. */
const journeys: readonly (readonly OfflineTask[])[] = [
  [
    {
      name: 'the registration',
      begin: async ({ page, person }) => {
        await page.goto('/registro');
        await fillRegistration(page, person);
      },
      button: 'Continuar',
      then: 'Tu usuario fue creado correctamente',
    },
    {
      name: 'the resend form of the activation mail',
      begin: async ({ page, person }) => {
        await page.goto('/registro/reenviar-link-activacion');
        await fillDocument(page, person);
        await solveCaptcha(page);
      },
      button: 'Reenviar',
      then: 'Revisá tu correo electrónico',
    },
    {
      name: 'the activation',
      begin: async ({ page, person, mail }) => void (await page.goto(findLink(await mail(person.email, 2), 'uuid='))),
      button: 'Activar cuenta',
      then: 'Tu cuenta fue activada',
    },
    {
      name: 'the document step of the sign-in',
      begin: async ({ page, person }) => {
        await page.goto('/login');
        await chooseForeignDocument(page);
        await fillDocument(page, person);
      },
      button: 'Continuar',
      then: 'Ingresá tu contraseña',
    },
    {
      name: 'the password step of the sign-in',
      begin: ({ page, person }) => page.getByLabel('Contraseña', { exact: true }).fill(person.password),
      button: 'Iniciar sesión',
      then: 'Activá el doble factor de autenticación',
    },
  ],
  [
    {
      name: 'the request for a password reset',
      begin: requestReset,
      button: 'Continuar',
      then: 'Revisá tu correo electrónico',
    },
    {
      name: 'the form for a new password',
      begin: async ({ page, person, mail }) => {
        await page.goto(findLink(await mail(person.email, 2), 'token='));
        await page.getByLabel('Nueva contraseña', { exact: true }).fill('siete-medialunas-dulces');
        await page.getByLabel('Repetir nueva contraseña').fill('siete-medialunas-dulces');
      },
      button: 'Cambiar contraseña',
      then: 'Tu contraseña se modificó',
    },
  ],
  [
    {
      name: 'the contact form',
      begin: async ({ page, person }) => {
        await page.goto('/contacto');
        await page.getByLabel('Nombre completo').fill('Inés Quiroga');
        await fillDocument(page, person);
        await page.getByLabel('Correo electrónico').fill(person.email);
        await page.getByLabel('Número de teléfono').fill(phone);
        await page.getByLabel('Asunto').selectOption({ label: 'Accesibilidad' });
        await page.getByLabel('Motivo solicitud').fill('El contraste no alcanza.');
        await solveCaptcha(page);
      },
      button: 'Continuar',
      then: /mensaje/,
    },
    {
      name: 'the feedback form',
      begin: async ({ page }) => {
        await page.goto('/feedback');
        await page.getByLabel('¿Qué podemos mejorar?').fill('Más contraste.');
        await page.getByLabel('No entendí el texto').check();
        await solveCaptcha(page);
      },
      button: 'Enviar',
      then: '¡Gracias por tu opinión!',
    },
  ],
  [
    {
      name: 'the booking of a call',
      begin: fillBooking,
      button: 'Reservar videollamada',
      then: 'Falta confirmar tu videollamada',
    },
    {
      name: 'the confirmation of a call',
      begin: async ({ page, person, mail }) =>
        void (await page.goto(findLink(await mail(person.email), '/videollamada-soporte?'))),
      button: 'Confirmar videollamada',
      then: 'Tu videollamada está confirmada',
    },
    {
      name: 'the cancellation of a call',
      begin: async ({ page, person, mail }) =>
        void (await page.goto(findLink(await mail(person.email, 2), '/cancelar-videollamada-soporte?'))),
      button: 'Cancelar videollamada',
      then: 'Cancelamos tu videollamada',
    },
  ],
  [
    {
      name: 'the request for an e-mail code',
      begin: async ({ page, portal, person }) => {
        await createAccount(portal, person);
        await openSignedIn(page, portal, person, '/seguridad/autenticacion-en-dos-pasos/email');
      },
      button: 'Enviar código',
      then: 'Ingresá el código de verificación',
    },
    {
      name: 'the change of the phone number',
      begin: async ({ page }) => {
        await page.goto('/seguridad/telefono/modificar');
        await page.getByLabel('Número de teléfono').fill(phone);
        await page.getByLabel('Número de teléfono').blur();
      },
      button: 'Guardar',
      then: /eléfono$/,
    },
    {
      name: 'the change of the e-mail',
      begin: async ({ page, person }) => {
        await page.goto('/seguridad/correo-electronico/modificar');
        await page.getByLabel('Contraseña actual').fill(person.password);
        await press(page, 'Continuar');
        await page.getByLabel('Nuevo correo electrónico').fill(`otro.${person.email}`);
      },
      button: 'Continuar',
      then: 'Ya casi terminás',
    },
    {
      name: 'the closing of the account',
      begin: async ({ page }) => {
        await page.goto('/seguridad/cerrar-cuenta');
        await page.getByLabel('Escribí CERRAR para confirmar').fill('CERRAR');
      },
      button: 'Cerrar mi cuenta',
      then: 'Pediste cerrar tu cuenta',
    },
  ],
];

test('[ERR-03] the consent reports a lost connection, and succeeds on a second click once online', async ({
  page,
  portal,
  application,
  allowProblem,
}) => {
  allowProblem(/net::ERR_/);
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person);
  await page.goto((await application.begin()).url.href);
  await expect(page.getByRole('button', { name: 'Permitir' })).toBeVisible();
  await pressTwice(page, 'Permitir', () => expect(page.getByText(unreached)).toBeVisible());
  await page.waitForURL((url) => url.href.startsWith(application.callback));
});

test('[ERR-03] a dialog on an account page reports a lost connection once, and succeeds on a second click once online', async ({
  page,
  portal,
  browser,
  allowProblem,
}) => {
  allowProblem(/net::ERR_/);
  const person = createForeigner();
  await createAccount(portal, person);
  const other = await browser.newContext({ baseURL: portal.url });
  await openSignedIn(await other.newPage(), portal, person);
  await openSignedIn(page, portal, person, '/seguridad/sesiones');
  await press(page, 'Cerrar las demás sesiones');
  await expect(page.getByRole('dialog')).toBeVisible();
  const words = page.getByText(unreached);
  await pressTwice(page, 'Cerrar las demás', async () => {
    await expect(page.getByRole('dialog').filter({ has: words })).toBeVisible();
    await expect(words).toHaveCount(1);
  });
  await expect(page.getByText('Las demás sesiones se cerraron.')).toBeVisible();
  await other.close();
});

/** Returns the values of all fields except the captcha, which is solved again after each failure. */
const readInputs = (page: Page) =>
  page
    .locator('main :is(input, select, textarea):not([name=captcha_response])')
    .evaluateAll((fields) =>
      fields.map((field) => [field.id, (field as HTMLInputElement).value, (field as HTMLInputElement).checked]),
    );

for (const tasks of journeys) {
  const names = tasks.map(({ name }) => name).join(', ');
  test(`[ERR-03] a lost connection is reported, keeps the input, and allows a second try in ${names}`, async ({
    page,
    portal,
    mail,
    context,
    allowProblem,
  }) => {
    allowProblem(/net::ERR_|Failed to fetch dynamically imported module/);
    const person = createForeigner();
    for (const { name, begin, button, then } of tasks)
      await test.step(name, async () => {
        await begin({ page, portal, mail, person });
        const [heading, filled, address] = [
          page.getByRole('heading', { level: 1 }),
          await readInputs(page),
          page.url(),
        ];
        const title = await heading.innerText();
        await context.setOffline(true);
        await press(page, button);
        const words = page.locator('[role=alert], [role=group]').filter({ hasText: unreached });
        await expect(words).toBeVisible();
        await expect(words).toBeFocused();
        await expect(heading).toHaveText(title);
        expect([await readInputs(page), page.url()]).toEqual([filled, address]);
        const captcha = await page.getByLabel('No soy un robot').count();
        await context.setOffline(false);
        await expect(page.getByText('Verificación completa')).toHaveCount(captcha);
        await press(page, button);
        await expect(page.getByRole('heading', { level: 1, name: then })).toBeVisible();
        await expect(words).toHaveCount(0);
      });
  });
}
