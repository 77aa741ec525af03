import { expect, withOwnPortal } from './support/fixtures.ts';
import { startOriginProxy, getProxyOrigin } from './support/origin-proxy.ts';
import { startPortal } from './support/portal.ts';
import { activeSampleCitizen, signIn } from './support/registration.ts';

/** Test with a portal whose two hosts have separate origins. */
const test = withOwnPortal(async () => {
  let port = 0;
  const doors = [await startOriginProxy(() => port), await startOriginProxy(() => port)] as const;
  const hosts = { backend: getProxyOrigin(doors[0]), broker: getProxyOrigin(doors[1]) };
  const portal = await startPortal({ BACKEND_URL: hosts.backend, BROKER_URL: hosts.broker });
  port = Number(new URL(portal.url).port);
  const close = async () => {
    for (const door of doors) door.close();
  };
  return { hosts, portal, close };
});

test('[SES-03] the portal calls backend and broker at their configured origins, and clears its storage if the session ended', async ({
  page,
  own: { hosts },
  context,
}) => {
  const calls: { origin: string; path: string; bearer: boolean }[] = [];
  page.on('request', (request) => {
    const { origin, pathname: path } = new URL(request.url());
    if (request.method() !== 'OPTIONS' && ['xhr', 'fetch'].includes(request.resourceType()))
      calls.push({ origin, path, bearer: request.headers()['authorization']?.startsWith('Bearer ') ?? false });
  });
  await page.goto('/login?redirectUrl=/seguridad');
  await signIn(page, activeSampleCitizen);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seguridad');
  const of = (path: RegExp) => calls.filter((call) => path.test(call.path));
  expect(of(/^\/auth\/login$/).map(({ origin }) => origin)).toEqual([hosts.broker, hosts.broker]);
  expect(of(/^\/jwt\/obtain\/$/).map(({ origin, bearer }) => [origin, bearer])).toEqual([[hosts.broker, false]]);
  expect(new Set(of(/^\/rest\//).map(({ origin, bearer }) => `${origin} ${bearer}`))).toEqual(
    new Set([`${hosts.backend} true`]),
  );
  await context.clearCookies();
  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elegí la forma de identificarte digitalmente');
  expect(await page.evaluate(() => localStorage.getItem('portal'))).toBeNull();
});
