import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

/** Simulates an input method editor: composes a text in steps, then commits it. */
async function compose(page: Page, name: string, steps: readonly string[], committed: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await page.locator(`main [name="${name}"]`).focus();
  for (const text of steps)
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await session.send('Input.insertText', { text: committed });
}

const control = (page: Page, name: string) => page.locator(`main [name="${name}"]`);

test('[ENG-18] text composed with an input method stays as typed until the field loses the focus', async ({ page }) => {
  await page.goto('/contacto');
  await compose(page, 'email', ['A', 'An', 'Ana'], 'Ana');
  await expect(control(page, 'email')).toHaveValue('Ana');
  await page.keyboard.type('@Correo.UY ');
  await expect(control(page, 'email')).toHaveValue('Ana@Correo.UY ');
  await compose(page, 'nombre_completo', ['n', 'ni', '´', 'é'], 'Né');
  await expect(control(page, 'email')).toHaveValue('ana@correo.uy');
  await page.keyboard.type(' Sosa');
  await expect(control(page, 'nombre_completo')).toHaveValue('Né Sosa');
  await compose(page, 'mensaje', ['H', 'Ho'], 'Hola');
  await expect(control(page, 'mensaje')).toHaveValue('Hola');
  await expect(control(page, 'nombre_completo')).toHaveValue('Né Sosa');
});

test('[ENG-18] spaces inside a text remain, and those at its ends are trimmed when the field loses the focus', async ({
  page,
}) => {
  await page.goto('/contacto');
  await control(page, 'nombre_completo').pressSequentially(' ana maria ');
  await expect(control(page, 'nombre_completo')).toHaveValue(' ana maria ');
  await page.keyboard.press('Tab');
  await expect(control(page, 'nombre_completo')).toHaveValue('ana maria');
});

test('[ENG-18] a document number keeps its separators until the field loses the focus', async ({ page }) => {
  await page.goto('/login');
  await compose(page, 'username', ['3', '3.8', '3.871.205-7'], '3.871.205-7');
  await expect(control(page, 'username')).toHaveValue('3.871.205-7');
  await control(page, 'username').blur();
  await expect(control(page, 'username')).toHaveValue('38712057');
});
