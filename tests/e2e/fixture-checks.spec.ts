import { expect, test } from './support/fixtures.ts';

test('the page fixture fails a test that violates the Content Security Policy', async ({ page }) => {
  test.fail();
  await page.goto('/');
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
  });
  await expect(page.locator('body')).toBeVisible();
});

test('the axe fixture reports a button without a name', async ({ page, axe }) => {
  await page.goto('/');
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
  expect((await axe()).join()).toContain('button-name');
});
