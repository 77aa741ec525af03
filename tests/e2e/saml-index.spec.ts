import { expect, test } from './support/fixtures.ts';
import { activeCitizen, signIn } from './support/registration.ts';

test.use({ settings: { FLAGS: 'saml_index=on' } });

test('[SES-07] the buttons of /saml-index send a sign-in and a logout that the broker answers', async ({
  page,
  axe,
}) => {
  await page.goto('/saml-index');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Enviar un pedido de inicio de sesión' }).click();
  await signIn(page, activeCitizen);
  await expect(page).toHaveURL(/\/saml-index\//);
  await expect(page.getByText('uy-ci-45123784').first()).toBeVisible();

  await page.goto('/saml-index');
  await page.getByRole('button', { name: 'Enviar un pedido de cierre de sesión' }).click();
  await expect(page.getByText('Success')).toBeVisible({ timeout: 20_000 });
  await page.goto('/seguridad');
  await expect(page, 'the session has ended').toHaveURL(/\/login/);
});
