import type { FileChange, MismatchedCase, StudioChange, StudioFinding } from './studio-data.ts';

/** Addresses of the calls about proposals. */
export const proposalAddresses = {
  list: '/_dev/estudio/propuestas',
  one: '/_dev/estudio/propuesta',
  act: '/_dev/estudio/propuestas/accion',
} as const;

/** Somebody as git names its committers. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** Edited definitions that somebody else is to look at: a branch of git. */
export interface Proposal {
  /** Of the branch, behind its prefix. */
  readonly name: string;
  readonly title: string;
  readonly authors: readonly Person[];
  /** The commit that the branch stands at. */
  readonly head: string;
  /** Who approved the files as they are now. */
  readonly approvals: readonly Person[];
}

/** The proposals that are not merged yet. */
export interface ProposalList {
  /** Who looks; null: git does not know. */
  readonly me: Person | null;
  /** Whether they may propose. */
  readonly mayWrite: boolean;
  readonly list: readonly Proposal[];
}

/** Something that was said about a line of a proposal. */
export interface ProposalComment {
  /** `lineOf` the change that it is about. */
  readonly on: string;
  readonly text: string;
  readonly by: Person;
  /** ISO 8601. */
  readonly at: string;
}

/** All that is to be looked at of a proposal. */
export interface ProposalView extends Proposal {
  readonly changes: readonly StudioChange[];
  readonly comments: readonly ProposalComment[];
  /** Screens that look otherwise. */
  readonly screens: readonly string[];
  /** What makes the files of now those before the proposal, and those after it. */
  readonly before: readonly FileChange[];
  readonly after: readonly FileChange[];
  readonly findings: readonly StudioFinding[];
  /** Cases that expect what the rules do not say then. */
  readonly cases: readonly MismatchedCase[];
  /** Why the person of here may not approve it; null: may. */
  readonly barred: 'person' | 'reader' | 'author' | 'list' | 'approved' | null;
}

/** What somebody does with proposals. */
export type ProposalAct =
  | { readonly kind: 'propose'; readonly title: string }
  | { readonly kind: 'comment'; readonly name: string; readonly on: string; readonly text: string }
  /** `head`: the commit that was looked at. */
  | { readonly kind: 'approve'; readonly name: string; readonly head: string };

/** What became of it; `refused` says why in a word. */
export type ProposalAnswer =
  | { readonly outcome: 'done'; readonly name: string }
  | {
      readonly outcome: 'refused';
      readonly reason:
        'git' | 'person' | 'reader' | 'same' | 'title' | 'taken' | 'unknown' | 'moved' | 'author' | 'list' | 'approved';
    };

/** A change in one line, by which comments name it. */
export function lineOf({ where, text }: Pick<StudioChange, 'where' | 'text'>): string {
  return `${where}: ${text}`.replaceAll(/\s+/g, ' ');
}
