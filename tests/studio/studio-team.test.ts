import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance, type InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DefinitionsSource } from '../../src/engine/compiler/definitions.ts';
import { openDefinitions } from '../../src/engine/compiler/open-definitions.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { readConfig } from '../../src/server/platform/config/read-config.ts';
import { proposalAddresses, type ProposalList } from '../../src/studio/proposal-data.ts';
import type { DevParts } from '../../src/studio/server/dev-page.ts';
import { proposedEvent } from '../../src/studio/drawn-at.ts';
import { registerStudio } from '../../src/studio/server/studio-routes.ts';
import { teamOf, teamVisitors } from '../../src/studio/server/team/visitors.ts';
import { studioAddresses, tokenHeader, type StudioSet, type WriteAnswer } from '../../src/studio/studio-data.ts';
import { root } from '../definitions/support/fixtures.ts';

const origin = 'https://estudio.example';
const token = 'a-token-of-this-process';
const proxy = '10.0.0.5';
const team = { origin, header: 'x-forwarded-email', proxies: [proxy] };
const file = 'schemas/contacto/ui.json';
let copy: string;
let definitions: DefinitionsSource;
let http: FastifyInstance;
/** What the pages were told. */
let told: string[];

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'team-'));
  for (const name of ['schemas', 'flows', 'tests/fixtures/contacto.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'plugins'), join(copy, 'plugins'));
  const people = { 'ana@example.org': 'Ana  Pereira\n<x>', 'Beto@Example.org': 'Beto', 'mal@example.org': '' };
  await writeFile(join(copy, 'editors.json'), JSON.stringify(people));
  await writeFile(join(copy, 'approvers.json'), '["carla@example.org", "beto@example.org"]');
  const run = (...words: string[]) => execFileSync('git', words, { cwd: copy });
  run('init', '-q', '-b', 'main');
  run('add', '.');
  run('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '-m', 'as it is');
  definitions = await openDefinitions({ ...definitionOptions(root), root: copy });
});
afterAll(() => rm(copy, { recursive: true, force: true }));
beforeEach(async () => {
  execFileSync('git', ['checkout', '-q', '--', '.'], { cwd: copy });
  await rm(join(copy, '.cache'), { recursive: true, force: true });
  http = fastify();
  told = [];
  const vite = { ws: { send: (event: string) => told.push(event) } };
  registerStudio(http, { root: copy, definitions, site: { origin }, team, vite } as unknown as DevParts, token); // what its routes use
  return () => http.close();
});

/** What somebody behind the proxy is answered. */
async function asked<Answer>(email: string, options: InjectOptions, headers: Readonly<Record<string, string>> = {}) {
  const own = { host: 'estudio.example', origin, [tokenHeader]: token, 'x-forwarded-email': email, ...headers };
  const response = await http.inject({ remoteAddress: proxy, headers: own, ...options });
  return { status: response.statusCode, answer: response.json<Answer>() };
}

async function written(email: string, title: string, more: object = {}) {
  const { answer } = await asked<{ answer: StudioSet }>(email, { url: studioAddresses.set });
  const base = answer.answer.files[file]?.version;
  const changes = [{ file, base, edits: [{ pointer: '/title', value: title }] }];
  const payload = { changes, ...more };
  return asked<WriteAnswer & { reason?: string }>(email, { method: 'PUT', url: studioAddresses.write, payload });
}

const historyOf = async (email: string) =>
  (await asked<{ answer: StudioSet }>(email, { url: studioAddresses.set })).answer.answer.history;
const act = async (email: string, payload: object) =>
  (await asked<object>(email, { method: 'PUT', url: proposalAddresses.act, payload })).answer;
const listed = async (email: string) =>
  (await asked<{ answer: ProposalList }>(email, { url: proposalAddresses.list })).answer.answer;
const propose = { kind: 'propose', title: 'Un título' } as const;

describe('the studio of a team', () => {
  test.each<[note: string, change: Partial<InjectOptions>, headers: Record<string, string>]>([
    ['past the proxy', { remoteAddress: '10.0.0.6' }, {}],
    ['from the machine itself', { remoteAddress: '127.0.0.1' }, {}],
    ['without a name', {}, { 'x-forwarded-email': '' }],
    ['by two names', {}, { 'x-forwarded-email': 'ana@example.org, eva@example.org' }],
    ['by a name that is no address', {}, { 'x-forwarded-email': 'ana' }],
    ['at another name of the server', {}, { host: 'evil.example' }],
    ['for a page of another origin', {}, { origin: 'https://evil.example' }],
    ['without the token of the page', {}, { [tokenHeader]: '' }],
  ])('answers nobody %s', async (_note, change, headers) => {
    for (const url of [studioAddresses.set, proposalAddresses.list])
      expect(await asked('ana@example.org', { url, ...change }, headers)).toMatchObject({ status: 403 });
    const payload = { changes: [{ file, base: null, edits: [] }] };
    const write = { method: 'PUT', url: studioAddresses.write, payload, ...change } as const;
    expect(await asked('ana@example.org', write, headers)).toMatchObject({ status: 403 });
  });

  test('lets who is in editors.json write, and everybody else look', async () => {
    expect(await written('ana@example.org', 'Hola')).toMatchObject({ status: 200 });
    for (const email of ['eva@example.org', 'carla@example.org', 'mal@example.org']) {
      expect(await written(email, 'Chau')).toMatchObject({ status: 403, answer: { reason: 'reader' } });
      expect(await written(email, 'Chau', { dryRun: true })).toMatchObject({ status: 200 });
      const undo = { method: 'PUT', url: studioAddresses.undo, payload: { id: 'x' } } as const;
      expect(await asked(email, undo)).toMatchObject({ status: 403, answer: { reason: 'reader' } });
    }
    expect(await written('BETO@example.org', 'Chau')).toMatchObject({ status: 200 });
    await writeFile(join(copy, 'editors.json'), '{ broken');
    expect(await written('ana@example.org', 'Otra')).toMatchObject({ status: 403 });
  });

  test('tells of a conflict where somebody wrote meanwhile', async () => {
    const { answer } = await asked<{ answer: StudioSet }>('beto@example.org', { url: studioAddresses.set });
    await written('ana@example.org', 'Hola');
    const changes = [{ file, base: answer.answer.files[file]?.version, edits: [{ pointer: '/title', value: 'Chau' }] }];
    const late = { method: 'PUT', url: studioAddresses.write, payload: { changes } } as const;
    expect(await asked('beto@example.org', late)).toMatchObject({ status: 409, answer: { files: [{ file }] } });
  });

  test('undoes what oneself wrote alone', async () => {
    await written('ana@example.org', 'Hola');
    const { undo } = await historyOf('ana@example.org');
    expect(undo).toMatchObject({ files: [file] });
    expect(await historyOf('beto@example.org')).toEqual({ undo: null, redo: null });
    const turn = (email: string) =>
      asked(email, { method: 'PUT', url: studioAddresses.undo, payload: { id: undo?.id } });
    expect(await turn('beto@example.org')).toMatchObject({ status: 400, answer: { reason: 'unknown' } });
    expect(await turn('ana@example.org')).toMatchObject({ status: 200 });
    expect(await historyOf('ana@example.org')).toMatchObject({ undo: null, redo: { files: [file] } });
    const other = { file: 'flows/ayuda.json', base: null, edits: [] };
    const { answer } = await asked<{ answer: StudioSet }>('beto@example.org', { url: studioAddresses.set });
    const base = answer.answer.files[other.file]?.version;
    const edits = [{ pointer: '/description', value: 'Otra.' }];
    const payload = { changes: [{ ...other, base, edits }] };
    expect(await asked('beto@example.org', { method: 'PUT', url: studioAddresses.write, payload })).toMatchObject({
      status: 200,
    });
    expect(await historyOf('ana@example.org'), 'the writing of another leaves what can be redone').toMatchObject({
      redo: { files: [file] },
    });
  });

  test('has everybody who wrote the files as an author of what is proposed, and none of them approves', async () => {
    await written('ana@example.org', 'Hola');
    await written('beto@example.org', 'Chau');
    expect(await act('eva@example.org', propose)).toMatchObject({ reason: 'reader' });
    expect(await act('carla@example.org', propose)).toMatchObject({ reason: 'reader' });
    expect(told).toEqual([]);
    expect(await act('ana@example.org', propose)).toMatchObject({ outcome: 'done', name: 'un-titulo' });
    expect(told, 'the others look at it').toEqual([proposedEvent]);
    const { me, list } = await listed('ana@example.org');
    expect(me).toEqual({ name: 'Ana Pereira x', email: 'ana@example.org' });
    const [{ authors, head } = { authors: [], head: '' }] = list;
    expect(authors.map(({ email }) => email)).toEqual(['ana@example.org', 'beto@example.org']);
    const approve = { kind: 'approve', name: 'un-titulo', head };
    expect(await act('beto@example.org', approve)).toMatchObject({ reason: 'author' });
    expect(await act('eva@example.org', approve)).toMatchObject({ reason: 'reader' });
    expect(await act('eva@example.org', { kind: 'comment', name: 'un-titulo', on: 'x', text: 'y' })).toMatchObject({
      reason: 'reader',
    });
    expect(await act('carla@example.org', approve)).toMatchObject({ outcome: 'done' });
    expect((await listed('eva@example.org')).list).toMatchObject([{ approvals: [{ email: 'carla@example.org' }] }]);
  });

  test('forgets who wrote what another commit holds', async () => {
    await written('beto@example.org', 'Chau');
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qam', 'Chau'], {
      cwd: copy,
    });
    await written('ana@example.org', 'Hola');
    expect(await act('ana@example.org', { ...propose, title: 'Dos' })).toMatchObject({ outcome: 'done' });
    const { list } = await listed('ana@example.org');
    expect(list.find(({ name }) => name === 'dos')?.authors.map(({ email }) => email)).toEqual(['ana@example.org']);
  });
});

test('a team has a header and the addresses of its proxy, or no studio', () => {
  const env = { BASE_URL: origin, SMTP_URL: 'smtp://mail.example' };
  const of = (more: object) => () => teamOf(readConfig({ ...env, ...more }));
  expect(of({ TRUST_PROXY: proxy, STUDIO_USER_HEADER: 'X-Forwarded-Email' })()).toEqual(team);
  expect(of({ TRUST_PROXY: proxy })).toThrow(/STUDIO_USER_HEADER must name/);
  for (const proxies of ['off', '1'])
    expect(of({ TRUST_PROXY: proxies, STUDIO_USER_HEADER: 'X-Forwarded-Email' })).toThrow(/TRUST_PROXY must name/);
  for (const header of ['Cookie', 'X-Forwarded-For', 'a b'])
    expect(of({ TRUST_PROXY: proxy, STUDIO_USER_HEADER: header })).toThrow(/STUDIO_USER_HEADER must be/);
});

test('a studio without a team knows nobody by a header', async () => {
  const own = fastify();
  registerStudio(own, { root: copy, definitions, site: { origin }, team: null } as unknown as DevParts, token);
  const headers = { host: 'estudio.example', origin, [tokenHeader]: token, 'x-forwarded-email': 'ana@example.org' };
  expect((await own.inject({ url: studioAddresses.set, headers, remoteAddress: proxy })).statusCode).toBe(403);
  expect(teamVisitors(team, copy).isTeam).toBe(true);
  await own.close();
});
