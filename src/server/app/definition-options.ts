import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionsOptions, FieldRead } from '../../engine/compiler/definitions.ts';
import type { CallDefaults } from '../../engine/compiler/flow/call-defaults.ts';
import type { AccessWords } from '../../engine/core/definition.ts';
import { callNames, contract, type Call, type CallName } from '../../contract/contract.ts';
import { factPaths, portalFacts, ruleFacts, sharedFacts } from '../../contract/facts.ts';
import { deskPages, pages, serverPages } from '../../contract/pages.ts';
import { baseLanguage } from '../../contract/portal-config.ts';

/**
 * Who may open a state: a `guest`, who is not signed in; a `citizen` who is, from wherever; `enrolment`, who manages the own account here, which users
 * of foreign identity providers do not; `account`, the same once a second factor that the level demands is set up; an `agent`, who attends citizens at a desk of its own.
 */
export const accessWords: AccessWords = {
  guest: {},
  citizen: { known: true },
  enrolment: { known: true, within: 'citizen' },
  account: { known: true, within: 'enrolment' },
  agent: { known: true, within: 'account' },
};

/** What a call takes where a flow says nothing of it: the caller's own id in its address, and nothing where its body is empty. */
export const callDefaults = Object.fromEntries(
  callNames.map((name): [string, CallDefaults] => {
    const { own, body }: Call = contract[name];
    return [
      name,
      {
        ...(own === undefined ? {} : { params: { [own]: { var: 'user.id' } } }),
        ...(body === 'empty' && { input: {} }),
      },
    ];
  }),
);

/** What the definitions of the project at `root` are checked against: the contract's calls, the portal's blocks, the facts, the pages that it leads to. */
export function definitionOptions(root: string): Omit<DefinitionsOptions, 'watch'> {
  return {
    root,
    baseLanguage,
    language: baseLanguage, // that of analysts
    calls: callNames,
    defaults: callDefaults,
    reads: callNames.flatMap((name) => readsOf(name)),
    pages: Object.values({ ...pages, ...serverPages, ...deskPages }),
    blocks: blocksIn(join(root, 'src/portal/blocks')),
    access: accessWords,
    apart: { access: 'agent', blocks: blocksIn(join(root, 'src/desk/blocks')) },
    facts: factPaths([...sharedFacts, ...portalFacts]),
    forms: Object.fromEntries(callNames.map((name) => [name, screensOf(name)])),
    extra: callNames.filter((name) => (contract[name] as Call).extra),
    judged: {
      screens: callNames.flatMap((name) => [...screensOf(name), ...Object.keys((contract[name] as Call).judges ?? {})]),
      facts: factPaths(sharedFacts),
      own: ruleFacts,
    },
  };
}

function blocksIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[\w-]+\.tsx$/.test(name))
    .map((name) => name.slice(0, -4));
}

function screensOf(call: CallName): readonly string[] {
  const { screen }: Call = contract[call];
  return [screen ?? []].flat();
}

function readsOf(call: CallName): readonly FieldRead[] {
  const { reads = {}, captcha, judges = {} }: Call = contract[call];
  const screens = screensOf(call);
  const fields = { ...reads, ...(captcha && { captcha_response: 'string' as const }) };
  return [
    ...(screens.length === 0 ? [] : readsIn(call, screens, fields)),
    ...Object.entries(judges).flatMap(([screen, read]) => readsIn(call, [screen], read)),
  ];
}

function readsIn(call: CallName, screens: readonly string[], fields: NonNullable<Call['reads']>): readonly FieldRead[] {
  return Object.entries(fields).map(([field, type]) => ({ call, screens, field, type }));
}
