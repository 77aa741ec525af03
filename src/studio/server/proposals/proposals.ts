import type {
  Person,
  Proposal,
  ProposalAct,
  ProposalAnswer,
  ProposalComment,
  ProposalList,
  ProposalView,
} from '../../proposal-data.ts';
import { keyOf } from '../../key-of.ts';
import { isSame, unique } from '../team/authors.ts';
import type { Visitor } from '../team/visitors.ts';
import type { Commit, NewCommit, Repository } from './repository.ts';

const prefix = 'propuesta/';
/** Who may approve: a list of addresses. Without the file whoever is no author. */
const approversFile = 'approvers.json';

const together = /^Co-authored-by: (.+) <(.+)>$/gm;
const approval = /\nApproved-by: .+$/;
const comment = /\nComment-on: (.+)$/;

/** What the commits of a branch say of a proposal. */
export interface ProposalHistory extends Proposal {
  readonly comments: readonly ProposalComment[];
}

/**
 * Proposals as branches of git: commits that change files are what is proposed, those that change none are comments and approvals, by who made
 * them, and by who wrote the files with them. A change of the files after an approval takes it back.
 */
export class Proposals {
  readonly #git: Repository;

  constructor(git: Repository) {
    this.#git = git;
  }

  /** The proposals that are not merged, for somebody; null where the project has no commit. */
  async list({ person: me, mayWrite }: Visitor): Promise<ProposalList | null> {
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
      me,
      mayWrite,
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
    const authors = unique(proposed.flatMap(({ author, message }) => [author, ...withAuthors(message)]));
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
  async barred(proposal: Proposal, { person: me, mayWrite }: Visitor): Promise<ProposalView['barred']> {
    if (!me) return 'person';
    if (proposal.approvals.some((person) => isSame(person, me))) return 'approved';
    if (!mayWrite && !(await this.isApprover(me))) return 'reader';
    return barOf(me, proposal.authors, await this.#approvers());
  }

  /** What somebody does. `others`: who wrote the files as well. */
  async act(act: ProposalAct, visitor: Visitor, others: readonly Person[] = []): Promise<ProposalAnswer> {
    if ((await this.#git.say(['rev-parse', '--verify', 'HEAD'])) === null) return refused('git');
    const { person: me, mayWrite } = visitor;
    if (!me) return refused('person');
    if (!mayWrite && (act.kind === 'propose' || !(await this.isApprover(me)))) return refused('reader');
    if (act.kind === 'propose') return this.#propose(act.title, me, others);
    const proposal = await this.open(act.name);
    if (!proposal) return refused('unknown');
    if (act.kind === 'approve' && act.head !== proposal.head) return refused('moved');
    const bar = act.kind === 'approve' ? await this.barred(proposal, visitor) : null;
    if (bar) return refused(bar);
    const tree = await this.#git.say(['rev-parse', `${proposal.head}^{tree}`]);
    const message =
      act.kind === 'approve'
        ? `Aprobar: ${proposal.title}\n\nApproved-by: ${me.name} <${me.email}>`
        : `Comentario\n\n${act.text.trim()}\n\nComment-on: ${act.on}`;
    return this.#put(act.name, proposal.head, { tree: tree ?? '', parent: proposal.head, message, author: me });
  }

  /** The files as they are now, on a branch of its own; what its author proposes again under the same title follows what was there. */
  async #propose(typed: string, me: Person, others: readonly Person[]): Promise<ProposalAnswer> {
    const title = typed.replaceAll(/\s+/g, ' ').trim();
    const name = keyOf(title, '-');
    if (name === '') return refused('title');
    const known = await this.open(name);
    if (known && !known.authors.some((person) => isSame(person, me))) return refused('taken');
    const parent = known?.head ?? (await this.#git.say(['rev-parse', 'HEAD'])) ?? '';
    const tree = await this.#git.treeOfFiles();
    if (tree === null) return refused('git');
    if (tree === (await this.#git.say(['rev-parse', `${parent}^{tree}`]))) return refused('same');
    const trailers = others
      .filter((other) => !isSame(other, me))
      .map((other) => `\nCo-authored-by: ${other.name} <${other.email}>`);
    const message = trailers.length === 0 ? title : `${title}\n${trailers.join('')}`;
    return this.#put(name, known?.head ?? null, { tree, parent, message, author: me });
  }

  async #put(name: string, before: string | null, made: NewCommit): Promise<ProposalAnswer> {
    return (await this.#git.commit(prefix + name, before, made)) ? { outcome: 'done', name } : refused('moved');
  }

  /** The commits that change files, whatever they say of themselves. */
  async #proposed(commits: readonly Commit[]): Promise<readonly Commit[]> {
    const base = await this.#git.say(['rev-parse', `${commits[0]?.hash}^^{tree}`]);
    return commits.filter(({ tree }, index) => tree !== (commits[index - 1]?.tree ?? base));
  }

  /** Whether somebody is in the list of who approves. */
  async isApprover(person: Person): Promise<boolean> {
    return isListed(person, (await this.#approvers()) ?? []);
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
  if (authors.some((author) => isSame(author, person))) return 'author';
  return approvers && !isListed(person, approvers) ? 'list' : null;
}

function isListed({ email }: Person, addresses: readonly string[]): boolean {
  return addresses.some((address) => address.toLowerCase() === email.toLowerCase());
}

function withoutComments({ comments: _, ...proposal }: ProposalHistory): Proposal {
  return proposal;
}

function refused(reason: Extract<ProposalAnswer, { outcome: 'refused' }>['reason']): ProposalAnswer {
  return { outcome: 'refused', reason };
}

function withAuthors(message: string): readonly Person[] {
  return [...message.matchAll(together)].map(([, name = '', email = '']) => ({ name, email }));
}
