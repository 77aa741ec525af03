import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languages } from '../../contract/portal-config.ts';
import { isObject } from '../../engine/core/json.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { devAddresses } from '../dev-data.ts';
import { proposedEvent } from '../drawn-at.ts';
import { proposalAddresses, type ProposalAct } from '../proposal-data.ts';
import {
  renamed,
  studioAddresses,
  tokenHeader,
  type DrawRequest,
  type FileChange,
  type RenameWish,
  type WriteAnswer,
  type WriteRequest,
} from '../studio-data.ts';
import { sendDevPage, type DevParts } from './dev-page.ts';
import { ScreenDrawer } from './draw-screen.ts';
import { DefinitionWriter } from './definition-writer.ts';
import { isWritable, largestFile } from './definition-files.ts';
import { Proposals } from './proposals/proposals.ts';
import { Repository } from './proposals/repository.ts';
import { viewProposal } from './proposals/view-proposal.ts';
import { nextRun } from './next-run.ts';
import { Authors } from './team/authors.ts';
import { ownVisitor, teamVisitors, type Visitor, type Visitors } from './team/visitors.ts';
import { planRename } from './rename/plan-rename.ts';
import { FindingReader } from './read-findings.ts';
import { readStudioCases, readStudioChanges, readStudioSet, readStudioFacts } from './read-studio.ts';

const statuses: Readonly<Record<WriteAnswer['outcome'], number>> = {
  written: 200,
  fine: 200,
  conflict: 409,
  problems: 422,
  mismatched: 422,
  refused: 400,
};

/**
 * The studio: a page, what it reads, and what it writes. All of it is for browsers of this machine under the server's own name, or of a team
 * behind its proxy; only a page that this process gave out reads files and writes.
 */
export function registerStudio(
  http: FastifyInstance,
  parts: DevParts,
  token = randomBytes(32).toString('base64url'),
): void {
  const { root, definitions, site, team } = parts;
  const writer = new DefinitionWriter(definitionOptions(root), definitions.cache);
  const checker = new FindingReader(root);
  http.addHook('onClose', async () => checker.close());
  const git = new Repository(root);
  const proposals = new Proposals(git);
  const drawer = new ScreenDrawer(definitionOptions(root), definitions);
  const authors = new Authors(root, git);
  const visitors = team ? teamVisitors(team, root) : ownVisitor(site.origin, () => git.person());
  const here = { visitors, token };
  /** Of the writings of a machine that one person has, nobody needs to know whose they are. */
  const byOf = ({ person }: Visitor) => (visitors.isTeam ? person?.email : undefined);

  http.get(devAddresses.studio, async (request, reply) => {
    if (!visitors.admits(request.raw)) return refuse(reply);
    const { person, mayWrite } = await visitors.of(request.raw);
    const member = visitors.isTeam && person ? { name: person.name, mayWrite } : null;
    const read = async () => ({ view: 'studio', token, facts: await readStudioFacts(root), member }) as const;
    return sendDevPage(parts, request, reply, { read, embeddable: false });
  });
  type Read = (query: Readonly<Record<string, unknown>>, visitor: Visitor) => Promise<unknown>;
  const reads: Readonly<Record<string, Read>> = {
    [studioAddresses.set]: async (_query, visitor) => ({
      ...(await readStudioSet(root, definitions)),
      history: await writer.history(byOf(visitor)),
    }),
    [studioAddresses.cases]: ({ screen }) =>
      definitions.current.screens.has(String(screen))
        ? readStudioCases(root, definitions, String(screen))
        : Promise.resolve(null),
    [studioAddresses.changes]: () => readStudioChanges(root),
    [studioAddresses.committed]: async ({ file }) => (isWritable(file) ? await git.committed(file) : null),
    [studioAddresses.findings]: nextRun(() => checker.read()),
    [proposalAddresses.list]: (_query, visitor) => proposals.list(visitor),
    [proposalAddresses.one]: ({ name }, visitor) =>
      viewProposal(String(name), visitor, { git, proposals, options: definitionOptions(root), definitions, checker }),
    [studioAddresses.rename]: (query) =>
      planRename(definitionOptions(root), wishOf(query), (request) => writer.write(request), definitions.cache),
  };
  for (const [address, read] of Object.entries(reads))
    http.get(address, async (request, reply) => {
      if (!isOfStudio(request, here)) return refuse(reply);
      const query = request.query as Readonly<Record<string, unknown>>; // fastify reads a query into an object
      return reply.send({ answer: await read(query, await visitors.of(request.raw)) });
    });
  const noting = ({ person }: Visitor, write: () => Promise<WriteAnswer>) =>
    visitors.isTeam && person ? authors.noting(person, write) : write();
  http.put(studioAddresses.write, { bodyLimit: 4 * largestFile }, async (request, reply) => {
    if (!isSentByStudio(request, here)) return refuse(reply);
    const { body } = request;
    if (!isWriteRequest(body)) return reply.code(400).send({ outcome: 'refused', reason: 'shape' });
    const visitor = await visitors.of(request.raw);
    if (!visitor.mayWrite && body.dryRun !== true) return refuse(reply, 'reader');
    return send(reply, await noting(visitor, () => writer.write(body, byOf(visitor))));
  });
  http.put(studioAddresses.draw, { bodyLimit: 4 * largestFile }, async (request, reply) => {
    if (!isSentByStudio(request, here)) return refuse(reply);
    const { body } = request;
    if (!isDrawRequest(body)) return reply.code(400).send({ outcome: 'refused', reason: 'shape' });
    return reply.send(await drawer.draw(body));
  });
  http.put(proposalAddresses.act, async (request, reply) => {
    if (!isSentByStudio(request, here)) return refuse(reply);
    const { body } = request;
    if (!isProposalAct(body)) return reply.code(400).send({ outcome: 'refused', reason: 'shape' });
    const others = visitors.isTeam ? await authors.all() : [];
    const answer = await proposals.act(body, await visitors.of(request.raw), others);
    if (answer.outcome === 'done') parts.vite.ws.send(proposedEvent); // the others look at it too
    return reply.send(answer);
  });
  // A page imports it by its address, and so without the token: whoever has that address was given it.
  http.get(`${studioAddresses.modules}/*`, async (request, reply) => {
    const source = drawer.module(request.url.split('?', 1)[0] ?? ''); // Vite marks what a page imports by a query
    if (!visitors.admits(request.raw) || source === undefined) return refuse(reply);
    return reply.type('text/javascript; charset=utf-8').send(source);
  });
  for (const kind of ['undo', 'redo'] as const)
    http.put(studioAddresses[kind], async (request, reply) => {
      if (!isSentByStudio(request, here)) return refuse(reply);
      const visitor = await visitors.of(request.raw);
      if (!visitor.mayWrite) return refuse(reply, 'reader');
      const { body } = request;
      const id = isObject(body) ? String(body['id']) : '';
      return send(reply, await noting(visitor, () => writer.turn(kind, id, byOf(visitor))));
    });
}

function send(reply: FastifyReply, answer: WriteAnswer): FastifyReply {
  return reply.code(statuses[answer.outcome]).send(answer);
}

function refuse(reply: FastifyReply, reason: 'elsewhere' | 'reader' = 'elsewhere'): FastifyReply {
  return reply.code(403).send({ outcome: 'refused', reason });
}

interface Here {
  readonly visitors: Visitors;
  readonly token: string;
}

function isOfStudio(request: FastifyRequest, { visitors, token }: Here): boolean {
  const given = Buffer.from(String(request.headers[tokenHeader] ?? ''));
  const own = Buffer.from(token);
  return visitors.admits(request.raw) && given.length === own.length && timingSafeEqual(given, own);
}

/** A browser names the origin of a page that writes. */
function isSentByStudio(request: FastifyRequest, here: Here): boolean {
  return isOfStudio(request, here) && request.headers.origin === here.visitors.origin;
}

/** A query that wishes for nothing that is known is of a field that no screen has. */
function wishOf({ kind, of, from, to }: Readonly<Record<string, unknown>>): RenameWish {
  const known = renamed.find((name) => name === kind) ?? 'field';
  return { kind: known, of: String(of), from: String(from), to: String(to) };
}

function isWriteRequest(body: unknown): body is WriteRequest {
  if (!isObject(body) || !['boolean', 'undefined'].includes(typeof body['dryRun'])) return false;
  if (!['string', 'undefined'].includes(typeof body['field'])) return false;
  return isChanges(body['changes']) && body['changes'].length > 0;
}

function isProposalAct(body: unknown): body is ProposalAct {
  const texts = { propose: ['title'], comment: ['name', 'on', 'text'], approve: ['name', 'head'] } as const;
  const kind = isObject(body) ? body['kind'] : undefined;
  if (!isObject(body) || (kind !== 'propose' && kind !== 'comment' && kind !== 'approve')) return false;
  const isText = (text: unknown) => typeof text === 'string' && text.trim() !== '' && text.length <= 2_000;
  return texts[kind].every((key) => isText(body[key])) && !String(body['on']).includes('\n');
}

function isDrawRequest(body: unknown): body is DrawRequest {
  if (!isObject(body) || typeof body['screen'] !== 'string') return false;
  return languages.some((language) => language === body['language']) && isChanges(body['changes']);
}

function isChanges(changes: unknown): changes is readonly FileChange[] {
  return Array.isArray(changes) && changes.length <= 500 && changes.every(isFileChange);
}

function isFileChange(change: unknown): boolean {
  if (!isObject(change)) return false;
  const { file, base, edits, text, gone } = change;
  const isEdit = (edit: unknown) =>
    isObject(edit) &&
    typeof edit['pointer'] === 'string' &&
    ['string', 'undefined'].includes(typeof edit['before']) &&
    (edit['pointer'] === '' || edit['pointer'].startsWith('/'));
  return (
    typeof file === 'string' &&
    (base === null || typeof base === 'string') &&
    (gone === true
      ? text === undefined && edits === undefined
      : gone === undefined &&
        (text === undefined
          ? Array.isArray(edits) && edits.every(isEdit)
          : typeof text === 'string' && edits === undefined))
  );
}
