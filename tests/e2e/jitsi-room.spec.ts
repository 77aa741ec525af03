import type { Page, Route } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { skewClock } from './support/clock.ts';
import { expect, test } from './support/fixtures.ts';
import { nonDefaultSettings } from './support/other-settings.ts';
import { createForeigner } from './support/registration.ts';

const meet = nonDefaultSettings['JITSI_URL'];

test.use({ settings: nonDefaultSettings });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const entrance = { link: `${meet}/videollamada-x`, jwt: null, abre: null };

for (const hours of [-5, 5])
  test(`[ELEV-05 ELEV-07] the Jitsi entry opens by the clock of the server, focuses Entrar and announces it (device ${hours} h off)`, async ({
    page,
    portal,
    axe,
  }) => {
    const citizen = createForeigner();
    await createAccount(portal, citizen);
    await skewClock(page, hours * 3_600_000);
    await openSignedIn(page, portal, citizen, '/seguridad');
    await expect(heading(page)).toHaveText('Seguridad');
    // at first, the room opens in an hour; later the test assigns an open room
    let entry: object = { link: null, jwt: null, abre: new Date(Date.now() + 3_600_000).toISOString() };
    await page.route('**/rest/ciudadanos/*/', async (route: Route) => {
      const response = await route.fetch();
      const record = (await response.json()) as object;
      const call = {
        id: 'x',
        estado: 'Agendado',
        fecha: '2030-12-02',
        hora_inicio: '09:00:00',
        minutos: 20,
        sala: false,
      };
      await route.fulfill({ json: { ...record, info_tramite_videollamada_pendiente: { ...call, ...entry } } });
    });
    const look = page.getByRole('button', { name: 'Ver si ya abrió' });
    const way = page.getByRole('button', { name: 'Entrar' });
    const told = page.getByRole('status').filter({ hasText: 'La sala ya está abierta' });

    await page.goto('/ingresar-videollamada');
    await look.press('Enter');
    await expect(page.getByText('La sala todavía no está abierta.')).toBeVisible();
    await expect(look).toBeFocused();
    entry = entrance;
    await look.press('Enter');
    await expect(way, 'focus after pressing the button').toBeFocused();
    await expect(told).toBeVisible();
    expect(await axe()).toEqual([]);

    entry = { ...entrance, link: null, abre: new Date(Date.now() + 6_000).toISOString() };
    await page.reload();
    await look.focus();
    entry = entrance;
    await expect(way, 'focus after the room has opened').toBeFocused();
    await expect(told).toBeVisible();

    await page.route(`${meet}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Jitsi</h1>' }));
    await way.press('Enter');
    await expect(heading(page)).toHaveText('Jitsi');
  });
