import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ServedDefinitions } from '../../../src/engine/compiler/definitions.ts';
import type { LiveContent } from '../../../src/server/features/content/open-content.ts';
import {
  authenticateBearerToken,
  isLiveOrEndedDeskSession,
  isDeskSession,
} from '../../../src/server/trust/sessions/access-tokens.ts';
import { createBrokerLogoutEndpoints } from '../../../src/server/trust/federation/broker/rp-initiated-logout.ts';
import { createSamlEndpoints } from '../../../src/server/trust/federation/broker/saml-endpoints.ts';
import { createProviderEndpoints } from '../../../src/server/features/sign-in/provider-endpoints.ts';
import type { ClientRegistration } from '../../../src/server/trust/federation/clients/client-registration.ts';
import { supportedScopes } from '../../../src/server/trust/federation/clients/scopes.ts';
import { systemClock } from '../../../src/server/platform/base/clock.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { createLogger } from '../../../src/server/platform/http/logging.ts';
import { createOperationGuard } from '../../../src/server/web/operations/operation-guard.ts';
import { loadOperationFacts } from '../../../src/server/app/screen-facts.ts';
import { bindOperationHandlers } from '../../../src/server/app/create-server-services.ts';
import { createHttpServer } from '../../../src/server/app/create-http-server.ts';
import { createHandlerContext } from '../../../src/server/app/create-handler-context.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { stubPages } from './stub-pages.ts';
import { defaultDatabase } from './databases.ts';
import { cheapHashes } from './cheap-hashes.ts';
import { placeSigningKey } from './signing-key.ts';
import { placeDatabase } from './tables.ts';
import { createUnchangingDefinitions, fakeDefinitions } from './fake-definitions.ts';
import { findFreePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** A listening server, with access to its internals. */
export interface LiveServer {
  readonly origin: string;
  readonly parts: HandlerContext;
  /** Returns the log lines so far. */
  log(): readonly LogLine[];
  /** Waits for the log lines of a request, which the server writes after the response. */
  logOf(requestId: string | null | undefined): Promise<readonly LogLine[]>;
  /** Registers an application, by default with all scopes. Returns its client secret. */
  register(
    registration: Omit<ClientRegistration, 'scopes'> & Partial<ClientRegistration>,
    kind?: 'confidential' | 'public',
  ): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts the complete server without its pages on a free port of 127.0.0.1, with the system clock and the sample
 * citizens. With `real`, it validates bodies against the real screens, and serves the help and the information pages.
 * Otherwise every body is valid.
 */
export async function startLiveServer(
  env: Record<string, string> = {},
  real?: { readonly definitions: ServedDefinitions; readonly content: LiveContent['current'] },
): Promise<LiveServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-live-'));
  const port = Number(env['PORT'] ?? (await findFreePort()));
  const lines: string[] = [];
  const destination = {
    write(line: string) {
      lines.push(line);
      if (process.env['TEST_LOG'] !== undefined) process.stdout.write(line);
    },
  };
  const log = createLogger({ level: process.env['TEST_LOG'] ?? 'info', destination });
  const given = env['DATABASE_URL'] ?? env['DATA_DIR'];
  const postgres =
    given === undefined && defaultDatabase === 'postgresql' ? await startPostgres({ tables: true }) : null;
  const config = readConfig({
    SHED_LAG_MS: '0',
    DATA_DIR: folder,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    ...env,
    ...(postgres && { DATABASE_URL: postgres.url }),
  });
  if (config.databaseUrl === null) await placeDatabase(config.dataDir);
  await placeSigningKey(config.dataDir);
  const current = real?.definitions ?? fakeDefinitions;
  const parts = await createHandlerContext({
    config,
    passwordCost: cheapHashes,
    clock: systemClock,
    log,
    definitions: () => current,
    content: () => real?.content ?? {},
  });
  const http = await createHttpServer({
    config,
    log,
    services: {
      ...createOperationGuard(parts),
      handlers: bindOperationHandlers(parts),
      oidc: parts.oidc,
      broker: createBrokerLogoutEndpoints(parts),
      saml: createSamlEndpoints(parts),
      card: parts,
      providers: createProviderEndpoints(parts),
      wallet: parts,
      findLogo: (hash) => parts.logos.find(hash),
      module: (url) => parts.modules.findSource(url),
      authenticate: (token, passive) => authenticateBearerToken(parts, token, passive),
      isDeskSession: (cookie) => isDeskSession(parts, cookie),
      isLiveOrEndedDeskSession: (cookie) => isLiveOrEndedDeskSession(parts, cookie),
      loadFacts: async (call, { caller, body }) => (real ? loadOperationFacts(parts, call, caller, body) : {}),
      now: () => systemClock.now(),
      databaseWaitMs: () => parts.store.estimateWaitMs(),
      passwordWaitMs: () => parts.passwords.waitMs(),
      ready: () => parts.store.checkReady(),
      close: async () => undefined,
    },
    content: { problems: [] },
    definitions: createUnchangingDefinitions(current),
    pages: stubPages,
  });
  await http.listen({ port, host: '127.0.0.1' });
  const readLog = (): LogLine[] => lines.map((line) => JSON.parse(line) as LogLine);
  return {
    origin: config.baseUrl,
    parts,
    log: readLog,
    async logOf(requestId) {
      for (let tries = 0; tries < 1_000; tries += 1) {
        const own = readLog().filter(({ reqId }) => reqId === requestId);
        if (own.length > 0) return own;
        await setTimeout(10);
      }
      throw new Error(`The log has no line of request ${requestId}.`);
    },
    register: async (registration, kind = 'confidential') =>
      (await parts.oidc.clients.add({ scopes: [...supportedScopes], ...registration }, kind, systemClock.now())) ?? '',
    async close() {
      await http.close();
      await parts.fileChecker.close();
      await parts.store.close();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
