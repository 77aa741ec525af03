import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { pino } from 'pino';
import type { OperationName } from '../../../src/contract/contract.ts';
import type { AuditFault } from '../../../src/server/platform/audit/verify-audit.ts';
import type {
  BoundOperationHandlers,
  Caller,
  OperationRequest,
  OperationReply,
} from '../../../src/server/platform/base/operation-request.ts';
import { readConfig } from '../../../src/server/platform/config/read-config.ts';
import { createOperationGuard } from '../../../src/server/web/operations/operation-guard.ts';
import { bindOperationHandlers } from '../../../src/server/app/create-server-services.ts';
import { createHandlerContext } from '../../../src/server/app/create-handler-context.ts';
import type { HandlerContext } from '../../../src/server/features/handler-context.ts';
import { findAuditFaults } from './audit.ts';
import { defaultDatabase, type DatabaseName } from './databases.ts';
import { cheapHashes } from './cheap-hashes.ts';
import { placeSigningKey } from './signing-key.ts';
import { placeDatabase } from './tables.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createFakeDefinitions, type FakeCheck } from './fake-definitions.ts';
import { createOrigin, type OriginOverrides } from './origin.ts';
import { startPostgres } from './postgres.ts';

/** Request of a test. Omitted properties are empty. The body is untyped, as if a browser had sent it. */
type TestRequest<Name extends OperationName> = Partial<Omit<OperationRequest<Name>, 'body'>> &
  OriginOverrides & { readonly body?: object };

export interface TestServer {
  readonly parts: HandlerContext;
  readonly clock: FakeClock;
  readonly handlers: BoundOperationHandlers;
  /** Calls a handler as the HTTP layer does, including the work after the response. */
  call<Name extends OperationName>(name: Name, request?: TestRequest<Name>): Promise<OperationReply<Name>>;
  /** Solves a captcha challenge, by default a new one of the server. */
  solveCaptcha(challenge?: Challenge): Promise<string>;
  /** Returns the mails in the outbox, oldest first. */
  mails(): Promise<
    readonly { recipient: string; subject: string; text: string; html: string; calendar: string | null }[]
  >;
  /** Seals all rows. Returns the faults of the audit log. */
  auditFaults(): Promise<readonly AuditFault[]>;
  close(): Promise<void>;
}

/** Opens the parts of another server on the same database and clock, without log and content. */
export function openQuietParts(
  { config, clock }: Pick<HandlerContext, 'config' | 'clock'>,
  definitions = createFakeDefinitions(),
): Promise<HandlerContext> {
  return createHandlerContext({
    config,
    passwordCost: cheapHashes,
    clock,
    log: pino({ level: 'silent' }),
    definitions: () => definitions,
    content: () => ({}),
  });
}

/** Returns the handlers of all operations. Each runs the guard first, as in the HTTP layer. */
export function bindGuardedHandlers(parts: HandlerContext): BoundOperationHandlers {
  const { assertAdmitted, deleteSavedFlows } = createOperationGuard(parts);
  const guarded = Object.entries(bindOperationHandlers(parts)).map(([name, handle]) => {
    const handler: typeof handle = async (request) => {
      await assertAdmitted(name as OperationName, request);
      const reply = await handle(request);
      await deleteSavedFlows(name as OperationName, request.caller);
      return reply;
    };
    return [name, handler];
  });
  return Object.fromEntries(guarded) as BoundOperationHandlers; // `Object.fromEntries` loses the keys, and there is an entry for each operation
}

/** Opens the server's parts on a new database. */
export async function openTestServer(
  options: {
    database?: DatabaseName;
    /** URL of a migrated PostgreSQL database, which the test itself closes. */
    url?: string;
    env?: Record<string, string>;
    check?: FakeCheck;
    parts?: (parts: HandlerContext) => HandlerContext;
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-test-'));
  const isOwn = options.url === undefined && (options.database ?? defaultDatabase) === 'postgresql';
  const postgres = isOwn ? await startPostgres({ tables: true }) : null;
  const url = options.url ?? postgres?.url;
  const clock = createFakeClock();
  const config = readConfig({
    DATA_DIR: folder,
    CAPTCHA_COST: '1',
    CAPTCHA_MIN_S: '0',
    REDIRECT_ORIGINS: 'https://tramites.example',
    ...options.env,
    ...(url !== undefined && { DATABASE_URL: url }),
  });
  if (url === undefined) await placeDatabase(config.dataDir);
  await placeSigningKey(config.dataDir);
  const definitions = createFakeDefinitions(options.check);
  const opened = await openQuietParts({ config, clock }, definitions);
  const parts = options.parts?.(opened) ?? opened;
  const handlers = bindGuardedHandlers(parts);
  const { countAttempt } = createOperationGuard(parts);

  const call = async (name: OperationName, request: object = {}): Promise<unknown> => {
    const handler: (full: never) => Promise<{ readonly after?: () => Promise<void> }> = handlers[name];
    const defaults = { params: {}, query: {}, body: {}, caller: null, cookies: {} };
    const { caller = null, ...rest }: { caller?: Caller | null } & OriginOverrides = request;
    const { address, userAgent, language, requestId } = createOrigin(rest);
    const origin = { by: { citizenId: caller?.citizenId ?? null }, address, userAgent, language, requestId };
    await countAttempt(name, origin);
    const reply = await handler({ ...defaults, origin, ...request } as never); // the name selects the handler at run time, so the request has no static type
    await reply.after?.();
    return reply;
  };

  return {
    parts,
    clock,
    handlers,
    call: call as TestServer['call'], // a function with one signature is not assignable to the generic `call`
    async solveCaptcha(given) {
      const challenge = given ?? (await parts.captcha.challenge());
      const solution = await solveChallenge({ challenge, deriveKey });
      return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
    },
    mails: () => parts.store.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    auditFaults: () => findAuditFaults(parts),
    async close() {
      await opened.fileChecker.close();
      await opened.store.close();
      await postgres?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
