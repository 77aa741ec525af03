import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { typeByKeyboard as type } from './support/keyboard.ts';
import { findLink } from './support/outbox.ts';
import { sampleQuestionSlug, citizenAddresses, publicAddresses } from '../definitions/support/addresses.ts';
import { projectRoot } from './support/portal.ts';
import {
  activeSampleCitizen,
  chooseForeignDocument,
  fillDocument,
  completeDocumentStep,
  createForeigner,
  registrationHeadings,
  registrationSteps,
  signIn,
  solveCaptcha,
} from './support/registration.ts';

test.describe.configure({ mode: 'parallel' });

type Axe = () => Promise<readonly string[]>;

const wrong = 'Uy! Algo salió mal';
const lost = 'Te perdiste';
const problem = 'Ups, ocurrió un problema...';

interface Address {
  readonly path: string;
  /** Expected heading. If omitted, any heading is accepted. */
  readonly heading?: string;
  /** Expected status. By default, 200. */
  readonly status?: number;
  readonly note?: string;
}

/** Paths that can be opened directly, with their expected headings. */
const pages: Readonly<Record<string, readonly Address[]>> = {
  registration: [
    { path: '/', heading: 'Elegí la forma de identificarte digitalmente' },
    { path: '/registro', heading: 'Registrate' },
    { path: '/registro/', heading: 'Registrate', note: 'trailing slash' },
    { path: '/%72egistro', heading: 'Registrate', note: 'percent-encoded' },
    { path: '/registro/exito', heading: 'Registrate', note: 'nothing was registered' },
    { path: '/registro/reenviar-link-activacion', heading: 'Pedí un nuevo correo de activación' },
    {
      path: '/registro/reenviar-link-activacion/exito',
      heading: 'Pedí un nuevo correo de activación',
      note: 'nothing was sent',
    },
  ],
  'activation and sign-in': [
    { path: '/registro/activar-cuenta', heading: problem, note: 'no uuid' },
    { path: '/registro/activar-cuenta/cuenta-activada', heading: problem, note: 'nothing was activated' },
    { path: '/registro/activar-cuenta/error', heading: problem },
    {
      path: '/registro/activar-cuenta?uuid=cualquiera',
      heading: 'Un último paso...',
      note: 'which the flow keeps from here on',
    },
    { path: '/login', heading: 'Iniciá sesión' },
    { path: '/login/?mensaje=Hola', heading: 'Iniciá sesión', note: 'with a message' },
    { path: '/seguridad', heading: 'Iniciá sesión', note: 'nobody is signed in' },
  ],
  errors: [
    { path: '/error', heading: wrong },
    { path: '/error?errorCode=DEFAULT_ERROR', heading: wrong },
    { path: '/error?errorCode=SERVER_ERROR', heading: wrong },
    { path: '/error?errorCode=OIDC_ERROR', heading: wrong },
    { path: '/error?errorCode=SAML_ERROR', heading: wrong },
    { path: '/error?errorCode=NOT_FOUND_ERROR', heading: lost },
    { path: '/error?errorCode=UNACTIVE_ACCOUNT', heading: 'No activaste tu cuenta' },
    { path: '/error?errorCode=UNREGISTERED_USER', heading: 'No estás registrado' },
    { path: '/error?errorCode=BLOCKED_ACCOUNT', heading: 'Tu cuenta esta bloqueada' },
    { path: '/error?errorCode=IDP_ERROR', heading: 'No pudimos identificarte' },
    { path: '/error?errorCode=%3Cscript%3E', heading: wrong, note: 'a made-up code' },
    { path: '/desconocido', heading: lost },
    { path: '/no-existe', heading: lost, status: 404 },
    { path: '/assets', heading: lost, status: 404, note: 'a folder of files' },
    { path: '/registro%2F..%2Flogin', heading: lost, status: 404, note: 'an encoded way up' },
  ],
};

for (const [what, addresses] of Object.entries(pages)) {
  test(`[RUTA-01 RUTA-02 RUTA-04 INI-12] the pages for ${what} show their heading and pass axe without scrolling sideways at both widths`, ({
    page,
    axe,
  }) => visitAll(page, axe, addresses));
}

/** Properties of a flow file that determine its paths. */
interface FlowFile {
  readonly access?: string;
  readonly context?: { readonly query?: readonly string[] };
  readonly states: Readonly<Record<string, { readonly path?: string; readonly access?: string }>>;
}

/** Variables in links of mails and in authorization requests. The test gives them values that were never issued. */
const linkVariables = ['uuid', 'token', 'videollamada', 'next', 'client_id', 'state'];

/** Routes of the citizens' flows. Each variable of `linkVariables` that a route reads has a value that was never issued. */
const routes = readdirSync(join(projectRoot, 'flows'))
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const {
      context = {},
      access: shared = 'anyone',
      states,
    } = JSON.parse(readFileSync(join(projectRoot, 'flows', file), 'utf8')) as FlowFile; // the cast is safe, because the compiler has validated the file
    const query = new URLSearchParams(
      linkVariables
        .filter((name) => context.query?.includes(name))
        .map((name): [string, string] => [name, 'desconocido']),
    );
    return Object.values(states).flatMap(({ path, access = shared }) =>
      path === undefined || path === '*'
        ? []
        : [
            {
              path: `${path.replace(':slug', sampleQuestionSlug)}${query.size === 0 ? '' : `?${query}`}`,
              access,
            },
          ],
    );
  })
  .filter(
    ({ path, access }) =>
      access !== 'agent' &&
      !Object.values(pages).some((list) => list.some((one) => one.path === path && one.note === undefined)),
  );

const open = routes.filter(({ access }) => access === 'anyone' || access === 'guest');
const own = routes.filter(({ access }) => access === 'citizen' || access === 'account');

test('[RUTA-01 RUTA-04 RUTA-05 RUTA-06 RUTA-07] the public addresses of the specification return 200, and /saml-index is not found without its flag', async ({
  page,
}) => {
  const addresses = [...new Set([...publicAddresses, ...open.map(({ path }) => path)])];
  for (const path of addresses) expect.soft((await page.request.get(encodeURI(path))).status(), path).toBe(200);
  expect((await page.request.get('/sending-saml-response')).status(), 'without a request').toBe(400);
  await page.goto('/saml-index');
  await expect(page.locator('[data-screen="no-encontrado"]'), 'without its flag').toBeVisible();
});

test('[RUTA-03 RUTA-07 RUTA-08 RUTA-09] the addresses for citizens redirect to the sign-in and back, and load the record of the citizen', async ({
  page,
}) => {
  const addresses = [...new Set([...citizenAddresses, ...own.map(({ path }) => path)])];
  for (const path of addresses) expect.soft((await page.request.get(encodeURI(path))).status(), path).toBe(200);
  // One route per kind of access is enough here, because `portal-roles.test.ts` proves that one guard protects all
  // routes.
  const visited = ['citizen', 'account', 'enrolment'].flatMap(
    (access) => routes.find((route) => route.access === access)?.path ?? [],
  );
  // Returns the `redirectUrl` from the history entry, to which the portal moves query variables of the URL.
  const wayBack = () =>
    page.evaluate(
      () => (history.state as { usr?: { variables?: { redirectUrl?: string } } } | null)?.usr?.variables?.redirectUrl,
    );
  for (const path of visited) {
    await page.goto(encodeURI(path));
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveText('Iniciá sesión');
    if (!path.includes('?')) await expect.poll(wayBack, path).toBe(path);
  }
  const records: string[] = [];
  page.on(
    'response',
    (response) =>
      void (/\/rest\/ciudadanos\/[\w-]+\/$/.test(response.url()) && response.ok() && records.push(response.url())),
  );
  await page.goto(encodeURI('/seguridad/contraseña?desde=aqui'));
  await signIn(page, activeSampleCitizen);
  await expect(page).toHaveURL((url) => decodeURI(url.pathname) === '/seguridad/contraseña');
  expect(records.length, 'the record of the citizen is loaded').toBeGreaterThan(0);
});

test('[INI-12] the public routes of every flow pass axe without scrolling sideways at both widths, signed out', ({
  page,
  axe,
}) => visitAll(page, axe, open, navigateInPortal));

test('[INI-12] the citizen routes of every flow pass axe without scrolling sideways at both widths, signed in', async ({
  page,
  axe,
  portal,
}) => {
  await openSignedIn(page, portal, activeSampleCitizen, '/');
  await visitAll(page, axe, own, navigateInPortal);
});

/**
 * Opens and tests each URL, by default with a full page load. If several URLs redirect to one page, it is
 * tested once.
 */
async function visitAll(page: Page, axe: Axe, addresses: readonly Address[], open = load): Promise<void> {
  test.setTimeout(20_000 + addresses.length * 10_000);
  const seen = new Set<string>();
  for (const address of addresses)
    await test.step(address.path, async () => {
      await open(page, address);
      await visit(page, axe, address, seen);
    });
}

async function load(page: Page, { path, status = 200 }: Address): Promise<void> {
  expect.soft((await page.goto(path))?.status(), path).toBe(status);
}

/**
 * Navigates within the open portal. Visits an unknown path first, so that the heading of the previous page is not
 * mistaken for the next one. Retries if the page loads a new document meanwhile.
 */
async function navigateInPortal(page: Page, { path }: Address): Promise<void> {
  if ((await page.locator('#root > *').count()) === 0) await page.goto('/login');
  const push = (address: string) => {
    document.querySelector('h1')?.setAttribute('data-before', '');
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  };
  await expect(async () => {
    await page.evaluate(push, '/desconocido');
    await expect(page.locator('h1')).toHaveText(lost);
    await page.evaluate(push, path);
    await expect(page.locator('h1:not([data-before])'), path).toHaveCount(1);
  }).toPass({ timeout: 30_000 });
}

/** Opens a path. Waits until the page, or the target of its redirect, is complete. */
async function visit(page: Page, axe: Axe, { path, heading }: Address, seen: Set<string>): Promise<void> {
  const title = page.getByRole('heading', { level: 1 });
  await expect(title, path).toHaveText(heading ?? /\S/);
  await expect(page.getByText('Cargando...'), path).toHaveCount(0);
  const shown = await page.locator('body').innerText();
  if (!seen.has(shown)) await expectAccessible(page, axe, await title.innerText());
  seen.add(shown);
}

test('[INI-12 LOG-03 REG-03 ACT-04] the screens from registration to the security page pass axe at both widths, with the errors of empty steps', async ({
  page,
  axe,
  mail,
}) => {
  test.slow();
  const person = createForeigner();
  await page.goto('/registro');
  const send = page.getByRole('button', { name: 'Continuar' });
  for (const [step, heading] of registrationHeadings) {
    await send.click({ force: true });
    await expectAccessible(page, axe, heading);
    await registrationSteps[step](page, person);
    await send.click();
  }
  await expectAccessible(page, axe, 'Tu usuario fue creado correctamente');
  await page.goto('/registro/reenviar-link-activacion');
  await fillDocument(page, person);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Reenviar' }).click();
  await expectAccessible(page, axe, 'Revisá tu correo electrónico');
  await page.goto(findLink(await mail(person.email), 'uuid='));
  await page.getByRole('button', { name: 'Activar cuenta' }).click();
  await expectAccessible(page, axe, 'Tu cuenta fue activada');
  await page.getByRole('button', { name: 'Empezar' }).click();
  await chooseForeignDocument(page);
  await expectAccessible(page, axe, 'Iniciá sesión con documento extranjero');
  await page.goto('/login');
  await completeDocumentStep(page, person);
  await expectAccessible(page, axe, 'Ingresá tu contraseña');
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expectAccessible(page, axe, 'Activá el doble factor de autenticación');
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expectAccessible(page, axe, `Hola, ${person.firstName}`);
  await page.getByRole('link', { name: 'Seguridad' }).click();
  await expectAccessible(page, axe, 'Seguridad');
});

test('[RUTA-01] an address with invalid percent-encoding returns 400 and a page with a link to the home page', async ({
  page,
}) => {
  const response = await page.goto('/%E0%A4%A');
  expect(response?.status()).toBe(400);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Volver al inicio' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elegí la forma de identificarte digitalmente');
});

test('[INI-02] each navigation inside the portal moves the focus to the new heading and updates the title', async ({
  page,
  portal,
}) => {
  const heading = page.getByRole('heading', { level: 1 });
  const arrives = async (text: string): Promise<void> => {
    await expect(heading).toHaveText(text);
    await expect.soft(heading, text).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(text.replace(/[?.]/g, '\\$&')));
  };
  await page.goto('/registro');
  await expect(heading).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' }).click();
  await arrives('Iniciá sesión');
  await chooseForeignDocument(page);
  await arrives('Iniciá sesión con documento extranjero');
  await page.getByRole('banner').getByRole('link', { name: 'Registrate' }).click();
  await arrives('Registrate');
  await page.getByRole('link', { name: 'Pedir un nuevo correo de activación' }).click();
  await arrives('Pedí un nuevo correo de activación');
  await page.goBack();
  await arrives('Registrate');
  await page.getByRole('banner').getByRole('link', { name: 'Usuario digital' }).click();
  await arrives('Elegí la forma de identificarte digitalmente');
  await openSignedIn(page, portal, activeSampleCitizen, '/');
  await page.getByRole('link', { name: 'Seguridad' }).click();
  await arrives('Seguridad');
});

test('[REG-01 REG-02] the registration can be completed with the keyboard, with a visible focus', async ({ page }) => {
  const person = createForeigner();
  await page.goto('/registro');
  await expect(page.getByLabel('Número de documento')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused();
  await page.keyboard.press('Enter');
  await type(page.getByLabel('País emisor del documento'), 'Argentina');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('dni');
  await type(page.getByLabel('Número de documento'), `${person.document}\n`);
  await type(page.getByLabel('Primer nombre'), person.firstName);
  await expect(page.getByLabel('Primer nombre'), 'the focus is visible').toHaveCSS('outline-style', 'solid');
  await type(page.getByLabel('Primer apellido'), `${person.surname}\n`);
  await type(page.getByLabel('Correo electrónico', { exact: true }), person.email);
  await type(page.getByLabel('Repetir correo electrónico'), `${person.email}\n`);
  await type(page.getByLabel(/Acepto los términos/), ' ');
  await type(page.getByRole('button', { name: 'Continuar' }), '\n');
  await type(page.getByLabel('Contraseña', { exact: true }), person.password);
  await type(page.getByLabel('Repetir contraseña'), person.password);
  await type(page.getByLabel('No soy un robot'), ' ');
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await type(page.getByRole('button', { name: 'Continuar' }), '\n');
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeFocused();
});

/** Expects one heading, a language, a title, no axe violations and no horizontal scrolling. */
async function expectAccessible(page: Page, axe: Axe, heading: string): Promise<void> {
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText(heading);
  await expect(page).toHaveTitle(new RegExp(heading.replace(/[?.]/g, '\\$&')));
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await axe(), `${heading} at ${width}`).toEqual([]);
    expect
      .soft(await page.evaluate(() => document.documentElement.scrollWidth), `${heading} at ${width}`)
      .toBeLessThanOrEqual(width);
  }
  expect.soft(await listCloseLinks(page), `${heading}: links below each other`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
}

/**
 * Lists links and buttons that fill a line of a list and start less than 44 px below the previous one, so that a thumb
 * could hit both.
 */
function listCloseLinks(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('ul, ol')].flatMap((list) => {
      const shown = [...list.querySelectorAll(':scope > li > a, :scope > li > button')]
        .filter((link) => link.textContent.trim() === link.parentElement?.textContent.trim())
        .map((link) => ({ text: link.textContent, box: link.getBoundingClientRect() }))
        .filter(({ box }) => box.height > 0);
      return shown.flatMap(({ text, box }, index) => {
        const before = shown[index - 1]?.box;
        const middle = (one: DOMRect): number => (one.top + one.bottom) / 2;
        const apart = before === undefined ? 0 : middle(box) - middle(before);
        return apart > 8 && apart < 44 ? [`${text}: ${Math.round(apart)} px`] : [];
      });
    }),
  );
}
