// @vitest-environment happy-dom
import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contract, type Operation } from '../../src/contract/contract.ts';
import type { Definitions } from '../../src/engine/compiler/definitions.ts';
import type { Values } from '../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../src/portal/navigation/load-screen.ts';
import { fakeServer, type FakeServer } from '../server/support/http-fakes.ts';
import { casesFile } from '../../src/cli/definitions/cases.ts';
import { draw, settle } from './support/draw.tsx';
import { fixturesOf, screens, withFixtures } from './support/fixtures.ts';
import { outline, wordsOf } from './support/html.ts';
import { outlineOfParts } from './support/parts.tsx';
import { productDefinitions } from './support/product-definitions.ts';

let definitions: Definitions;
let server: FakeServer;
let facts: Values = {};

beforeAll(async () => {
  definitions = await productDefinitions;
  server = await fakeServer({
    check: (screen, values, { language }) => definitions.check(screen, values, { language, context: facts }),
  });
});
afterEach(cleanup);

/** The screen as the browser loads it: the module's own text, the rules by the portal's glob. */
async function inBrowser(screen: string, language = 'es'): Promise<LoadedScreen> {
  const url = definitions.manifest(language).screens[screen]?.url;
  const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
  return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

/** What to do where a picture differs, said with the difference. */
const wayOut = (screen: string, file: string) =>
  `tests/fixtures/${screen}/${file}: where the screen is right, npm run test:update -- ${screen} takes it over`;

/** What no text says: a placeholder without a value, or a value that is none. A picture with one would be taken over with the mistake in it. */
const unread = /\{\w+\}|\bundefined\b|\bNaN\b|\[object |Invalid Date/;

async function expectAsBefore(drawn: string, screen: string, file: string): Promise<void> {
  expect(drawn, `tests/fixtures/${screen}/${file}`).not.toMatch(unread);
  await expect(drawn, wayOut(screen, file)).toMatchFileSnapshot(`../fixtures/${screen}/${file}`);
}

const posts = (Object.entries(contract) as [string, Operation][]).filter(
  ([, call]) => call.method === 'POST' && call.screen !== undefined && call.roles.some((role) => role === 'anonymous'),
);

test('[QA-01] no fixtures are left of a screen that is gone', () => {
  expect(withFixtures.filter((name) => !screens.includes(name))).toEqual([]);
});

describe.each(screens)('[QA-01 ENG-01] %s', (screen) => {
  const { cases, context: shared } = fixturesOf(screen);

  test('has fixtures, right and wrong ones where it has fields', () => {
    expect(cases.length, `add tests/fixtures/${screen}.json`).toBeGreaterThan(0);
    if (definitions.schema(screen) === null) return;
    expect(
      cases.some(({ errors }) => Object.keys(errors).length === 0),
      'a right one',
    ).toBe(true);
    expect(
      cases.some(({ errors }) => Object.keys(errors).length > 0),
      'a wrong one',
    ).toBe(true);
  });

  test.each(cases)('[VAL-09] $name: browser and server say the same', async ({ name, data, context, errors }) => {
    const place = `${casesFile(screen)}, case "${name}"`;
    const loaded = await inBrowser(screen);
    const draft = loaded.open(data, context);
    draft?.submit();
    expect(Object.fromEntries(draft?.errors ?? []) as unknown, `${place}: the browser`).toEqual(
      Object.fromEntries(Object.entries(errors).filter(([name]) => draft?.field(name) !== undefined)),
    );
    expect(definitions.check(screen, data, { language: 'es', context }).errors, `${place}: the server`).toEqual(errors);
    for (const [, call] of posts.filter(([, { screen: own }]) => own === screen)) {
      facts = context;
      const answer = await server.http.inject({ method: 'POST', url: call.path, payload: data });
      const wrong = Object.keys(errors).length > 0;
      expect(answer.statusCode, `${place}: ${call.path}: ${answer.body}`).toBe(wrong ? 400 : 200);
      if (wrong)
        expect(answer.json()).toMatchObject({ field: Object.keys(errors)[0], error: Object.values(errors)[0], errors });
    }
  });

  test('is drawn as before: empty, and with its errors', async () => {
    const loaded = await inBrowser(screen);
    const draft = loaded.open({}, shared);
    const { container } = await draw(loaded, draft, shared);
    await expectAsBefore(outline(container), screen, 'empty.txt');
    if (!draft) return;
    act(() => void draft.submit());
    await settle();
    await expectAsBefore(outline(container), screen, 'errors.txt');
  });

  test('[EST-04] what stands there sometimes is drawn as before: each part under a condition, each heading and notice', async () => {
    const drawn = await outlineOfParts(await inBrowser(screen), shared);
    await expectAsBefore(drawn, screen, 'parts.txt');
  });

  test('[QA-03] its words in Portuguese are as before, those of its errors too', async () => {
    const loaded = await inBrowser(screen, 'pt');
    const drawn = await outlineOfParts(loaded, shared);
    const draft = loaded.open({}, shared);
    draft?.submit();
    const errors = (draft?.errors ?? []).map(([, message]) => message);
    const words = wordsOf([drawn, ...errors].join('\n'));
    await expectAsBefore(words, screen, 'pt.txt');
  });
});
