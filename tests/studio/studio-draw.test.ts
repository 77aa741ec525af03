import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import type { DefinitionsSource } from '../../src/engine/compiler/definitions.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import type { DevParts } from '../../src/studio/server/dev-page.ts';
import { readVersioned } from '../../src/studio/server/definition-files.ts';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { requestGuard } from '../../src/studio/server/source-server.ts';
import { ScreenDrawer, registerStudio } from '../../src/studio/server/studio-routes.ts';
import { readStudioSet } from '../../src/studio/server/read-studio.ts';
import { studioAddresses, tokenHeader, type DrawAnswer, type FileChange } from '../../src/studio/studio-data.ts';
import { root } from '../definitions/support/fixtures.ts';

const http = fastify();
const origin = 'http://localhost:3000';
const token = 'a-token-of-this-process';
const guard = requestGuard({ baseUrl: origin, hosts: { backend: '', broker: '' }, agentsHost: '' });
const right = { host: 'localhost:3000', origin, [tokenHeader]: token };
let definitions: DefinitionsSource;

beforeAll(async () => {
  definitions = await openDefinitions(definitionOptions(root));
  registerStudio(http, { root, definitions, guard } as unknown as DevParts, token); // what its routes use
});
afterAll(() => http.close());

const typed = (pointer: string, value: string): FileChange => ({
  file: 'schemas/contacto/ui.json',
  base: 'whatever it was begun on',
  edits: [{ pointer, value }],
});

async function draw(changes: readonly FileChange[], more: object = {}) {
  const payload = { screen: 'contacto', language: 'es', changes, ...more };
  const response = await http.inject({ method: 'PUT', url: studioAddresses.draw, headers: right, payload });
  return [response.statusCode, response.json<DrawAnswer>()] as const;
}

test('[EST-13] what is typed is compiled before it is written, and the page is given its address', async () => {
  const [, answer] = await draw([typed('/title', 'Hablá con nosotros')]);
  if (answer.outcome !== 'drawn') throw new Error(JSON.stringify(answer));
  const headers = { host: right.host };
  const module = await http.inject({ url: `${String(answer.url)}?import`, headers });
  expect([module.statusCode, module.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(module.body).toContain('"title":"Hablá con nosotros"');
  const pages = { host: 'evil.example' };
  expect((await http.inject({ url: String(answer.url), headers: pages })).statusCode).toBe(403);
  expect((await http.inject({ url: `${String(answer.url)}x`, headers })).statusCode).toBe(403);
});

test('[EST-13] what cannot be drawn says why, with the screen as it is written', async () => {
  const [, answer] = await draw([typed('/intro', 'Hola, {nadie}.')]);
  expect(answer).toMatchObject({
    outcome: 'problems',
    problems: [{ file: 'schemas/contacto/ui.json', pointer: '/intro' }],
    url: definitions.current.manifest('es').screens['contacto']?.url,
  });
  const whole = { file: 'schemas/contacto/ui.json', base: null, text: '{ "title": "Ho' };
  expect((await draw([whole]))[1].outcome).toBe('refused');
});

test('[EST-13] only files of the studio are read, and only for a page of it', async () => {
  const elsewhere = { file: 'schemas/../package.json', base: null, edits: [] };
  expect(await draw([elsewhere])).toEqual([200, { outcome: 'refused', reason: 'file' }]);
  expect((await draw([], { language: 'fr' }))[0]).toBe(400);
  const url = studioAddresses.draw;
  const bare = await http.inject({ method: 'PUT', url, headers: { host: right.host, origin }, payload: {} });
  expect(bare.statusCode).toBe(403);
});

test('[EST-13] a drawing is 300 ms of work at most, and what was drawn long ago is forgotten', async () => {
  const drawer = new ScreenDrawer(definitionOptions(root), definitions);
  const work: number[] = [];
  const addresses: string[] = [];
  for (let count = 0; count <= 50; count += 1) {
    const before = process.cpuUsage();
    const changes = [typed('/title', `Hola ${count}`)];
    const answer = await drawer.draw({ screen: 'contacto', language: 'es', changes });
    const { user, system } = process.cpuUsage(before);
    work.push((user + system) / 1_000);
    addresses.push(answer.outcome === 'refused' ? '' : String(answer.url));
  }
  work.sort((one, other) => one - other);
  expect(work[25]).toBeLessThan(300);
  expect(addresses.map((address) => drawer.module(address) !== undefined)).toEqual([
    false,
    ...Array.from({ length: 50 }, () => true),
  ]);
});

test('[EST-13] from saving to seeing is a second of work at most', async () => {
  const writer = new DefinitionWriter(definitionOptions(root), definitions.cache);
  const drawer = new ScreenDrawer(definitionOptions(root), definitions);
  const { version } = await readVersioned(root, 'schemas/contacto/ui.json');
  const work: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const before = process.cpuUsage();
    const changes = [{ ...typed('/title', `Guardado ${count}`), base: version }];
    expect(await writer.write({ changes, dryRun: true })).toMatchObject({ outcome: 'fine' });
    await loadDefinitions(definitionOptions(root), definitions.cache); // as it is read anew after a writing
    await readStudioSet(root, definitions);
    await drawer.draw({ screen: 'contacto', language: 'es', changes });
    const { user, system } = process.cpuUsage(before);
    work.push((user + system) / 1_000);
  }
  work.sort((one, other) => one - other);
  expect(work[2]).toBeLessThan(1_000);
});
