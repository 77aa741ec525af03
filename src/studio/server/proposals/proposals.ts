import type {
  Person,
  Proposal,
  ProposalAct,
  ProposalAnswer,
  ProposalComment,
  ProposalList,
} from '../../proposal-data.ts';
import type { Commit, Repository } from './repository.ts';

const prefix = 'propuesta/';
/** Who may approve: a list of addresses. Without the file whoever is no author. */
const approversFile = 'approvers.json';

const approval = /\nApproved-by: .+$/;
const comment = /\nComment-on: (.+)$/;

/** What the commits of a branch say of a proposal. */
export interface ProposalHistory extends Proposal {
  readonly comments: readonly ProposalComment[];
}

/**
 * Proposals as branches of git: commits that change files are what is proposed, those that change none are comments and approvals, by who made
 * them. A change of the files after an approval takes it back.
 */
export class Proposals {
  readonly #git: Repository;

  constructor(git: Repository) {
    this.#git = git;
  }

  /** The proposals that are not merged; null where the project has no commit. */
  async list(): Promise<ProposalList | null> {
    if ((await this.#git.say(['rev-parse', '--verify', 'HEAD'])) === null) return null;
    const names = await this.#git.say([
      'for-each-ref',
      '--no-merged=HEAD',
      '--format=%(refname:lstrip=2)',
      `refs/heads/${prefix}`,
    ]);
    const branches = (names ?? '').split('\n').filter((name) => name !== '');
    const list = await Promise.all(branches.map((branch) => this.open(branch.slice(prefix.length))));
    return {
      me: await this.#git.person(),
      list: list.flatMap((own) => (own ? [withoutComments(own)] : [])),
    };
  }

  /** A proposal with its comments; null where there is none of that name. */
  async open(name: string): Promise<ProposalHistory | null> {
    if (!/^[\w-]+$/.test(name)) return null;
    const commits = await this.#git.commits(prefix + name);
    const [first] = commits;
    const head = commits.at(-1);
    if (!first || !head) return null;
    const proposed = await this.#proposed(commits);
    const last = proposed.at(-1) ?? first;
    const authors = unique(proposed.map(({ author }) => author));
    const after = commits.slice(commits.indexOf(last) + 1);
    const approvers = await this.#approvers();
    return {
      name,
      title: first.message.split('\n', 1)[0] ?? '',
      authors,
      head: head.hash,
      approvals: unique(after.filter(({ message }) => approval.test(message)).map(({ author }) => author)).filter(
        (person) => barOf(person, authors, approvers) === null,
      ),
      comments: commits.flatMap(({ message, author, at }) => {
        const on = comment.exec(message)?.[1];
        const text = message.split('\n').slice(1, -1).join('\n').trim();
        return on === undefined ? [] : [{ on, text, by: author, at }];
      }),
    };
  }

  /** Why somebody may not approve a proposal; null: may. */
  async barred(proposal: Proposal): Promise<'person' | 'author' | 'list' | 'approved' | null> {
    const me = await this.#git.person();
    if (!me) return 'person';
    if (proposal.approvals.some(({ email }) => email === me.email)) return 'approved';
    return barOf(me, proposal.authors, await this.#approvers());
  }

  async act(act: ProposalAct): Promise<ProposalAnswer> {
    if ((await this.#git.say(['rev-parse', '--verify', 'HEAD'])) === null) return refused('git');
    const me = await this.#git.person();
    if (!me) return refused('person');
    if (act.kind === 'propose') return this.#propose(act.title, me);
    const proposal = await this.open(act.name);
    if (!proposal) return refused('unknown');
    if (act.kind === 'approve' && act.head !== proposal.head) return refused('moved');
    const bar = act.kind === 'approve' ? await this.barred(proposal) : null;
    if (bar) return refused(bar);
    const tree = await this.#git.say(['rev-parse', `${proposal.head}^{tree}`]);
    const message =
      act.kind === 'approve'
        ? `Aprobar: ${proposal.title}\n\nApproved-by: ${me.name} <${me.email}>`
        : `Comentario\n\n${act.text.trim()}\n\nComment-on: ${act.on}`;
    return this.#put(act.name, proposal.head, { tree: tree ?? '', parent: proposal.head, message });
  }

  /** The files as they are now, on a branch of its own; what its author proposes again under the same title follows what was there. */
  async #propose(typed: string, me: Person): Promise<ProposalAnswer> {
    const title = typed.replaceAll(/\s+/g, ' ').trim();
    const name = nameOf(title);
    if (name === '') return refused('title');
    const known = await this.open(name);
    if (known && !known.authors.some(({ email }) => email === me.email)) return refused('taken');
    const parent = known?.head ?? (await this.#git.say(['rev-parse', 'HEAD'])) ?? '';
    const tree = await this.#git.treeOfFiles();
    if (tree === null) return refused('git');
    if (tree === (await this.#git.say(['rev-parse', `${parent}^{tree}`]))) return refused('same');
    return this.#put(name, known?.head ?? null, { tree, parent, message: title });
  }

  async #put(name: string, before: string | null, made: Parameters<Repository['commit']>[2]): Promise<ProposalAnswer> {
    return (await this.#git.commit(prefix + name, before, made)) ? { outcome: 'done', name } : refused('moved');
  }

  /** The commits that change files, whatever they say of themselves. */
  async #proposed(commits: readonly Commit[]): Promise<readonly Commit[]> {
    const base = await this.#git.say(['rev-parse', `${commits[0]?.hash}^^{tree}`]);
    return commits.filter(({ tree }, index) => tree !== (commits[index - 1]?.tree ?? base));
  }

  /** Of the last commit that is checked out: a proposal cannot name who approves it. */
  async #approvers(): Promise<readonly string[] | null> {
    const text = await this.#git.text('HEAD', approversFile);
    return text === null ? null : (JSON.parse(text) as readonly string[]); // who keeps the repository wrote it
  }
}

function barOf(
  person: Person,
  authors: readonly Person[],
  approvers: readonly string[] | null,
): 'author' | 'list' | null {
  if (authors.some(({ email }) => email === person.email)) return 'author';
  return approvers && !approvers.includes(person.email) ? 'list' : null;
}

function withoutComments({ comments: _, ...proposal }: ProposalHistory): Proposal {
  return proposal;
}

function refused(reason: Extract<ProposalAnswer, { outcome: 'refused' }>['reason']): ProposalAnswer {
  return { outcome: 'refused', reason };
}

function unique(people: readonly Person[]): readonly Person[] {
  return people.filter(({ email }, index) => people.findIndex((other) => other.email === email) === index);
}

/** A title as the name of a branch. */
function nameOf(title: string): string {
  const plain = title.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
}
