import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { responseSchemas } from '../../../src/contract/payload-schemas.ts';
import { getResponseSchemaName, operationNames, type OperationName } from '../../../src/contract/contract.ts';
import { deskPermissionActions, deskPermissionResource } from '../../../src/contract/desk-permissions.ts';
import type { PrerenderPage } from '../../../src/contract/prerendered-page.ts';
import type {
  ServedDefinitions,
  LiveDefinitions,
  DefinitionProblem,
} from '../../../src/engine/compiler/definitions.ts';
import type { PageRoute } from '../../../src/engine/core/definitions-manifest.ts';
import type { CompiledScreen } from '../../../src/engine/core/compiled-screen.ts';
import type { Caller } from '../../../src/server/platform/base/operation-request.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { createHttpServer } from '../../../src/server/app/create-http-server.ts';
import type { Tracer } from '../../../src/server/platform/traces/trace.ts';
import { createLogger } from '../../../src/server/platform/http/logging.ts';
import type { BoundOperationHandler } from '../../../src/server/platform/base/operation-request.ts';
import type { EventLoopWatchdog } from '../../../src/server/platform/load/event-loop-watchdog.ts';
import type { ServerServices } from '../../../src/server/web/operations/server-services.ts';

/** An `index.html` as produced by the build. */
const template = `<!doctype html><html lang="__LANGUAGE__"><head><meta property="csp-nonce" nonce="__NONCE__">
<title></title><script type="module" nonce="__NONCE__" src="/assets/main-abc.js"></script></head><body><div id="root"></div></body></html>`;

/** Signed-in callers by bearer token. `attendant` is an agent with every permission of the desk. */
export const callers: Readonly<Record<'citizen' | 'agent' | 'attendant' | 'foreign', Caller>> = {
  citizen: {
    citizenId: 'c-1',
    document: 'uy-ci-1',
    sessionId: 's-1',
    role: 'citizen',
    permisos: {},
    restricted: false,
    factorDue: false,
    nid: 1,
  },
  agent: {
    citizenId: 'a-1',
    document: 'uy-ci-2',
    sessionId: 's-2',
    role: 'agent',
    permisos: {},
    restricted: false,
    factorDue: false,
    nid: 1,
  },
  attendant: {
    citizenId: 'a-2',
    document: 'uy-ci-4',
    sessionId: 's-4',
    role: 'agent',
    permisos: { [deskPermissionResource]: deskPermissionActions },
    restricted: false,
    factorDue: false,
    nid: 1,
  },
  foreign: {
    citizenId: 'f-1',
    document: 'ar-psp-3',
    sessionId: 's-3',
    role: 'foreign',
    permisos: {},
    restricted: false,
    factorDue: false,
    nid: 1,
  },
};

/** Options that override parts of the fake server. */
export interface FakeOptions {
  readonly handlers?: Readonly<Partial<Record<OperationName, BoundOperationHandler>>>;
  readonly routes?: readonly PageRoute[];
  readonly check?: ServedDefinitions['check'];
  /** Counts an attempt. Does nothing by default. */
  readonly count?: ServerServices['countAttempt'];
  /** Resolves a bearer token. By default, returns one of `callers`. */
  readonly authenticate?: ServerServices['authenticate'];
  readonly now?: ServerServices['now'];
  /** Expected wait for a database connection, in milliseconds. Zero by default. */
  readonly databaseWaitMs?: ServerServices['databaseWaitMs'];
  /** Expected wait for a password hash, in milliseconds. Zero by default. */
  readonly passwordWaitMs?: ServerServices['passwordWaitMs'];
  readonly env?: Readonly<Record<string, string>>;
  readonly problems?: readonly DefinitionProblem[];
  readonly prerender?: PrerenderPage;
  readonly watchdog?: Pick<EventLoopWatchdog, 'recordRequest'>;
  readonly tracer?: Tracer;
}

/** A fake server, its log as text, and the names of the operations whose handler was called. */
export interface FakeServer {
  readonly http: FastifyInstance;
  readonly log: () => string;
  readonly called: OperationName[];
}

/** Starts the real HTTP layer with fake services and definitions. */
export async function startFakeServer(options: FakeOptions = {}): Promise<FakeServer> {
  const called: OperationName[] = [];
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) });
  const http = await createHttpServer({
    config: readConfig({ BASE_URL: 'http://localhost:3000', SHED_LAG_MS: '0', ...options.env }),
    services: {
      ...createFakeServices(called, options.handlers ?? {}),
      ...(options.count && { countAttempt: options.count }),
      ...(options.authenticate && { authenticate: options.authenticate }),
      ...(options.now && { now: options.now }),
      ...(options.databaseWaitMs && { databaseWaitMs: options.databaseWaitMs }),
      ...(options.passwordWaitMs && { passwordWaitMs: options.passwordWaitMs }),
    },
    definitions: createFakeSource(options),
    content: { problems: [] },
    log: createLogger({ level: 'debug', destination }),
    ...(options.watchdog && { watchdog: options.watchdog }),
    ...(options.tracer && { tracer: options.tracer }),
    pages: {
      readTemplate: async (_path, entry = 'portal') => template.replace('<body>', `<body data-entry="${entry}">`),
      folder: null,
      listModuleUrls: (files) =>
        ['start.tsx', 'shell/themed-screen.tsx'].flatMap((file, at) =>
          files.includes(`src/portal/${file}`) ? [['/assets/start.js', '/assets/screen.js'][at] ?? ''] : [],
        ),
      listStylesheets: (files) => (files.includes('src/portal/shell/themed-screen.tsx') ? ['.form{}'] : []),
      fonts: ['/assets/a.woff2'],
      prerender: options.prerender ?? null,
      development: null,
    },
  });
  return { http, called, log: () => lines.join('') };
}

function createFakeServices(
  called: OperationName[],
  own: Readonly<Partial<Record<OperationName, BoundOperationHandler>>>,
): ServerServices {
  const handlers = Object.fromEntries(
    operationNames.map((name) => {
      const handler: BoundOperationHandler =
        own[name] ?? (async () => ({ body: sample(responseSchemas[getResponseSchemaName(name)]) }));
      return [name, (request: Parameters<BoundOperationHandler>[0]) => (called.push(name), handler(request))];
    }),
  );
  return {
    handlers: handlers as ServerServices['handlers'], // the cast is safe, because the loop above adds one entry per operation
    authenticate: async (token) => Object.entries(callers).find(([name]) => name === token)?.[1] ?? null,
    isDeskSession: async (cookie) => cookie === 'attendant',
    isLiveOrEndedDeskSession: async (cookie) => cookie === 'attendant' || cookie === 'former',
    countAttempt: async () => undefined,
    assertAdmitted: async () => undefined,
    deleteSavedFlows: async () => undefined,
    loadFacts: async () => ({}),
    oidc: { handle: async (_request, response) => void response.end() },
    broker: {
      cancelSignIn: async () => null,
      logout: async () => ({ kind: 'refused' }),
      logoutTarget: async () => null,
      frameOrigins: async () => [],
    },
    wallet: undefined as never,
    card: undefined as never, // these tests use no identity card
    providers: {
      metadata: () => null,
      begin: async () => ({ location: '/' }),
      receive: async () => ({ location: '/' }),
    },
    saml: {
      metadata: async () => '<md/>',
      isConsumer: async () => false,
      receiveRequest: async () => '/',
      continueRequest: async () => null,
      receiveLogout: async () => ({ kind: 'go', path: '/' }),
      continueLogout: async () => null,
      logoutFrames: async () => null,
      test: null,
    },
    now: () => new Date('2026-03-02T15:00:00Z'),
    findLogo: async (hash) => (/^0+$/.test(hash) ? { type: 'image/png', content: Buffer.from('png') } : null),
    databaseWaitMs: () => 0,
    passwordWaitMs: () => 0,
    module: async () => null,
    ready: async () => undefined,
    close: async () => undefined,
  };
}

const fixedRoutes: readonly PageRoute[] = [
  { path: '/', flow: 'inicio', state: 'inicio', block: 'landing', access: 'anyone', chrome: 'full' },
  { path: '/registro', flow: 'registro', state: 'formulario', screen: 'registro', access: 'anyone', chrome: 'full' },
  { path: '/contraseña/restablecer', flow: 'contrasena', state: 'pedir', block: 'x', access: 'anyone', chrome: 'full' },
  {
    path: '/ayuda/:slug',
    flow: 'ayuda',
    state: 'pregunta',
    block: 'faq-detail',
    source: { operation: 'getFaqs', params: { slug: { var: 'context.slug' } } },
    access: 'anyone',
    chrome: 'full',
  },
  { path: '*', flow: 'errores', state: 'nada', block: 'not-found', access: 'anyone', chrome: 'full' },
];

const emptyScreen: Omit<CompiledScreen, 'id' | 'language' | 'ui'> = {
  version: 'r1',
  fields: [],
  formRules: [],
  messages: {},
  texts: {},
  rulePlugins: [],
  standardFormats: false,
};

function createFakeSource({ check, problems, routes: more = [] }: FakeOptions): LiveDefinitions {
  const routes = [...fixedRoutes, ...more];
  const current: ServedDefinitions = {
    version: 'v1',
    languages: ['es', 'pt'],
    screens: new Set(['registro']),
    descriptions: {},
    savedJourney: () => null,
    listSavedFlowsEndedByOperation: () => [],
    listScreensSentWithOperation: () => [],
    formatAnswers: () => [],
    flows: Object.fromEntries(
      routes.map(({ flow, state, path, screen, block, access }) => [
        flow,
        {
          id: flow,
          initial: state,
          states: { [state]: { path, access, ...(screen ? { screen } : {}), ...(block ? { block } : {}) } },
        },
      ]),
    ),
    manifest: (language) => ({
      version: 'v1',
      languages: ['es', 'pt'],
      routes,
      screens: { registro: { version: 'r1', url: `/definitions/registro.${language}.abc.js` } },
      flows: { registro: '/definitions/flow-registro.abc.js' },
    }),
    modules: [],
    findings: [],
    schema: () => ({ type: 'object' }),
    ui: () => ({ title: 'Registrate', fields: { pais_emisor: { 'ui:options': { source: 'getCountries' } } } }),
    screen: (id, language) => ({
      screen: { ...emptyScreen, id, language, ui: { title: 'Registrate' } },
      validators: () => ({}),
    }),
    plugins: () => [],
    screenVersion: () => 'r1',
    check: check ?? ((_screen, data) => ({ data, errors: {} })),
  };
  return {
    current,
    problems: problems ?? [],
    module: (url) => (url === '/definitions/registro.es.abc.js' ? 'export default 1;' : undefined),
    cache: new DefinitionLoadCache(),
    onChange: () => () => undefined,
    setPreparation: () => undefined,
    close: async () => undefined,
  };
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Creates a small value that is valid for a response schema. */
function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0]);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'array') return schema.items ? [sample(schema.items)] : [];
  if (type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {})]));
  if (type === 'null') return null;
  if (type === 'integer') return 1;
  return type === 'boolean' ? true : 'x';
}
