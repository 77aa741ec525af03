import { expect, test } from './support/fixtures.ts';

const pages = [
  { path: '/ayuda', title: 'Preguntas frecuentes', pt: 'Perguntas frequentes' },
  { path: '/ayuda/perdi-mi-celular', title: 'Perdí o cambié mi celular', pt: 'Perdi ou troquei o meu celular' },
  {
    path: '/ayuda/que-es-la-garantia-de-identidad',
    title: '¿Qué es la garantía de identidad?',
    pt: 'O que é a garantia de identidade?',
  },
  {
    path: '/metodos-disponibles-diferencias',
    title: 'Métodos disponibles y diferencias',
    pt: 'Métodos disponíveis e diferenças',
  },
  { path: '/terminos-y-condiciones', title: 'Términos y condiciones', pt: 'Termos e condições' },
  { path: '/politica-de-privacidad', title: 'Política de privacidad', pt: 'Política de privacidade' },
  { path: '/acerca-de', title: 'Acerca de', pt: 'Sobre' },
  { path: '/como-saber-que-es-autentico', title: 'Cómo saber que es auténtico', pt: 'Como saber se é autêntico' },
  { path: '/accesibilidad', title: 'Declaración de accesibilidad', pt: 'Declaração de acessibilidade' },
];

// every-page.spec.ts tests these pages for axe violations and scrolling.
test('[RUTA-06 INI-07 CFG-02] each content page shows its text in Spanish and Portuguese without a call to /rest', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/rest/')) calls.push(request.url());
  });
  for (const { path, title } of pages)
    await test.step(path, async () => {
      expect((await page.goto(path))?.status()).toBe(200);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(page).toHaveTitle(new RegExp(`^${title.replace('?', '\\?')}`));
    });
  for (const { path, pt } of pages)
    await test.step(`${path} in Portuguese`, async () => {
      await page.goto(`${path}?lang=pt`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(pt);
    });
  expect(calls, 'no call: the page contains its data').toEqual([]);
});

test('[INI-05] the help categories alternate between two columns, use one column on a phone, and the end links to Contacto', async ({
  page,
}) => {
  await page.goto('/ayuda');
  const places = () =>
    page
      .locator('.faq-columns > section')
      .evaluateAll((sections) => sections.map((section) => Math.round(section.getBoundingClientRect().left)));
  const [left = 0, right = 0, ...more] = await places();
  expect(right).toBeGreaterThan(left);
  expect(more).toEqual(more.map((_, index) => (index % 2 === 0 ? left : right)));
  expect(more.length).toBeGreaterThan(0);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(new Set(await places()).size).toBe(1);
  const footer = page.getByRole('complementary', { name: 'Más ayuda' });
  await expect(footer).toContainText('¿No encontraste la respuesta?');
  await footer.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contacto');
});

test('[INI-05 INI-06] [INI+BUSQUEDA] the help search works with the keyboard, opens a question and keeps its query after going back', async ({
  page,
}) => {
  await page.goto('/ayuda');
  await page.getByRole('searchbox', { name: 'Buscar en las preguntas' }).focus();
  await page.keyboard.type('PERDI celular');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^Encontramos \d+ preguntas?\.$/);
  const link = page.getByRole('link', { name: 'Perdí o cambié mi celular' });
  await expect(page.locator('main').getByRole('link', { name: '¿Cómo me registro?' })).toHaveCount(0);
  for (let steps = 0; steps < 8 && !(await link.evaluate((element) => element === document.activeElement)); steps += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: 'Perdí o cambié mi celular' });
  await expect(heading).toBeFocused();
  await expect(page).toHaveURL('/ayuda/perdi-mi-celular');

  await page.getByRole('navigation', { name: 'Preguntas relacionadas' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: '¿Qué son los códigos de recuperación?' })).toBeFocused();
  await page.goBack();
  await expect(heading).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('PERDI celular');

  await link.click();
  await page.getByRole('navigation', { name: 'Estás en' }).getByRole('link', { name: 'Preguntas frecuentes' }).click();
  await expect(page.getByRole('searchbox')).toHaveValue('PERDI celular');
  await page.getByRole('searchbox').fill('xyz');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('No encontramos preguntas con esas palabras.');
  await expect(page.getByRole('link', { name: 'Escribinos' })).toBeVisible();
});

test('[INI-06] an unknown question returns 404 and shows the not-found page at /desconocido', async ({ page }) => {
  const response = await page.goto('/ayuda/nadie');
  expect(response?.status()).toBe(404);
  await expect(page).toHaveURL('/desconocido');
  await expect(page.getByRole('heading', { level: 1, name: 'Te perdiste' })).toBeVisible();
});

test('[INI-08] questions that fail to load show the error page, and are requested again at the next visit', async ({
  page,
  allowProblem,
}) => {
  allowProblem(/status of 500/);
  await page.route('**/rest/faqs/', (route) => route.fulfill({ status: 500, json: { error: 'x' } }));
  await page.goto('/login');
  const help = page.getByRole('contentinfo').getByRole('link', { name: 'Preguntas Frecuentes' });
  await help.click();
  await expect(page).toHaveURL(/\/error\?errorCode=SERVER_ERROR$|\/error$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Uy! Algo salió mal' })).toBeVisible();
  await page.unroute('**/rest/faqs/');
  await page.goBack();
  await help.click();
  await expect(page.getByRole('heading', { level: 2, name: 'Registro y activación' })).toBeVisible();
});

test('[INI-07] the table of contents and a link from another page scroll to a section of a long page', async ({
  page,
}) => {
  await page.goto('/politica-de-privacidad');
  await page.getByRole('navigation', { name: 'En esta página' }).getByRole('link', { name: 'Tus derechos' }).click();
  await expect(page.getByRole('heading', { name: 'Tus derechos' })).toBeInViewport();
  await page.goto('/login');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Preguntas Frecuentes' }).click();
  await page.getByRole('link', { name: '¿Cómo veo o descargo todos mis datos?' }).click();
  await page.locator('main').getByRole('link', { name: 'política de privacidad' }).click();
  await expect(page.getByRole('heading', { name: 'Cuánto tiempo los conservamos' })).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Cuánto tiempo los conservamos' })).toBeFocused();
});
