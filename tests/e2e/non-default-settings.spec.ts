import { expect, test } from './support/fixtures.ts';
import { nonDefaultSettings } from './support/other-settings.ts';
import {
  fillRegistration,
  completeStepsBefore,
  createForeigner,
  registrationSteps,
  createSampleCitizen,
} from './support/registration.ts';

// Test with a portal that has no phone numbers and an unreachable identity registry.
test.use({ settings: nonDefaultSettings });

test('[REG-10 REG-07] an unreachable identity registry is reported with the input unchanged', async ({
  page,
  allowProblem,
}) => {
  allowProblem(/the server responded with a status of 503/);
  const person = createSampleCitizen('Juan', 'Rodríguez', '38712057');
  await page.goto('/registro');
  await fillRegistration(page, person);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(
    page.getByRole('group').filter({ hasText: 'No es posible validar tus datos contra el servicio de identificación' }),
  ).toBeFocused();
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue(person.password);
});

test('[REG-01 CFG-01] the registration works without a phone number if its flag is off', async ({ page }) => {
  await page.goto('/registro');
  const person = createForeigner();
  await completeStepsBefore(page, person, 'correo');
  await expect(page.getByLabel('Correo electrónico', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Número de teléfono')).toHaveCount(0);
  await registrationSteps.correo(page, person);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await registrationSteps.contraseña(page, person);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: 'Continuar' }).click();
  expect((await sent).postDataJSON()).not.toHaveProperty('numero_telefono');
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeVisible();
});
