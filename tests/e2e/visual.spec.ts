import type { Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { activeSampleCitizen, completeDocumentStep, createForeigner } from './support/registration.ts';

// Visual regression test of twelve screens on a phone and a desktop. `npx playwright test visual -u` accepts a deliberate change.

const sizes = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
] as const;

/** Compares the viewport with its reference screenshot at each width. */
async function expectSameScreenshot(page: Page, name: string, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  await expect(page.getByText('Cargando...')).toHaveCount(0);
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.evaluate(() => {
      window.scrollTo(0, 0);
      (document.activeElement as HTMLElement | null)?.blur();
      const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        text.nodeValue = (text.nodeValue ?? '')
          .replace(/\d\d\/\d\d\/\d{4}, \d\d:\d\d/, '02/03/2026, 10:30')
          .replace(/persona\.\d+@/, 'ines.quiroga@')
          .replace(/\d{8}/, '30111222');
    });
    await expect.soft(page).toHaveScreenshot(['screenshots', `${name}-${size.width}.png`]);
  }
}

test('[INI-12] the screens of a signed-out visitor match their reference screenshots', async ({ page }) => {
  await page.goto('/acerca-de'); // caches the optional fonts, so that they are used in the screenshots
  for (const [name, path, heading] of [
    ['inicio', '/', 'Elegí la forma de identificarte digitalmente'],
    ['registro', '/registro', 'Registrate'],
    ['contrasena', '/contraseña/restablecer', 'Reestablece tu contraseña'],
    ['ayuda', '/ayuda', 'Preguntas frecuentes'],
    ['contacto', '/contacto', 'Contacto'],
    ['perdido', '/desconocido', 'Te perdiste'],
    ['ingreso', '/login', 'Iniciá sesión'],
  ] as const)
    await test.step(name, async () => {
      await page.goto(encodeURI(path));
      await expectSameScreenshot(page, name, heading);
    });
  await completeDocumentStep(page, activeSampleCitizen);
  await expectSameScreenshot(page, 'ingreso-contrasena', 'Ingresá tu contraseña');
});

test('[INI-12] the screens of a signed-in citizen match their reference screenshots', async ({ page, portal }) => {
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/');
  for (const [name, path, heading] of [
    ['cuenta', '/', 'Hola, Inés'],
    ['seguridad', '/seguridad', 'Seguridad'],
    ['doble-factor', '/configurar-segundo-factor', 'Activá el doble factor de autenticación'],
    ['llamada', '/contacto-videollamada', 'Agenda Soporte'],
  ] as const)
    await test.step(name, async () => {
      await page.goto(path);
      await expectSameScreenshot(page, name, heading);
    });
});
