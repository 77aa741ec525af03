/** The table of rooms: who may import whom. Tests may import everything. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const test = '[.]test[.]tsx?$';
/** Files of a plugin that are neither its rule nor its widget. */
const shared = '^plugins/[^/]+/(?!rule[.]ts$|widget[.]tsx$)[^/]+[.]tsx?$';
const room = (path) => ({ path, pathNot: test });

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
      'engine-react',
      room('^src/engine/react/'),
      { path: '^(src|plugins)/', pathNot: '^src/engine/(core|react)/' },
      'engine/react imports engine/core.',
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
        pathNot: ['^src/engine/core/', '^src/api/(document|constants)[.]ts$', '^plugins/$1/', shared],
      },
      'A rule knows engine/core, the written form of documents, its own folder, and what other plugins share.',
    ),
    forbid(
      'plugin-widget',
      room('^plugins/([^/]+)/.+[.]tsx$'),
      { path: '^(src|plugins)/', pathNot: ['^src/engine/(core|react)/', '^plugins/$1/', shared] },
      'A widget knows the engine, its own folder, and what other plugins share.',
    ),
    forbid(
      'api',
      room('^src/api/'),
      { path: '^(src|plugins)/', pathNot: ['^src/api/', '^src/engine/core/'] },
      'api imports nothing of ours but types of engine/core.',
    ),
    forbid(
      'api-takes-types',
      room('^src/api/'),
      { path: '^src/engine/core/', pathNot: '^src/engine/core/json[.]ts$', dependencyTypesNot: ['type-only'] },
      'api imports types of engine/core, and its guard of JSON objects.',
    ),
    forbid(
      'domain',
      room('^src/domain/'),
      { path: '^(src|plugins)/', pathNot: '^src/(domain|api|engine/core)/' },
      'domain imports engine/core and api.',
    ),
    forbid(
      'portal',
      room('^src/portal/'),
      { path: '^src/(server|cli|engine/compiler)/' },
      'The browser never holds the server or the compiler.',
    ),
    forbid(
      'server',
      room('^src/server/'),
      { path: '^(src|plugins)/', pathNot: ['^src/(server|api|engine/(core|compiler))/', '^plugins/[^/]+/rule[.]ts$'] },
      'server imports engine/core, engine/compiler, the rules of plugins and api.',
    ),
    forbid(
      'no-orphans',
      {
        orphan: true,
        path: '^src/',
        pathNot: [test, '[.]d[.]ts$', '^src/cli/', '^src/portal/blocks/', '^src/engine/react/no-uri[.]ts$'],
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
