import type { FormCheckResult, LiveDefinitions, ServedDefinitions } from '../../../src/engine/compiler/definitions.ts';
import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import type { ValuesByName } from '../../../src/engine/core/json.ts';
import type { ServerStartOptions } from '../../../src/server/app/start-server.ts';

/** Validates the values of a screen. Returns its errors. */
export type FakeCheck = (screen: string, values: ValuesByName) => FormCheckResult['errors'];

/** Creates definitions whose validation is a function of the test. */
export function createFakeDefinitions(check: FakeCheck = () => ({})): ServedDefinitions {
  const unused = (): never => {
    throw new Error('the server asks for this in the HTTP layer only');
  };
  return {
    version: '1',
    languages: ['es', 'pt'],
    screens: new Set(),
    flows: {},
    descriptions: {},
    modules: [],
    findings: [],
    manifest: unused,
    schema: () => null,
    ui: unused,
    screen: unused,
    screenVersion: unused,
    listScreensSentWithOperation: () => [],
    formatAnswers: () => [],
    plugins: unused,
    savedJourney: () => null,
    listSavedFlowsEndedByOperation: () => [],
    check: (screen, values) => ({ data: values, errors: check(String(screen), values) }),
  };
}

/** Wraps definitions that never change. */
export function createUnchangingDefinitions(current: ServedDefinitions): LiveDefinitions {
  return {
    current,
    problems: [],
    module: () => undefined,
    cache: new DefinitionLoadCache(),
    onChange: () => () => undefined,
    setPreparation: () => undefined,
    close: async () => undefined,
  };
}

/** Definitions of a listening server, with one page. */
export const fakeDefinitions: ServedDefinitions = {
  ...createFakeDefinitions(),
  manifest: () => ({
    version: '1',
    languages: ['es', 'pt'],
    screens: {},
    flows: { salida: '/definitions/x.js' },
    routes: [
      { path: '/logout-process', flow: 'salida', state: 'salir', block: 'logout', access: 'anyone', chrome: 'none' },
    ],
  }),
};

/** Files of a server whose test reads no definitions and no content. */
export const fakeFiles: ServerStartOptions['files'] = {
  definitions: createUnchangingDefinitions(fakeDefinitions),
  content: { current: {}, problems: [], onChange: () => () => undefined, close: async () => undefined },
};
