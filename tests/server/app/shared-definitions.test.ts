import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { command } from '../../../src/cli/definitions/version.ts';
import { projectRoot } from '../../../src/cli/project.ts';
import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import type { DefinitionsManifest } from '../../../src/engine/core/definitions-manifest.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { startServer } from '../../../src/server/app/start-server.ts';
import { openDatabaseStore, type DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { productDefinitions } from '../../definitions/support/product-definitions.ts';
import { placeSmallProject } from '../../engine/support/flow-copy.ts';
import { runInProcess } from '../support/run-command.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { stubPages } from '../support/stub-pages.ts';
import { placeSigningKey } from '../support/signing-key.ts';
import { placeDatabase } from '../support/tables.ts';

const timeout = 120_000;
const ui = 'schemas/contacto/ui.json';
const schema = 'schemas/contacto/schema.json';

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sets-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Creates a project folder that shares the product's code but has separate definition files, of a small project. */
async function project(name: string, { copiesPlugins = false } = {}): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  placeSmallProject(own);
  const plugins = join(projectRoot, 'plugins');
  if (copiesPlugins) await cp(plugins, join(own, 'plugins'), { recursive: true });
  else await symlink(plugins, join(own, 'plugins')); // unchanged plugins are bundled once per process
  await symlink(join(projectRoot, 'src'), join(own, 'src'));
  return own;
}

/** Edits a definition file as JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- each test knows the shape of the file that it changes
async function edit(own: string, path: string, change: (content: Record<string, any>) => void): Promise<void> {
  const content = JSON.parse(await readFile(join(own, path), 'utf8')) as Record<string, unknown>;
  change(content);
  await writeFile(join(own, path), JSON.stringify(content, null, 2));
}

interface Running {
  get(path: string): Promise<Response>;
  manifest(): Promise<DefinitionsManifest>;
  /** Returns the version of the definitions in the response of `/readyz`. */
  version(): Promise<string>;
  /** Sends a support message from a form of this version. */
  send(formVersion: string | undefined, values?: object): Promise<Response>;
  stop(): Promise<void>;
}

async function start(own: string, env: Record<string, string>): Promise<Running> {
  const { config, stop } = await startServer({
    root: own,
    env: { PORT: '0', OUTBOX_PORT: '0', CAPTCHA_COST: '1', LOG_LEVEL: 'silent', SHED_LAG_MS: '0', ...env },
    pages: async () => stubPages,
  });
  closing.push(stop);
  const get = (path: string) => fetch(`${config.baseUrl}${path}`);
  const read = async <T>(path: string) => (await (await get(path)).json()) as T;
  return {
    get,
    manifest: () => read<DefinitionsManifest>('/definitions/manifest.json?lang=es'),
    version: async () => (await read<{ definitions: string }>('/readyz')).definitions,
    async send(formVersion, values = {}) {
      const { challenge } = await read<Pick<Parameters<typeof solveChallenge>[0], 'challenge'>>('/rest/captcha/');
      const solution = await solveChallenge({ challenge, deriveKey });
      return fetch(`${config.baseUrl}/contacto/enviar/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(formVersion !== undefined && { 'definition-version': formVersion }),
        },
        body: JSON.stringify({
          nombre_completo: 'Ana Paz',
          pais_emisor: 'uy',
          tipo_documento: 'ci',
          numero_documento: '45123784',
          email: 'ana@example.com',
          telefono: '+59899123456',
          asunto: 'otro',
          mensaje: 'No puedo entrar.',
          captcha_response: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64'),
          ...values,
        }),
      });
    },
    stop,
  };
}

const screenOf = async (replica: Running) => (await replica.manifest()).screens['contacto'] ?? { url: '', version: '' };

describe('[OPER-03] replicas with one PostgreSQL', () => {
  let postgres: TestPostgres;
  let store: DatabaseStore;
  let env: Record<string, string>;
  let count = 0;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    store = await openDatabaseStore({ url: postgres.url, pool: 2 }, pino({ level: 'silent' }));
    env = { DATABASE_URL: postgres.url, KEYS_DIR: join(folder, 'keys') };
    await placeSigningKey(folder);
  });
  afterAll(async () => {
    await store.close();
    await postgres.stop();
  });
  const replica = (own: string) => start(own, { ...env, DATA_DIR: join(folder, `data-${(count += 1)}`) });
  const messages = async () => (await store.db.selectFrom('contact_messages').select('id').execute()).length;

  test(
    'serve the form modules of every other replica, and apply a change only of their own files',
    async () => {
      const files = [await project('first'), await project('second')] as const;
      const [first, second] = [await replica(files[0]), await replica(files[1])];
      const form = await screenOf(first);
      const text = await (await first.get(form.url)).text();
      const version = await first.version();
      expect(version).toBe((await loadDefinitions(createDefinitionOptions(files[0]))).version);
      expect((await runInProcess(command, [])).stdout, '[EST-11] prints the version without a server').toBe(
        `${(await productDefinitions).version}\n`,
      );

      await edit(files[0], schema, (content) => {
        content['properties'].motivo = { type: 'string', enum: ['queja', 'consulta'] };
        content['required'].push('motivo');
      });
      await edit(files[0], ui, (content) => {
        content['fields'].motivo = { 'ui:title': 'Motivo', 'ui:enumNames': ['Queja', 'Consulta'] };
      });
      await edit(files[0], 'schemas/contacto/ui.pt.json', (content) => {
        content['fields'].motivo = { 'ui:title': 'Motivo', 'ui:enumNames': ['Reclamação', 'Consulta'] };
      });
      await vi.waitFor(async () => expect((await screenOf(first)).version).not.toBe(form.version), { timeout: 20_000 });

      // a replica of a newer image: its plugin modules differ, and it has never loaded the definitions of the other
      // replicas
      const third = await project('third', { copiesPlugins: true });
      await edit(third, 'plugins/phone/texts.json', (content) => {
        content['es'].phone = 'Ingresá el número con su país.';
      });
      const newer = await replica(third);
      const changed = await screenOf(first);
      const urls = [form.url, changed.url, (await screenOf(newer)).url];
      expect(new Set(urls).size).toBe(3);
      for (const running of [first, second, newer]) {
        for (const url of urls) expect((await running.get(url)).status).toBe(200);
        expect(await (await running.get(form.url)).text()).toBe(text);
        expect((await running.get(form.url.replace(/.{5}[.]js$/, 'xxxxx.js'))).status).toBe(404);
      }
      expect(await second.version()).toBe(version);
      expect((await screenOf(second)).version).toBe(form.version);

      const refused = await first.send(form.version);
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'formulario_cambiado']);
      expect((await second.send(changed.version, { motivo: 'queja' })).status, 'the form is outdated').toBe(409);
      const again = await first.send(changed.version, { motivo: 'queja' });
      expect(again.status, await again.text()).toBe(200);
      expect((await second.send(form.version)).status).toBe(200);
      expect(await messages()).toBe(2);
    },
    timeout,
  );
});

test(
  '[OPER-03] server with the embedded database serves the form modules from before its restart',
  async () => {
    const own = await project('embedded');
    const env = { DATA_DIR: join(folder, 'embedded-data') };
    await placeDatabase(env.DATA_DIR);
    await placeSigningKey(env.DATA_DIR);
    const before = await start(own, env);
    const form = await screenOf(before);
    const text = await (await before.get(form.url)).text();
    await before.stop();
    await edit(own, ui, (content) => {
      content['title'] = 'Escribinos';
    });
    const after = await start(own, env);
    expect((await screenOf(after)).url).not.toBe(form.url);
    expect(await (await after.get(form.url)).text()).toBe(text);
  },
  timeout,
);
