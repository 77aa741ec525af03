import type { Page } from '@playwright/test';
import { sampleAgentDomain } from '../../src/server/platform/config/config.ts';
import { runOperatorCommand, createAccount } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { createForeigner, submitPasswordSteps } from './support/registration.ts';
import { addAuthenticator, withholdPasskeys } from './support/virtual-authenticator.ts';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const entrance = '/login?agnt=1&redirectUrl=/agentes/cuentas';

test('[SEC-02 DESK-01 DESK-06] an agent with a passkey must sign in with it, and confirms a block with it at that time', async ({
  page,
  portal,
  mail,
  axe,
}) => {
  test.setTimeout(180_000);
  const [agent, citizen] = [createForeigner(), createForeigner()];
  for (const person of [agent, citizen]) await createAccount(portal, person);
  const mailbox = `${agent.document.toLowerCase()}@${sampleAgentDomain}`;
  await runOperatorCommand(portal, 'grant', agent, {
    words: ['agentes', 'cuentas', '--mailbox', mailbox],
    env: { AGENT_DOMAINS: sampleAgentDomain },
  });
  const authenticator = await addAuthenticator(page);
  await withholdPasskeys(page);
  const look = () => expectAccessible(page, () => authenticator.around(axe));
  /** Signs in with password and mailbox, up to the second factor. `count` is the number of mails so far. */
  const begin = async (count: number) => {
    await page.goto(entrance);
    await submitPasswordSteps(page, agent);
    await page.getByRole('textbox', { name: 'Correo electrónico' }).fill(mailbox);
    await page.getByRole('button', { name: 'Continuar' }).click();
    const code = /^\d{6}$/m.exec((await mail(mailbox, count)).text)?.[0] ?? '';
    await page.getByRole('textbox', { name: /[Cc]ódigo/ }).fill(code);
    await page.getByRole('button', { name: 'Continuar' }).click();
  };

  await begin(1);
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await title(page, 'Cuentas');
  await page.goto('/seguridad/llaves-de-acceso');
  await page.getByRole('button', { name: 'Agregar una llave de acceso' }).click();
  await page.getByLabel('Contraseña actual').fill(agent.password);
  await page.getByLabel('Contraseña actual').press('Enter');
  await page.getByRole('button', { name: 'Crear llave de acceso' }).click();
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Llaves de acceso');
  await page.goto('/agentes/cuentas');
  await title(page, 'Entrá con tu llave de acceso');
  await expect(page.getByText(/volvé a entrar con la llave/)).toBeVisible();
  await look();
  await page.getByRole('link', { name: 'Cerrar la sesión' }).click();
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();

  await begin(2);
  await title(page, 'Usá tu llave de acceso');
  await page.getByRole('button', { name: 'Usar mi llave de acceso' }).click();
  await title(page, 'Cuentas');
  await page.getByLabel(/^Documento/).fill(`${citizen.country}-${citizen.type}-${citizen.document}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Bloquear' }).click();
  await page.getByLabel('Motivo').fill('Perdió el teléfono.');

  // The authenticator is not touched, so the browser waits until the agent cancels.
  await authenticator.set({ touched: false });
  await page.getByRole('button', { name: 'Confirmar' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Confirmá con tu llave de acceso' });
  await expect(dialog.getByRole('status')).toHaveText('Seguí las indicaciones de tu navegador o de tu dispositivo.');
  await expect(dialog.getByRole('button', { name: 'Cancelar' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No lo confirmaste: no se hizo ningún cambio.')).toBeVisible();
  await expect(page.getByLabel('Motivo'), 'the input is kept after the rejection').toHaveValue('Perdió el teléfono.');

  // The authenticator is touched, but does not verify its user.
  await authenticator.set({ touched: true, verified: false });
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/^No se completó/);
  await look();
  await authenticator.set({ verified: true });
  await dialog.getByRole('button', { name: 'Probar de nuevo' }).press('Enter');
  await expect(page.getByText(/Le avisamos por correo/)).toBeVisible();
  await expect(page.getByText('Bloqueada')).toBeVisible();
  expect((await mail(citizen.email, 2)).text).toContain('Perdió el teléfono.');
});
