import { expect, test } from './support/fixtures.ts';

test('a violation of the policy fails the test in which it happens', async ({ page }) => {
  test.fail();
  await page.goto('/');
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
  });
  await expect(page.locator('body')).toBeVisible();
});

test('axe finds what is wrong', async ({ page, axe }) => {
  await page.goto('/');
  await page.evaluate(() => document.querySelector('main')?.append(document.createElement('button')));
  expect((await axe()).join()).toContain('button-name');
});
