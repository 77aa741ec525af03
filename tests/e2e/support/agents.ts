import { expect, type Page } from '@playwright/test';
import { sampleAgentMailbox } from '../../../src/server/app/sample/sample-citizens.ts';
import { createSampleCitizen, submitPasswordSteps, type Person } from './registration.ts';

/** The sample agent. Tests use only its document and password. */
export const sampleAgent: Person = {
  ...createSampleCitizen('Bruno', 'Suárez', '46781232'),
  email: sampleAgentMailbox,
  password: 'guardia-de-los-lunes',
};

export async function signInAtDesk(
  page: Page,
  mail: (recipient: string) => Promise<{ readonly text: string }>,
  entrance = '/login?agnt=1&redirectUrl=/agentes',
): Promise<void> {
  await page.goto(entrance);
  await submitPasswordSteps(page, sampleAgent);
  await page.getByRole('textbox', { name: 'Correo electrónico' }).fill(sampleAgent.email);
  await page.getByRole('button', { name: 'Continuar' }).click();
  const code = /\b[A-Z0-9]{6}\b/.exec((await mail(sampleAgent.email)).text)?.[0] ?? '';
  await page.getByRole('textbox', { name: /[Cc]ódigo/ }).fill(code);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Llamadas' })).toBeVisible();
}

/**
 * Confirms the agent's identity by password, for an agent without a passkey. The desk requires it before the first
 * operation, and again after ten minutes.
 */
export async function confirmByPassword(page: Page, { password } = sampleAgent): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirmá con tu contraseña' });
  await dialog.getByLabel('Contraseña actual').fill(password);
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await expect(dialog).toBeHidden();
}
