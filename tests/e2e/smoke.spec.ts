import { expect, test } from './support/fixtures.ts';

const pages = [
  { path: '/', status: 200, note: 'home' },
  { path: '/registro', status: 200, note: 'registration' },
  { path: '/login', status: 200, note: 'sign-in' },
  { path: '/registro/reenviar-link-activacion', status: 200, note: 'resend' },
  { path: '/no-existe', status: 404, note: 'not found' },
];

for (const { path, status, note } of pages) {
  test(`[RUTA-01 RUTA-04] ${note} is drawn under its policy and is accessible`, async ({ page, axe }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(status);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('main')).toBeVisible();
    expect(await axe()).toEqual([]);
  });
}
