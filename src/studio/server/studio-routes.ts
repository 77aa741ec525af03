import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Ajv } from 'ajv';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '../../engine/core/json.ts';
import {
  readCommittedFile,
  createDefinitionComparer,
  formatDefinitionChange,
} from '../../cli/definitions/definition-changes.ts';
import type { DefinitionChange } from '../../engine/compiler/compare/compare-definitions.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { devPagePaths } from '../dev-page-data.ts';
import {
  renameKinds,
  studioPaths,
  studioTokenHeader,
  type ScreenPreviewRequest,
  type DefinitionWriteResult,
  type DefinitionWriteRequest,
  type ScreenPreviewResult,
  type MailPreviewResponse,
  type MailPreviewRequest,
  type StudioDefinitionChange,
  type StudioFinding,
  type StudioHistory,
} from '../studio-api-types.ts';
import { sendDevPage, type DevPageDependencies } from './send-dev-page.ts';
import { DefinitionWriter } from './definition-writer.ts';
import {
  isWritablePath,
  maxDefinitionFileLength,
  applyChangesToCurrentFiles,
  toTextOverrides,
} from './definition-files.ts';
import { BoundedTextMap } from './bounded-text-map.ts';
import { planRename } from './rename/plan-rename.ts';
import { createMailPreviewer } from './mail-previewer.ts';
import { outboxMailCsp } from '../../server/platform/mail/outbox-page.ts';
import { readStudioCases, readStudioDefinitions } from './read-studio-definitions.ts';
import { readStudioReferenceData } from './studio-reference-data.ts';
import { basename, join } from 'node:path';
import type { LoadDefinitionsOptions, LiveDefinitions } from '../../engine/compiler/definitions.ts';
import { tryLoadDefinitions } from './check-edits.ts';
import requests from './requests.json' with { type: 'json' };
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { setPriority } from 'node:os';

/** Leaves CPU time to rendering and saving. At 10, a busy machine would starve the checker. */
const checkerNiceness = 5;

/**
 * Child process that runs the checker. It stays alive, because the first run takes ten times as long as later runs.
 * Runs have no timeout, because a busy machine makes them arbitrarily slow. Callers must not run them concurrently.
 */
export function createCheckerProcess(root: string) {
  let current: ChildProcess | null = null;
  const close = (): void => {
    current?.kill();
    current = null;
  };
  const readFindings = async (): Promise<readonly StudioFinding[]> => {
    const checker = (current ??= startChecker(root));
    try {
      return await new Promise<readonly StudioFinding[]>((resolve, reject) => {
        checker.once('exit', () => reject(new Error('The checker ended.')));
        checker.once('message', (message) => resolve(message as readonly StudioFinding[])); // the cast is safe, because the script sends a value of this type
        checker.send('walk');
      });
    } catch (error) {
      close();
      throw error;
    } finally {
      checker.removeAllListeners();
    }
  };
  return { readFindings, close };
}

function startChecker(root: string): ChildProcess {
  const script = join(root, 'src/studio/server/checker-process.ts');
  const checker = fork(join(root, 'src/cli/run.mjs'), [script], { cwd: root });
  if (checker.pid !== undefined) setPriority(checker.pid, checkerNiceness);
  checker.unref();
  checker.channel?.unref();
  return checker;
}

export function createPreviewCompiler(
  options: LoadDefinitionsOptions,
  source: Pick<LiveDefinitions, 'cache' | 'current'>,
) {
  const modules = new BoundedTextMap();
  const compilePreview = async ({ screen, language, changes }: ScreenPreviewRequest): Promise<ScreenPreviewResult> => {
    const after = await applyChangesToCurrentFiles(options.root, changes);
    if (typeof after === 'string') return { outcome: 'refused', reason: after };
    const { cache, current } = source;
    const { definitions, problems } = await tryLoadDefinitions({ ...options, texts: toTextOverrides(after) }, cache);
    const url = (definitions ?? current).manifest(language).screens[screen]?.url ?? null;
    if (!definitions || url === null) return { outcome: 'problems', problems, url };
    const address = `${studioPaths.modules}/${basename(url)}`;
    modules.set(address, definitions.modules.find((module) => module.url === url)?.source ?? '');
    return { outcome: 'drawn', problems, url: address };
  };
  return { compilePreview, getModule: (address: string) => modules.get(address) };
}

const invalidRequest = { outcome: 'refused', reason: 'shape' } as const;

const statuses: Readonly<Record<(DefinitionWriteResult | ScreenPreviewResult)['outcome'], number>> = {
  written: 200,
  fine: 200,
  drawn: 200,
  conflict: 409,
  problems: 422,
  mismatched: 422,
  refused: 400,
};

/** Only pages that this process has sent can read and write files, because only they have the token. */
export function registerStudioRoutes(
  http: FastifyInstance,
  parts: DevPageDependencies,
  token = randomBytes(32).toString('base64url'),
): void {
  const { root, definitions, guard } = parts;
  const options = createDefinitionOptions(root);
  const writer = new DefinitionWriter(options, definitions.cache);
  const compare = createDefinitionComparer(root);
  const checker = createCheckerProcess(root);
  http.addHook('onClose', async () => checker.close());
  const drawer = createPreviewCompiler(options, definitions);
  const mails = createMailPreviewer(root);
  const own = Buffer.from(token);
  const isOfStudio = ({ raw, headers }: FastifyRequest): boolean => {
    const given = Buffer.from(String(headers[studioTokenHeader] ?? ''));
    return guard.isStudioRequest(raw) && given.length === own.length && timingSafeEqual(given, own);
  };

  http.get(devPagePaths.studio, async (request, reply) => {
    if (!guard.isStudioRequest(request.raw)) return sendForbidden(reply);
    const referenceData = await readStudioReferenceData(root, parts.contentValues);
    return sendDevPage(parts, request, reply, {
      read: () => ({ view: 'studio', token, referenceData }),
      embeddable: false,
    });
  });
  const reads: Readonly<Record<string, (query: Readonly<Record<string, unknown>>) => Promise<unknown>>> = {
    [studioPaths.set]: async () => ({
      ...(await readStudioDefinitions(root, definitions)),
      history: await writer.findHistory(),
    }),
    [studioPaths.cases]: ({ screen }) =>
      definitions.current.screens.has(String(screen))
        ? readStudioCases(root, definitions, String(screen))
        : Promise.resolve(null),
    [studioPaths.changes]: shareNextRun(async () => {
      const listed = await compare('HEAD');
      const describe = (change: DefinitionChange): StudioDefinitionChange => ({
        breaking: change.breaking,
        where: change.where,
        text: formatDefinitionChange(change, 'es'),
      });
      return listed?.changes.map(describe) ?? null;
    }),
    [studioPaths.committed]: async ({ file }) => (isWritablePath(file) ? readCommittedFile(root, file) : null),
    [studioPaths.findings]: shareNextRun(() => checker.readFindings()),
    // Missing or invalid parameters result in the rename of a field that does not exist, which is rejected later.
    [studioPaths.rename]: ({ kind, of, from, to }) =>
      planRename(
        options,
        {
          kind: renameKinds.find((name) => name === kind) ?? 'field',
          of: String(of),
          from: String(from),
          to: String(to),
        },
        (request) => writer.writeChanges(request),
        definitions.cache,
      ),
  };
  for (const [address, read] of Object.entries(reads))
    http.get(address, async (request, reply) => {
      if (!isOfStudio(request)) return sendForbidden(reply);
      const query = request.query as Readonly<Record<string, unknown>>; // Fastify's query parser returns an object
      return reply.send({ answer: await read(query) });
    });
  const turn = (kind: keyof StudioHistory) => (body: unknown) =>
    writeAndWaitForReload(definitions, () => writer.undoOrRedo(kind, isObject(body) ? String(body['id']) : ''));
  const writes: Readonly<
    Record<string, (body: unknown) => Promise<DefinitionWriteResult | ScreenPreviewResult | MailPreviewResponse>>
  > = {
    [studioPaths.write]: async (body) =>
      isWriteRequest(body) ? writeAndWaitForReload(definitions, () => writer.writeChanges(body)) : invalidRequest,
    [studioPaths.draw]: async (body) => (isDrawRequest(body) ? drawer.compilePreview(body) : invalidRequest),
    [studioPaths.drawMail]: async (body) =>
      isDrawMailRequest(body)
        ? mails.draw(body, { product: parts.site.portal.brand.product, origin: guard.origin })
        : invalidRequest,
    [studioPaths.undo]: turn('undo'),
    [studioPaths.redo]: turn('redo'),
  };
  for (const [address, write] of Object.entries(writes))
    http.put(address, { bodyLimit: 4 * maxDefinitionFileLength }, async (request, reply) => {
      // Rejects a write without the origin of the studio, because browsers send `Origin` with every write.
      if (!isOfStudio(request) || request.headers.origin !== guard.origin) return sendForbidden(reply);
      const answer = await write(request.body);
      return reply.code(statuses[answer.outcome]).send(answer);
    });
  // Serves compiled modules. An import cannot send the token, so the URL is the secret: only the page that requested
  // the compilation has it.
  http.get(`${studioPaths.modules}/*`, async (request, reply) => {
    const source = drawer.getModule(request.url.split('?', 1)[0] ?? ''); // removes the query that Vite adds to imports
    if (!guard.isStudioRequest(request.raw) || source === undefined) return sendForbidden(reply);
    return reply.type('text/javascript; charset=utf-8').send(source);
  });
  http.get(`${studioPaths.drawMail}/:hash`, async (request, reply) => {
    const html = mails.getHtml(request.url);
    if (!guard.isStudioRequest(request.raw) || html === undefined) return sendForbidden(reply);
    return reply
      .headers({ 'content-security-policy': outboxMailCsp, 'x-frame-options': 'SAMEORIGIN' })
      .type('text/html; charset=utf-8')
      .send(html);
  });
}

/** Sends 403 to a request from another machine, or from a page that this process has not served. */
export function sendForbidden(reply: FastifyReply): FastifyReply {
  return reply.code(403).send({ outcome: 'refused', reason: 'elsewhere' });
}

/** Maximum wait for reloaded definitions after a write, in milliseconds. */
const reloadMs = 2_000;

/** Waits until the server uses the written definitions, so that the page loads them only once. */
export async function writeAndWaitForReload(
  definitions: Pick<LiveDefinitions, 'onChange'>,
  write: () => Promise<DefinitionWriteResult>,
): Promise<DefinitionWriteResult> {
  let stop = (): void => undefined;
  const reloaded = new Promise<void>((resolve) => (stop = definitions.onChange(resolve)));
  try {
    const answer = await write();
    const isReloaded =
      answer.outcome === 'written' && answer.files.some(({ file }) => /^(?:schemas|flows)\//.test(file));
    if (isReloaded) await Promise.race([reloaded, wait(reloadMs, undefined, { ref: false })]);
    return answer;
  } finally {
    stop();
  }
}

const ajv = new Ajv({ strict: false }).addSchema(requests);
const isWriteRequest = ajv.compile<DefinitionWriteRequest>({ $ref: 'requests#/$defs/write' });
const isDrawMailRequest = ajv.compile<MailPreviewRequest>({ $ref: 'requests#/$defs/drawMail' });
const isDrawRequest = ajv.compile<ScreenPreviewRequest>({ $ref: 'requests#/$defs/draw' });

/** Returns a function that runs `work`, one run at a time. A caller during a run gets the result of the next run. */
export function shareNextRun<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let now: Promise<unknown> | null = null;
  let next: Promise<Answer> | null = null;
  const run = (): Promise<Answer> => {
    const own = work().finally(() => {
      now = null;
    });
    now = own;
    return own;
  };
  return () => {
    if (!now) return run();
    next ??= now
      .catch(() => undefined) // ignores an error of the current run, because the caller of that run gets it
      .then(() => {
        next = null;
        return run();
      });
    return next;
  };
}
