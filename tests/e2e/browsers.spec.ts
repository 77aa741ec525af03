import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { oldestSupportedBrowsers } from '../../src/contract/constants.ts';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { findUnsupportedFeatures } from './support/unsupported-features.ts';
import { projectRoot } from './support/portal.ts';
import { createForeigner } from './support/registration.ts';

/** Features that supported browsers may lack although packages use them, because the packages work without them. */
const harmless: ReadonlySet<string> = new Set([
  'displayName', // assigned to React components, not read from the browser
  'fileName', // an error property that only some browsers set
  'Error.captureStackTrace', // packages call it only if it exists
  'Symbol.dispose', // mobx defines this symbol if the browser lacks it
  // methods that mobx defines on its own sets
  ...['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
]);

const uses = (source: string) => [...findUnsupportedFeatures(source)].filter((use) => !harmless.has(use));

test('[ENG-22] findUnsupportedFeatures reports the methods and syntax that a supported browser lacks', () => {
  expect(uses('a.toSpliced(1); a.toSorted(); a.at(-1); structuredClone(a); Object.hasOwn(a, b)')).toEqual([
    'toSpliced',
    'toSorted',
  ]);
  expect(uses('URL.canParse(a); new URL(a); Promise.withResolvers(); Object.groupBy(a, b)')).toEqual([
    'URL.canParse',
    'Promise.withResolvers',
    'Object.groupBy',
  ]);
  expect(uses('/(?<=a)b/.test(c); /(?<name>a)/.test(c); new CloseWatcher()')).toEqual(['(?<=', 'CloseWatcher']);
});

test('[ENG-22] the built scripts and the compiled definitions use no feature that a supported browser lacks', async ({
  portal,
}) => {
  const folder = join(projectRoot, 'dist/portal/assets');
  const built = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const scripts = built.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  expect(scripts.length).toBeGreaterThan(50);
  const manifest = (await (await fetch(`${portal.url}/definitions/manifest.json`)).json()) as {
    screens: Readonly<Record<string, { url: string }>>;
    flows: Readonly<Record<string, string>>;
  };
  const urls = [...Object.values(manifest.screens).map(({ url }) => url), ...Object.values(manifest.flows)];
  expect(urls.length).toBeGreaterThan(20);
  const compiled = await Promise.all(
    urls.map(async (url) => [url, await (await fetch(`${portal.url}${url}`)).text()] as const),
  );
  const found = [...scripts, ...compiled].flatMap(([name, source]) => uses(source).map((use) => `${name}: ${use}`));
  expect(found).toEqual([]);
});

test('[ENG-22] package.json and the README list the supported browsers', () => {
  const { browserslist } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    browserslist: readonly string[];
  };
  const { safari: ios_saf } = oldestSupportedBrowsers;
  expect(browserslist).toEqual(
    Object.entries({ ...oldestSupportedBrowsers, ios_saf }).map(([name, from]) => `${name} >= ${from}`),
  );
  const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
  for (const [name, version] of Object.entries(oldestSupportedBrowsers))
    expect(readme).toMatch(new RegExp(`${name} ${version}`, 'i'));
});

for (const { note, lacking } of [
  { note: 'without Array.prototype.findLast', lacking: 'delete Array.prototype.findLast' },
  { note: 'that runs no modules', lacking: 'no modules' },
])
  test(`[ENG-22] a browser ${note} gets a page that lists the supported browsers`, async ({ page, allowProblem }) => {
    allowProblem(/findLast/);
    if (lacking === 'no modules') await page.route('**/assets/*.js', () => undefined);
    await page.addInitScript('delete Array.prototype.findLast');
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.locator('body > [role=status]')).toHaveText(
      'Tu navegador es muy viejo para usar esta página. Actualizalo, o usá uno de estos o más nuevo: Chrome 109, Edge 109, Firefox 115, Safari 15.4.',
    );
    await expect(page.getByText('La página tarda más de lo normal.')).toBeHidden();
  });

test('[ENG-22] home page and security page are shown in a supported browser without newer methods and without popovers', async ({
  page,
  portal,
}) => {
  await page.addInitScript(() => {
    const { prototype } = Array as unknown as { prototype: Record<string, unknown> };
    for (const name of ['toSpliced', 'toSorted', 'toReversed', 'with']) delete prototype[name];
    for (const name of ['groupBy']) Reflect.deleteProperty(Object, name);
    for (const name of ['withResolvers', 'try']) Reflect.deleteProperty(Promise, name);
    for (const name of ['canParse', 'parse']) Reflect.deleteProperty(URL, name);
    Reflect.deleteProperty(HTMLElement.prototype, 'popover');
    Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover');
    const { matches } = Element.prototype;
    const strict = function (this: Element, selector: string): boolean {
      if (selector.includes('popover-open')) throw new DOMException('not a valid selector', 'SyntaxError');
      return matches.call(this, selector);
    };
    Object.defineProperty(Element.prototype, 'matches', { value: strict });
  });
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person, '/');
  for (const [path, heading] of [
    ['/', null],
    ['/seguridad', 'Seguridad'],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('#prerendered')).toHaveCount(0);
    if (heading !== null) await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});
