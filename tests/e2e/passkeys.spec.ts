import type { Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { addAuthenticator, withholdPasskeys } from './support/virtual-authenticator.ts';
import { createForeigner, submitPasswordSteps, signIn, type Person } from './support/registration.ts';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
}

/** Enters the current password if the page asks for it. */
async function verifyIdentity(page: Page, { password }: Person): Promise<void> {
  await page.getByLabel('Contraseña actual').fill(password);
  await page.getByLabel('Contraseña actual').press('Enter');
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
  await title(page, 'Agregá una llave de acceso');
  await page.getByLabel('Nombre de la llave').fill(name);
  await page.getByRole('button', { name: 'Crear llave de acceso' }).click();
}

test('[SEG+PASSKEY] a passkey can be added, used as second factor or as only proof, renamed and removed', async ({
  page,
  portal,
  axe,
  mail,
}) => {
  test.setTimeout(180_000);
  const person = createForeigner();
  await createAccount(portal, person);
  const authenticator = await addAuthenticator(page);
  const offerPasskeys = await withholdPasskeys(page);
  const look = () => expectAccessible(page, () => authenticator.around(axe));

  await page.goto('/login?redirectUrl=/seguridad/llaves-de-acceso');
  await title(page, 'Iniciá sesión');
  await look();
  await signIn(page, person);
  await title(page, 'Llaves de acceso');
  await expect(page.getByText('Todavía no tenés llaves de acceso.')).toBeVisible();
  await look();
  await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
  await verifyIdentity(page, person);
  await title(page, 'Agregá una llave de acceso');
  await look();
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await addPasskey(page, 'Mi computadora');
  await title(page, 'Agregaste una llave de acceso');
  await expect(page.getByRole('heading', { level: 2, name: 'Tus códigos de recuperación' })).toBeVisible();
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Llaves de acceso');
  await expect(page.getByText('Mi computadora')).toBeVisible();
  await look();
  expect((await mail(person.email, 2)).subject).toBe('Se agregó una llave de acceso en Usuario digital');
  expect(await authenticator.credentials()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

  // fails with a message, because the same authenticator cannot be added again
  await addPasskey(page, 'Otra');
  await expect(page.getByText('Este dispositivo ya tiene una llave de acceso de tu cuenta.')).toBeVisible();
  await expect(page.getByLabel('Nombre de la llave')).toHaveValue('Otra');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await signOut(page);

  // the passkey as a second factor, after the password
  await page.goto('/login?redirectUrl=/seguridad');
  await submitPasswordSteps(page, person);
  await title(page, 'Usá tu llave de acceso');
  await look();
  await expect(page.getByRole('button', { name: 'Usar otro método' })).toBeHidden();
  await page.getByRole('button', { name: 'Usar mi llave de acceso' }).click();
  await title(page, 'Seguridad');
  await signOut(page);

  // the passkey as the only proof, without a document
  await page.goto('/login?redirectUrl=/seguridad');
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await title(page, 'Seguridad');
  await page.goto('/seguridad/llaves-de-acceso');
  await expect(page.getByText('Último uso:')).toBeVisible();

  await page.getByRole('button', { name: 'Cambiar nombre: Mi computadora' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Nombre de la llave' })).toHaveValue('Mi computadora');
  await dialog.getByRole('textbox', { name: 'Nombre de la llave' }).fill('La de casa');
  await look();
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await verifyIdentity(page, person); // the page asks for the password, because this session has no password proof yet
  await expect(page.getByText('Cambiaste el nombre de la llave de acceso.')).toBeVisible();
  await page.getByRole('button', { name: 'Quitar: La de casa' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Quitar: La de casa' }).click();
  await look();
  await dialog.getByRole('button', { name: 'Quitar' }).click();
  await expect(page.getByText('Quitaste la llave de acceso.')).toBeVisible();
  await expect(page.getByText('Todavía no tenés llaves de acceso.')).toBeVisible();
  await signOut(page);

  // the account no longer has the passkey, but the authenticator does: the page shows a message and the password form
  await offerPasskeys();
  await page.goto('/login?redirectUrl=/seguridad');
  await expect(page.getByText('No pudimos comprobar la llave de acceso.')).toBeVisible();
  await title(page, 'Iniciá sesión');
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await expect(page.getByText('No pudimos comprobar la llave de acceso.')).toBeVisible();
  await title(page, 'Iniciá sesión con tu llave de acceso');
  await look();
  await page.getByRole('button', { name: 'Volver' }).click();
  await title(page, 'Iniciá sesión');
});

test('[SEG+PASSKEY] a passkey sign-in that fails or is left can be repeated, and then succeeds', async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  const person = createForeigner();
  await createAccount(portal, person);
  const authenticator = await addAuthenticator(page);
  await withholdPasskeys(page);
  await openSignedIn(page, portal, person, '/seguridad/llaves-de-acceso');
  await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
  await verifyIdentity(page, person);
  await title(page, 'Agregá una llave de acceso');
  await page.getByRole('button', { name: 'Cancelar' }).click();
  await addPasskey(page, 'Mi llave');
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Llaves de acceso');
  await signOut(page);

  await authenticator.set({ verified: false });
  await page.goto('/login?redirectUrl=/seguridad');
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await expect(page.getByText('No se completó: se canceló o se terminó el tiempo.')).toBeVisible();
  await authenticator.set({ verified: true });
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await title(page, 'Seguridad');
  await signOut(page);

  // leaving the page cancels the ceremony, and the next ceremony must succeed
  await authenticator.set({ touched: false });
  await page.goto('/login?redirectUrl=/seguridad');
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await expect(page.getByText('Seguí las indicaciones de tu navegador')).toBeVisible();
  await page.getByRole('button', { name: 'Volver' }).click();
  await title(page, 'Iniciá sesión');
  await authenticator.set({ touched: true });
  await page.getByRole('button', { name: 'Iniciar sesión con llave de acceso' }).click();
  await title(page, 'Seguridad');
});

test('[SEG+PASSKEY LOG-02] the document field offers the passkey as autofill, and signing in with a password cancels the offer', async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  const person = createForeigner();
  await createAccount(portal, person);
  const authenticator = await addAuthenticator(page);
  await openSignedIn(page, portal, person, '/seguridad/llaves-de-acceso');
  await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
  await verifyIdentity(page, person);
  await title(page, 'Agregá una llave de acceso');
  await page.getByLabel('Nombre de la llave').fill('Mi llave');
  await page.getByRole('button', { name: 'Crear llave de acceso' }).click();
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Llaves de acceso');
  await signOut(page);

  // the autofill ceremony stays pending until the citizen continues with the document
  await authenticator.set({ touched: false });
  const requests: (string | null)[] = [];
  await page.exposeFunction('noteMediation', (kind: string) => void requests.push(kind));
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = async (options) => {
      const note = (globalThis as unknown as { noteMediation: (kind: string) => void }).noteMediation;
      note(`${options?.mediation}`);
      options?.signal?.addEventListener('abort', () => note('aborted'));
      return get(options);
    };
  });
  await page.goto('/login?redirectUrl=/seguridad');
  await expect(page.getByLabel('Número de cédula')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect.poll(() => requests).toEqual(['conditional']);
  await page.getByLabel('Número de cédula').press('Enter');
  await expect(page.getByText('Este es un dato requerido')).toBeVisible();
  expect(requests).toEqual(['conditional']);
  await submitPasswordSteps(page, person);
  await expect.poll(() => requests).toEqual(['conditional', 'aborted']);

  await authenticator.set({ touched: true });
  await page.goto('/login?redirectUrl=/seguridad');
  await title(page, 'Seguridad');
  expect(requests.slice(2)).toEqual(['conditional']);
});
