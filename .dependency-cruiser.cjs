/** The table of rooms: who may import whom. Tests may import everything. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const test = '[.]test[.]tsx?$';
/** Files of a plugin that are neither its rule nor its widget. */
const shared = '^plugins/[^/]+/(?!rule[.]ts$|widget[.]tsx$)[^/]+[.]tsx?$';
const room = (path) => ({ path, pathNot: test });

/** The doors of the server, from the lowest: tools; who is who; what citizens and agents come for; the wire; what puts all together. */
const serverRooms = ['platform', 'trust', 'features', 'web', 'app'];

/** Of the compiler: what a file is and where it is wrong; the published formats; the files of a set; screens; flows; what they share; words of JSON Schema that are said in others; the checks; and what asks of a whole set. */
const compilerRooms = [
  'sources',
  'formats',
  'files',
  'screen',
  'flow',
  'shared',
  'json-schema',
  'check',
  'explore',
  'lint',
  'compare',
  'mutate',
];

const portalRooms = ['session', 'navigation', 'shell', 'overview', 'blocks', 'prerender'];

/** A room imports, of the rooms beside it, those that stand before it in their list. */
const ordered = (house, rooms) =>
  rooms.map((name, rank) =>
    forbid(
      `${house.replace(/^src\/(engine\/)?/, '')}-${name.replace('/', '-')}`,
      room(`^${house}/${name}/`),
      { path: `^${house}/[^/]+/`, pathNot: rooms.slice(0, rank + 1).map((lower) => `^${house}/${lower}/`) },
      'A room imports the rooms that stand before it in the list.',
    ),
  );
/** Every folder of a house stands in the list of its rooms. */
const housed = (house, rooms) =>
  forbid(
    `${house.replace(/^src\/(engine\/)?/, '')}-has-rooms`,
    { path: '^src/' },
    { path: `^${house}/[^/]+/`, pathNot: rooms.map((name) => `^${house}/${name}/`) },
    'Every folder stands in the list of rooms.',
  );

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'Two files that need each other are one, or three.'),
    forbid(
      'no-tests-in-product',
      { pathNot: [test, '^tests/'] },
      { path: [test, '^tests/'] },
      'Tests import the product, never the other way.',
    ),
    forbid(
      'core-stands-alone',
      room('^src/engine/core/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/core/' },
      'engine/core imports nothing of ours.',
    ),
    forbid(
      'core-is-isomorphic',
      room('^src/engine/core/'),
      { dependencyTypes: ['core'] },
      'engine/core runs in the browser.',
    ),
    forbid(
      'engine-runtime',
      room('^src/engine/runtime/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime)/' },
      'engine/runtime imports engine/core.',
    ),
    forbid(
      'engine-runtime-is-headless',
      room('^src/engine/runtime/'),
      { path: 'node_modules/(react|react-dom|react-router|react-router-dom|@rjsf|@fluentui)/' },
      'engine/runtime runs without a view.',
    ),
    forbid(
      'engine-react',
      room('^src/engine/react/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react)/' },
      'engine/react imports engine/core and engine/runtime.',
    ),
    forbid(
      'engine-react-rooms',
      { path: '^src/engine/react/(?!flow/)', pathNot: test },
      { path: '^src/engine/react/flow/' },
      'A flow is drawn by its screens, and these by their fields: never the other way.',
    ),
    forbid(
      'engine-react-ground',
      { path: '^src/engine/react/[^/]+$', pathNot: test },
      { path: '^src/engine/react/[^/]+/' },
      'What both rooms of engine/react share stands beneath them.',
    ),
    forbid(
      'engine-facade',
      { path: '^src/engine/index[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime)/' },
      'The façade gives the engine without a view.',
    ),
    forbid(
      'engine-react-facade',
      { path: '^src/engine/react[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react)/' },
      'This façade gives what draws it.',
    ),
    forbid(
      'engine-compile',
      { path: '^src/engine/compile[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|compiler)/' },
      'The façade of the compiler runs in Node.',
    ),
    forbid(
      'engine-stands-alone',
      { path: '^src/engine/', pathNot: test },
      { path: '^(src|plugins)/', pathNot: ['^src/engine/', '^plugins/[^/]+/rule[.]ts$'] },
      'The engine knows no portal.',
    ),
    forbid(
      'engine-fluent',
      room('^src/engine/fluent/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react|fluent)/' },
      'engine/fluent imports the rest of the engine that a browser holds.',
    ),
    forbid(
      'fluent-in-one-room',
      { path: '^(src|plugins)/', pathNot: '^src/(engine/fluent|desk|studio)/' },
      { path: 'node_modules/@fluentui/' },
      'Fluent is one look of forms: another takes the place of engine/fluent. Widgets of plugins draw with its controls.ts. The desk and the studio, which no citizen loads, draw with all of Fluent.',
    ),
    forbid(
      'engine-has-no-router',
      room('^src/engine/'),
      { path: 'node_modules/(react-router|react-router-dom)/' },
      'A portal tells the engine where its browser is.',
    ),
    forbid(
      'engine-compiler',
      room('^src/engine/compiler/'),
      { path: '^(src|plugins)/', pathNot: ['^src/engine/(core|compiler)/', '^plugins/[^/]+/rule[.]ts$'] },
      'engine/compiler imports engine/core and the rules of plugins.',
    ),
    forbid(
      'plugin-rule',
      room('^plugins/([^/]+)/.+[.]ts$'),
      {
        path: '^(src|plugins)/',
        pathNot: [
          '^src/engine/core/',
          '^src/contract/(calendar-entry|document|constants|written/(country|dates|document-type))[.]ts$',
          '^plugins/$1/',
          shared,
        ],
      },
      'A rule knows engine/core, the written form of dates, documents and countries, its own folder, and what other plugins share.',
    ),
    forbid(
      'plugin-widget',
      room('^plugins/([^/]+)/.+[.]tsx$'),
      {
        path: '^(src|plugins)/',
        pathNot: ['^src/engine/(core|react|fluent)/', '^src/contract/written/dates[.]ts$', '^plugins/$1/', shared],
      },
      'A widget knows the engine, written dates, its own folder, and what other plugins share.',
    ),
    forbid(
      'contract',
      room('^src/contract/'),
      { path: '^(src|plugins)/', pathNot: ['^src/contract/', '^src/engine/core/'] },
      'contract imports nothing of ours but types of engine/core.',
    ),
    forbid(
      'contract-takes-types',
      room('^src/contract/'),
      { path: '^src/engine/core/', pathNot: '^src/engine/core/json[.]ts$', dependencyTypesNot: ['type-only'] },
      'contract imports types of engine/core, and its guard of JSON objects.',
    ),
    forbid(
      'domain',
      room('^src/domain/'),
      { path: '^(src|plugins)/', pathNot: '^src/(domain|contract|engine/core)/' },
      'domain imports engine/core and contract.',
    ),
    forbid(
      'portal',
      room('^src/portal/'),
      { path: '^src/(desk|server|cli|studio|playground|engine/compiler)/|^src/engine/compile[.]ts$' },
      'A citizen’s browser never holds the desk, the server, the compiler, or what development alone sees.',
    ),
    forbid(
      'desk',
      room('^src/desk/'),
      { path: '^src/(server|cli|studio|playground|engine/compiler)/|^src/engine/compile[.]ts$' },
      'The desk is drawn in the browser, with the parts of the portal.',
    ),
    forbid(
      'video-room',
      room('^src/video-room/'),
      { path: '^(src|plugins)/', pathNot: '^src/(video-room|contract|engine/core)/' },
      'The room of a call knows the contract, and neither the portal nor the desk, which both show it.',
    ),
    forbid(
      'studio',
      room('^src/studio/(?!server/)'),
      { path: '^src/(server|cli|engine/compiler|studio/server)/' },
      'What development sees is drawn in the browser, with the parts of the portal.',
    ),
    forbid(
      'playground',
      room('^src/playground/'),
      { path: '^src/(desk|server|cli|studio/server)/' },
      'The playground is a page without a server: it holds the compiler.',
    ),
    forbid(
      'studio-server',
      room('^src/studio/server/'),
      { path: '^src/(portal|desk|cli)/|[.]tsx$', pathNot: '^src/cli/(project[.]ts$|definitions/)' },
      'The server half of the studio draws nothing. It shares files of cases and walks with the commands of definitions.',
    ),
    forbid(
      'studio-server-door',
      { path: '^(src|plugins)/', pathNot: ['^src/studio/server/', '^src/cli/dev[.]ts$'] },
      { path: '^src/studio/server/' },
      'Only the command of development starts the server half of the studio.',
    ),
    forbid(
      'server',
      room('^src/server/'),
      {
        path: '^(src|plugins)/',
        pathNot: [
          '^src/(server|contract|engine/(core|compiler))/',
          '^src/brand/[^/]+[.]json$',
          '^plugins/[^/]+/rule[.]ts$',
        ],
      },
      'server imports engine/core, engine/compiler, the rules of plugins, contract, and the words of the brand.',
    ),
    forbid(
      'demo',
      { path: '^(src|plugins)/', pathNot: '^src/demo/' },
      { path: '^src/demo/' },
      'The image holds no demo party.',
    ),
    ...[
      ['src/server', serverRooms],
      ['src/engine/compiler', compilerRooms],
      ['src/portal', portalRooms],
    ].flatMap(([house, rooms]) => [...ordered(house, rooms), housed(house, rooms)]),
    {
      name: 'server-folders-have-an-order',
      severity: 'error',
      scope: 'folder',
      comment: 'Two folders of the server that need each other are one, or three.',
      from: { path: '^src/server/' },
      to: { circular: true },
    },
    forbid(
      'compiler-ground',
      { path: '^src/engine/compiler/(sources|formats|files|screen|flow|shared|json-schema|check)/', pathNot: test },
      { path: '^src/engine/compiler/[^/]+$', pathNot: '^src/engine/compiler/(definitions|ir|localized)[.]ts$' },
      'What puts a set together stands above the rooms that read and check it.',
    ),
    forbid(
      'no-orphans',
      {
        orphan: true,
        path: '^src/',
        pathNot: [
          test,
          '[.]d[.]ts$',
          '^src/cli/',
          '^src/(portal|desk)/blocks/',
          '^src/server/web/pages/first-script/first-script[.]js$', // read as text
          '^src/playground/stand-ins/',
        ],
      },
      {},
      'Nobody imports this file.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
