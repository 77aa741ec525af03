import { sentenceOf } from '../../../cli/definitions/changes-report.ts';
import { changesBetween } from '../../../cli/definitions/changes-since.ts';
import type { DefinitionsOptions, DefinitionsSource } from '../../../engine/compiler/definitions.ts';
import type { ProposalView } from '../../proposal-data.ts';
import type { FileChange } from '../../studio-data.ts';
import { isWritable, textsOf, versionOf } from '../definition-files.ts';
import type { FindingReader } from '../read-findings.ts';
import { changedScreens, faultyCases, tried } from '../try-set.ts';
import type { Visitor } from '../team/visitors.ts';
import type { Proposals } from './proposals.ts';
import type { Repository } from './repository.ts';

interface ViewParts {
  readonly git: Repository;
  readonly proposals: Proposals;
  readonly options: DefinitionsOptions;
  readonly definitions: Pick<DefinitionsSource, 'cache'>;
  readonly checker: FindingReader;
}

/** A proposal beside what it is based on, for somebody; null where there is none of that name. */
export async function viewProposal(
  name: string,
  visitor: Visitor,
  { git, proposals, options, definitions: { cache }, checker }: ViewParts,
): Promise<ProposalView | null> {
  const proposal = await proposals.open(name);
  if (!proposal) return null;
  const base = (await git.say(['merge-base', 'HEAD', proposal.head])) ?? 'HEAD';
  const [before, after] = [await filesOf(git, base), await filesOf(git, proposal.head)];
  const texts = textsAs(after);
  const tree = (await git.say(['rev-parse', `${proposal.head}^{tree}`])) ?? proposal.head;
  const [was, is] = [
    await tried({ ...options, texts: textsAs(before) }, cache),
    await tried({ ...options, texts }, cache),
  ];
  const screens = was.definitions && is.definitions ? changedScreens(was.definitions, is.definitions) : [];
  const changes = (await changesBetween(options.root, base, proposal.head)) ?? [];
  return {
    ...proposal,
    changes: changes.map((change) => ({
      breaking: change.breaking,
      where: change.where,
      text: sentenceOf(change, 'es'),
    })),
    screens,
    before,
    after,
    // A comment is a commit of the same files.
    findings: await checker.readKept(tree, [...texts]),
    cases: is.definitions ? await faultyCases(options.root, texts, { definitions: is.definitions, screens }) : [],
    barred: await proposals.barred(proposal, visitor),
  };
}

/** What makes the files on the disk those of a commit. */
async function filesOf(git: Repository, commit: string): Promise<readonly FileChange[]> {
  const names = (await git.differing(commit)).filter(isWritable);
  return Promise.all(
    names.map(async (file) => {
      const text = await git.text(commit, file);
      return text === null ? ({ file, base: null, gone: true } as const) : { file, base: null, text };
    }),
  );
}

function textsAs(changes: readonly FileChange[]) {
  return textsOf(
    changes.map(({ file, text }) => ({ file, text: text ?? '', version: text === undefined ? null : versionOf(text) })),
  );
}
