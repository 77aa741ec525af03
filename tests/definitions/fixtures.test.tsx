// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiContract, type ApiOperation } from '../../src/contract/contract.ts';
import type { ServedDefinitions } from '../../src/engine/compiler/definitions.ts';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { startFakeServer, type FakeServer } from '../server/support/fake-server.ts';
import {
  getScreenCasesPath,
  getScreenSnapshotPath,
  unresolvedValuePattern,
} from '../../src/cli/definitions/cases/screen-cases.ts';
import { readScreenFixtures, screens, screensWithFixtures } from './support/fixtures.ts';
import { drawSnapshot, loadSource } from './support/draw-screen.tsx';
import { productDefinitions } from './support/product-definitions.ts';

let definitions: ServedDefinitions;
let server: FakeServer;
let facts: ValuesByName = {};

beforeAll(async () => {
  definitions = await productDefinitions;
  server = await startFakeServer({
    check: (screen, values, { language }) => definitions.check(screen, values, { language, context: facts }),
  });
});
afterEach(cleanup);

/** Loads a screen as the browser does, with rules from the portal's glob import. */
async function loadInBrowser(screen: string, language = 'es'): Promise<LoadedScreen> {
  const url = definitions.manifest(language).screens[screen]?.url;
  const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
  return loadSource(source);
}

const posts = (Object.entries(apiContract) as [string, ApiOperation][]).filter(
  ([, call]) => call.method === 'POST' && call.screen !== undefined && call.roles.some((role) => role === 'anonymous'),
);

test('[QA-01] every fixture file belongs to an existing screen', () => {
  expect(screensWithFixtures.filter((name) => !screens.includes(name))).toEqual([]);
});

describe.each(screens)('[QA-01 ENG-01] screen %s', (screen) => {
  const { cases, context: shared } = readScreenFixtures(screen);

  test('has fixtures, both valid and invalid ones if it has fields', () => {
    expect(cases.length, `add tests/fixtures/${screen}.json`).toBeGreaterThan(0);
    if (definitions.schema(screen) === null) return;
    expect(
      cases.some(({ errors }) => Object.keys(errors).length === 0),
      'at least one valid case',
    ).toBe(true);
    expect(
      cases.some(({ errors }) => Object.keys(errors).length > 0),
      'at least one invalid case',
    ).toBe(true);
  });

  test.each(cases)('[VAL-09] $name passes in browser and server', async ({ name, data, context, errors }) => {
    const place = `${getScreenCasesPath(screen)}, case "${name}"`;
    const loaded = await loadInBrowser(screen);
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

  test('[EST-04 QA-03] matches its snapshot: empty, with errors, with each conditional part, and in Portuguese', async () => {
    const drawn = await drawSnapshot(await loadInBrowser(screen), await loadInBrowser(screen, 'pt'), shared);
    const file = getScreenSnapshotPath(screen);
    expect(drawn, file).not.toMatch(unresolvedValuePattern);
    await expect(
      drawn,
      `${file}: if the screen is right, accept it with npm run check -- ${screen} --accept`,
    ).toMatchFileSnapshot(`../../${file}`);
  });
});
