import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionsOptions, FieldRead } from '../../engine/compiler/definitions.ts';
import type { OperationDefaults } from '../../engine/compiler/flow/written-flow.ts';
import type { AccessWords } from '../../engine/core/definition.ts';
import { operationNames, contract, type Operation, type OperationName } from '../../contract/contract.ts';
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

/** What an operation takes where a flow says nothing of it: the caller's own id in its address, and nothing where its body is empty. */
export const operationDefaults = Object.fromEntries(
  operationNames.map((name): [string, OperationDefaults] => {
    const { own, body }: Operation = contract[name];
    return [
      name,
      {
        ...(own === undefined ? {} : { params: { [own]: { var: 'user.id' } } }),
        ...(body === 'empty' && { input: {} }),
      },
    ];
  }),
);

/** What the definitions of the project at `root` are checked against: the contract's operations, the portal's blocks, the facts, the pages that it leads to. */
export function definitionOptions(root: string): Omit<DefinitionsOptions, 'watch'> {
  return {
    root,
    baseLanguage,
    language: baseLanguage, // that of analysts
    operations: operationNames,
    defaults: operationDefaults,
    reads: operationNames.flatMap((name) => listFieldReads(name)),
    pages: Object.values({ ...pages, ...serverPages, ...deskPages }),
    blocks: blocksIn(join(root, 'src/portal/blocks')),
    access: accessWords,
    separatePortal: { access: 'agent', blocks: blocksIn(join(root, 'src/desk/blocks')) },
    facts: factPaths([...sharedFacts, ...portalFacts]),
    forms: Object.fromEntries(operationNames.map((name) => [name, listScreens(name)])),
    extra: operationNames.filter((name) => (contract[name] as Operation).extra),
    validated: {
      screens: operationNames.flatMap((name) => [
        ...listScreens(name),
        ...Object.keys((contract[name] as Operation).validators ?? {}),
      ]),
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

function listScreens(operation: OperationName): readonly string[] {
  const { screen }: Operation = contract[operation];
  return [screen ?? []].flat();
}

function listFieldReads(operation: OperationName): readonly FieldRead[] {
  const { reads = {}, captcha, validators = {} }: Operation = contract[operation];
  const screens = listScreens(operation);
  const fields = { ...reads, ...(captcha && { captcha_response: 'string' as const }) };
  return [
    ...(screens.length === 0 ? [] : readsIn(operation, screens, fields)),
    ...Object.entries(validators).flatMap(([screen, read]) => readsIn(operation, [screen], read)),
  ];
}

function readsIn(
  operation: OperationName,
  screens: readonly string[],
  fields: NonNullable<Operation['reads']>,
): readonly FieldRead[] {
  return Object.entries(fields).map(([field, type]) => ({ operation, screens, field, type }));
}
