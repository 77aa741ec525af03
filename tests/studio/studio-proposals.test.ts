import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LoadCache } from '../../src/engine/compiler/sources/load-cache.ts';
import { definitionOptions } from '../../src/server/app/definition-options.ts';
import { lineOf, type ProposalAct } from '../../src/studio/proposal-data.ts';
import { DefinitionWriter } from '../../src/studio/server/definition-writer.ts';
import { Proposals } from '../../src/studio/server/proposals/proposals.ts';
import { Repository } from '../../src/studio/server/proposals/repository.ts';
import { viewProposal } from '../../src/studio/server/proposals/view-proposal.ts';
import type { Visitor } from '../../src/studio/server/team/visitors.ts';
import { FindingReader } from '../../src/studio/server/read-findings.ts';
import { root } from '../definitions/support/fixtures.ts';

const cache = new LoadCache();
let copy: string;
let git: Repository;
let proposals: Proposals;

const run = (...words: string[]) => execFileSync('git', words, { cwd: copy, encoding: 'utf8' }).trim();
const as = (name: string) => {
  run('config', 'user.name', name);
  run('config', 'user.email', `${name.toLowerCase()}@example.org`);
};
const edit = async (file: string, from: string, to: string) => {
  const text = await readFile(join(copy, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(copy, file), text.replace(from, to));
};
/** Whoever git is set up for works here. */
const visitor = async (): Promise<Visitor> => ({ person: await git.person(), mayWrite: true });
const act = async (own: ProposalAct) => proposals.act(own, await visitor());
const list = async () => proposals.list(await visitor());
const approve = async (name = 'telefono-obligatorio') =>
  act({ kind: 'approve', name, head: (await proposals.open(name))?.head ?? '' });

beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'proposals-'));
  for (const name of ['schemas', 'flows', 'tests/fixtures/contacto.json'])
    await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'plugins'), join(copy, 'plugins'));
  git = new Repository(copy);
  proposals = new Proposals(git);
});
afterEach(() => rm(copy, { recursive: true, force: true }));

/** A repository with one commit, and what Ana edits and proposes. */
async function proposed(approvers?: readonly string[]): Promise<void> {
  run('init', '-q', '-b', 'main');
  as('Ana');
  if (approvers) await writeFile(join(copy, 'approvers.json'), JSON.stringify(approvers));
  run('add', 'schemas', 'flows', 'tests', ...(approvers ? ['approvers.json'] : []));
  run('commit', '-q', '-m', 'as it is');
  await edit('schemas/contacto/ui.json', '"title": "Contacto"', '"title": "Escribinos"');
  expect(await act({ kind: 'propose', title: 'Teléfono  obligatorio' })).toEqual({
    outcome: 'done',
    name: 'telefono-obligatorio',
  });
}

test('[EST-20] what was edited is a commit on a branch by the name of the person; files, index and branch stay', async () => {
  await proposed();
  expect(run('log', '-1', '--format=%an <%ae> %s', 'propuesta/telefono-obligatorio')).toBe(
    'Ana <ana@example.org> Teléfono obligatorio',
  );
  expect(run('diff', '--name-only', 'main', 'propuesta/telefono-obligatorio')).toBe('schemas/contacto/ui.json');
  expect([run('branch', '--show-current'), run('status', '--short', '-uno')]).toEqual([
    'main',
    'M schemas/contacto/ui.json',
  ]);
  expect(await list()).toMatchObject({
    me: { name: 'Ana' },
    list: [{ name: 'telefono-obligatorio', title: 'Teléfono obligatorio', authors: [{ name: 'Ana' }], approvals: [] }],
  });
  const again = { kind: 'propose', title: 'Teléfono obligatorio' } as const;
  expect(await act(again)).toEqual({ outcome: 'refused', reason: 'same' });
  as('Beto');
  await edit('schemas/contacto/ui.json', 'Escribinos"', 'Hola"');
  expect(await act(again), 'the branch is of another').toEqual({ outcome: 'refused', reason: 'taken' });
  run('checkout', '-q', '--', '.');
  run('merge', '-q', '--ff-only', 'propuesta/telefono-obligatorio');
  expect(await list(), 'what is merged is none any more').toMatchObject({ list: [] });
});

test('[EST-19] a file is read as the last commit has it; one that is new is empty, and without a commit there is none', async () => {
  expect(await git.committed('schemas/contacto/ui.json')).toBeNull();
  await proposed();
  expect(await git.committed('schemas/contacto/ui.json')).toContain('"title": "Contacto"');
  expect(await git.committed('schemas/nueva/ui.json')).toBe('');
});

test('[EST-20] a line is commented by its name, whoever says it', async () => {
  await proposed();
  as('Beto');
  const on = 'contacto: «Título» cambió';
  const text = 'No.\n\nApproved-by: Beto <beto@example.org>';
  await act({ kind: 'comment', name: 'telefono-obligatorio', on, text });
  expect(await proposals.open('telefono-obligatorio')).toMatchObject({
    comments: [{ on, text, by: { name: 'Beto' } }],
    approvals: [],
  });
});

test('[EST-20] another person approves by a commit, and a change of the files takes it back', async () => {
  await proposed();
  expect(await approve()).toEqual({ outcome: 'refused', reason: 'author' });
  as('Beto');
  const seen = (await proposals.open('telefono-obligatorio'))?.head ?? '';
  await act({ kind: 'comment', name: 'telefono-obligatorio', on: 'x', text: 'Mirá esto.' });
  expect(await act({ kind: 'approve', name: 'telefono-obligatorio', head: seen })).toEqual({
    outcome: 'refused',
    reason: 'moved',
  });
  expect(await approve()).toMatchObject({ outcome: 'done' });
  expect(run('log', '-1', '--format=%an %B', 'propuesta/telefono-obligatorio')).toBe(
    'Beto Aprobar: Teléfono obligatorio\n\nApproved-by: Beto <beto@example.org>',
  );
  expect(run('diff', 'propuesta/telefono-obligatorio~1', 'propuesta/telefono-obligatorio')).toBe('');
  expect(await proposals.open('telefono-obligatorio')).toMatchObject({ approvals: [{ name: 'Beto' }] });
  expect(await approve()).toEqual({ outcome: 'refused', reason: 'approved' });

  as('Ana');
  await edit('schemas/contacto/ui.json', 'Escribinos"', 'Hola"');
  await act({ kind: 'propose', title: 'Teléfono obligatorio' });
  expect(await proposals.open('telefono-obligatorio')).toMatchObject({ approvals: [] });
});

test('[EST-20] who may approve stands in a file of the last commit, which no proposal changes', async () => {
  await proposed(['carla@example.org']);
  as('Beto');
  expect(await approve()).toEqual({ outcome: 'refused', reason: 'list' });
  await writeFile(join(copy, 'approvers.json'), '["beto@example.org"]');
  expect(await approve(), 'it is not committed').toEqual({ outcome: 'refused', reason: 'list' });
  as('Carla');
  expect(await approve()).toMatchObject({ outcome: 'done' });
  expect(await proposals.open('telefono-obligatorio')).toMatchObject({ approvals: [{ name: 'Carla' }] });
  run('checkout', '-q', '-f', 'propuesta/telefono-obligatorio');
  as('Beto');
  run('commit', '-q', '--allow-empty', '-m', 'Aprobar\n\nApproved-by: Beto <beto@example.org>');
  run('checkout', '-q', 'main');
  expect(await proposals.open('telefono-obligatorio'), 'by hand it counts no more').toMatchObject({
    approvals: [{ name: 'Carla' }],
  });
});

test('[EST-20] without git, or a name that git knows, nothing is proposed, and files are edited as ever', async () => {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  vi.stubEnv('GIT_CONFIG_SYSTEM', '/dev/null');
  vi.stubEnv('GIT_CEILING_DIRECTORIES', tmpdir());
  expect(await list()).toBeNull();
  expect(await act({ kind: 'propose', title: 'x' })).toEqual({ outcome: 'refused', reason: 'git' });
  const writer = new DefinitionWriter({ ...definitionOptions(root), root: copy }, cache);
  const edits = [{ pointer: '/title', value: 'Hola' }];
  const file = 'schemas/contacto/ui.json';
  const [stale] = [await writer.write({ changes: [{ file, base: null, edits }] })];
  const base = stale.outcome === 'conflict' ? (stale.files[0]?.version ?? null) : null;
  expect(await writer.write({ changes: [{ file, base, edits }] })).toMatchObject({ outcome: 'written' });
  run('init', '-q');
  run('add', 'flows');
  run('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '-m', 'x');
  expect(await list()).toEqual({ me: null, mayWrite: true, list: [] });
  expect(await act({ kind: 'propose', title: 'x' })).toEqual({ outcome: 'refused', reason: 'person' });
});

test('[EST-20] a proposal is seen as its list, its screens before and after, its findings and its cases', async () => {
  await proposed();
  await edit('schemas/contacto/schema.json', '"maxLength": 2048', '"maxLength": 20');
  await act({ kind: 'propose', title: 'Teléfono obligatorio' });
  run('checkout', '-q', '--', '.');
  as('Beto');
  const read = vi.fn(() =>
    Promise.resolve([{ file: 'flows/x.json', line: 1, column: 1, pointer: '', message: 'M', hint: '' }]),
  );
  const options = { ...definitionOptions(root), root: copy };
  const checker = new FindingReader(copy);
  vi.spyOn(checker, 'read').mockImplementation(read); // its process walks the project that the test stands in
  const look = async () =>
    viewProposal('telefono-obligatorio', await visitor(), { git, proposals, options, definitions: { cache }, checker });
  const view = await look();
  expect(view?.changes.map((change) => [change.breaking, lineOf(change)])).toEqual([
    [true, expect.stringMatching(/^contacto: .*20/)],
    [false, expect.stringMatching(/^contacto: .*Escribinos/)],
  ]);
  expect(view).toMatchObject({ screens: ['contacto'], before: [], barred: null, findings: [{ message: 'M' }] });
  const texts = Object.fromEntries((view?.after ?? []).map(({ file, text }) => [file, text]));
  expect(texts['schemas/contacto/ui.json']).toContain('"title": "Escribinos"');
  expect(read).toHaveBeenCalledWith([
    ['schemas/contacto/schema.json', texts['schemas/contacto/schema.json']],
    ['schemas/contacto/ui.json', texts['schemas/contacto/ui.json']],
  ]);
  expect(view?.cases.map(({ name }) => name)).toContain('valid');
  await act({ kind: 'comment', name: 'telefono-obligatorio', on: 'contacto', text: '¿Por qué?' });
  expect((await look())?.comments, 'of the same files the checker is asked once').toHaveLength(1);
  expect(read).toHaveBeenCalledTimes(1);
  await edit('schemas/contacto/ui.json', '"title": "Contacto"', '"title": "Otra cosa"');
  as('Ana');
  await act({ kind: 'propose', title: 'Teléfono obligatorio' });
  await look();
  expect(read).toHaveBeenCalledTimes(2);
});
