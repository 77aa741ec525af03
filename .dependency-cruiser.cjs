/** Layers: allowed imports between modules. Tests may import everything. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const test = '[.]test[.]tsx?$';
/** Files of a plugin besides its rule and its widget. Other plugins may import them. */
const shared = '^plugins/[^/]+/(?!rule[.]ts$|widget[.]tsx$)[^/]+[.]tsx?$';
/** Files of the contract that plugins may import. */
const plain = '^src/contract/(calendar-file|document-number|constants|format/(country-name|dates|document-type))[.]ts$';
const sources = (path) => ({ path, pathNot: test });

/** Layers of the server, from the lowest: infrastructure; identity and sessions; capabilities; HTTP; assembly. */
const serverLayers = ['platform', 'trust', 'features', 'web', 'app'];

/** Layers of the compiler, from the lowest: parsed sources with positions; published formats; files of a set; screens; flows; shared code; keywords of JSON Schema; checks; and tools that need a whole set. */
const compilerLayers = [
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

const portalLayers = ['session', 'navigation', 'shell', 'overview', 'blocks', 'prerender'];

/** Each layer may import only layers before it in the list. */
const ordered = (folder, layers) =>
  layers.map((name, rank) =>
    forbid(
      `${folder.replace(/^src\/(engine\/)?/, '')}-${name.replace('/', '-')}`,
      sources(`^${folder}/${name}/`),
      { path: `^${folder}/[^/]+/`, pathNot: layers.slice(0, rank + 1).map((lower) => `^${folder}/${lower}/`) },
      'A layer imports only layers before it in the list.',
    ),
  );
/** Each subfolder must be in the list of layers. */
const complete = (folder, layers) =>
  forbid(
    `${folder.replace(/^src\/(engine\/)?/, '')}-layers-are-complete`,
    { path: '^src/' },
    { path: `^${folder}/[^/]+/`, pathNot: layers.map((name) => `^${folder}/${name}/`) },
    'Add the folder to the list of layers.',
  );

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'Join the files, or move their shared part into a third one.'),
    forbid(
      'no-tests-in-product',
      { pathNot: [test, '^tests/'] },
      { path: [test, '^tests/'] },
      'The product must not import tests.',
    ),
    forbid(
      'core-is-self-contained',
      sources('^src/engine/core/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/core/' },
      'engine/core imports no other module of the project.',
    ),
    forbid(
      'core-is-isomorphic',
      sources('^src/engine/core/'),
      { dependencyTypes: ['core'] },
      'engine/core runs in the browser.',
    ),
    forbid(
      'engine-runtime',
      sources('^src/engine/runtime/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime)/' },
      'engine/runtime imports engine/core.',
    ),
    forbid(
      'engine-runtime-is-headless',
      sources('^src/engine/runtime/'),
      { path: 'node_modules/(react|react-dom|react-router|react-router-dom|@rjsf|@fluentui)/' },
      'engine/runtime has no view.',
    ),
    forbid(
      'engine-react',
      sources('^src/engine/react/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react)/' },
      'engine/react imports engine/core and engine/runtime.',
    ),
    forbid(
      'engine-react-layers',
      { path: '^src/engine/react/(?!flow/)', pathNot: test },
      { path: '^src/engine/react/flow/' },
      'Components of flows import those of screens, and these those of fields; never the reverse.',
    ),
    forbid(
      'engine-react-base',
      { path: '^src/engine/react/[^/]+$', pathNot: test },
      { path: '^src/engine/react/[^/]+/' },
      'Files shared by the folders of engine/react are directly in it, and import none of these folders.',
    ),
    forbid(
      'engine-facade',
      { path: '^src/engine/index[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime)/' },
      'This entry point exports the engine without a view.',
    ),
    forbid(
      'engine-react-facade',
      { path: '^src/engine/react[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react)/' },
      'This entry point exports the React view.',
    ),
    forbid(
      'engine-compile',
      { path: '^src/engine/compile[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|compiler|map)/' },
      'This entry point exports the compiler and the maps of flows, and runs in Node.js.',
    ),
    forbid(
      'engine-map',
      sources('^src/engine/map/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|compiler|map)/' },
      'engine/map imports engine/core and engine/compiler.',
    ),
    forbid(
      'engine-map-runs-in-the-browser',
      { path: '^src/engine/map/(flow-layout|transition-branches)[.]ts$' },
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|map)/' },
      'The studio lays out flows in the browser.',
    ),
    forbid(
      'engine-is-self-contained',
      { path: '^src/engine/', pathNot: test },
      { path: '^(src|plugins)/', pathNot: ['^src/engine/', '^plugins/[^/]+/rule[.]ts$'] },
      'The engine must not depend on the portal.',
    ),
    forbid(
      'engine-fluent',
      sources('^src/engine/fluent/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|runtime|react|fluent)/' },
      'engine/fluent imports the parts of the engine that run in the browser.',
    ),
    forbid(
      'fluent-in-one-module',
      { path: '^(src|plugins)/', pathNot: '^src/(engine/fluent|desk|studio)/' },
      { path: 'node_modules/@fluentui/' },
      'Forms use Fluent only through engine/fluent, so that another theme can replace it. Widgets of plugins use its controls.ts. The desk and the studio, which citizens never load, may use all of Fluent.',
    ),
    forbid(
      'engine-has-no-router',
      sources('^src/engine/'),
      { path: 'node_modules/(react-router|react-router-dom)/' },
      'The portal passes the current location to the engine.',
    ),
    forbid(
      'engine-compiler',
      sources('^src/engine/compiler/'),
      { path: '^(src|plugins)/', pathNot: ['^src/engine/(core|compiler)/', '^plugins/[^/]+/rule[.]ts$'] },
      'engine/compiler imports engine/core and the rules of plugins.',
    ),
    forbid(
      'plugin-rule',
      sources('^plugins/([^/]+)/.+[.]ts$'),
      {
        path: '^(src|plugins)/',
        pathNot: ['^src/engine/core/', plain, '^plugins/$1/', shared],
      },
      'A rule imports engine/core, the formats of dates, documents and countries, its own folder, and shared files of other plugins.',
    ),
    forbid(
      'plugin-widget',
      sources('^plugins/([^/]+)/.+[.]tsx$'),
      {
        path: '^(src|plugins)/',
        pathNot: ['^src/engine/(core|react|fluent)/', plain, '^plugins/$1/', shared],
      },
      'A widget imports the engine, the formats of dates, documents and countries, its own folder, and shared files of other plugins.',
    ),
    forbid(
      'contract',
      sources('^src/contract/'),
      { path: '^(src|plugins)/', pathNot: ['^src/contract/', '^src/engine/core/'] },
      'contract imports only types of engine/core.',
    ),
    forbid(
      'contract-takes-types',
      sources('^src/contract/'),
      {
        path: '^src/engine/core/',
        pathNot: '^src/engine/core/(json|format-date)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
      'contract imports types of engine/core, its type guard for JSON objects, and its formatter of dates.',
    ),
    forbid(
      'domain',
      sources('^src/domain/'),
      { path: '^(src|plugins)/', pathNot: '^src/(domain|contract|engine/core)/' },
      'domain imports engine/core and contract.',
    ),
    forbid(
      'portal',
      sources('^src/portal/'),
      { path: '^src/(desk|server|cli|studio|playground|engine/compiler)/|^src/engine/compile[.]ts$' },
      'A citizen’s browser never loads the desk, the server, the compiler or development tools.',
    ),
    forbid(
      'desk',
      sources('^src/desk/'),
      { path: '^src/(server|cli|studio|playground|engine/compiler)/|^src/engine/compile[.]ts$' },
      'The desk runs in the browser and reuses components of the portal.',
    ),
    forbid(
      'video-room',
      sources('^src/video-room/'),
      { path: '^(src|plugins)/', pathNot: '^src/(video-room|contract|engine/core)/' },
      'The video room imports the contract. The portal and the desk both show it, and it imports neither.',
    ),
    forbid(
      'studio',
      sources('^src/studio/(?!server/)'),
      { path: '^src/(server|cli|engine/compiler|studio/server)/' },
      'The studio runs in the browser and reuses components of the portal.',
    ),
    forbid(
      'playground',
      sources('^src/playground/'),
      { path: '^src/(desk|server|cli|studio/server)/' },
      'The playground is a page without a server, and includes the compiler.',
    ),
    forbid(
      'studio-server',
      sources('^src/studio/server/'),
      { path: '^src/(portal|desk|cli)/|[.]tsx$', pathNot: '^src/cli/(project[.]ts$|definitions/)' },
      'The server side of the studio has no view. It shares the files of cases and walks with the commands.',
    ),
    forbid(
      'studio-server-entry',
      { path: '^(src|plugins)/', pathNot: ['^src/studio/server/', '^src/cli/dev[.]ts$'] },
      { path: '^src/studio/server/' },
      'Only `npm run dev` starts the server side of the studio.',
    ),
    forbid(
      'server',
      sources('^src/server/'),
      {
        path: '^(src|plugins)/',
        pathNot: [
          '^src/(server|contract|engine/(core|compiler))/',
          '^src/brand/[^/]+[.]json$',
          '^plugins/[^/]+/rule[.]ts$',
        ],
      },
      'server imports engine/core, engine/compiler, the rules of plugins, contract, and the texts of the brand.',
    ),
    forbid(
      'demo',
      { path: '^(src|plugins)/', pathNot: '^src/demo/' },
      { path: '^src/demo/' },
      'The image does not contain the demo parties.',
    ),
    ...[
      ['src/server', serverLayers],
      ['src/engine/compiler', compilerLayers],
      ['src/portal', portalLayers],
    ].flatMap(([folder, layers]) => [...ordered(folder, layers), complete(folder, layers)]),
    {
      name: 'no-cycles-between-server-folders',
      severity: 'error',
      scope: 'folder',
      comment: 'Join the folders, or move their shared part into a third one.',
      from: { path: '^src/server/' },
      to: { circular: true },
    },
    forbid(
      'compiler-base',
      { path: '^src/engine/compiler/(sources|formats|files|screen|flow|shared|json-schema|check)/', pathNot: test },
      {
        path: '^src/engine/compiler/[^/]+$',
        pathNot: '^src/engine/compiler/(definitions|intermediate-representation)[.]ts$',
      },
      'Files that assemble a set are above the layers that read and check it.',
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
      'No file imports this one.',
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
