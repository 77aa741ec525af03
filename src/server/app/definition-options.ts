import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadDefinitionsOptions, FieldReadByOperation } from '../../engine/compiler/definitions.ts';
import type { OperationInputDefaults } from '../../engine/compiler/flow/unexpanded-flow-types.ts';
import type { AccessLevels } from '../../engine/core/flow-and-screen-types.ts';
import { operationNames, apiContract, type ApiOperation, type OperationName } from '../../contract/contract.ts';
import {
  listFactPaths,
  browserOnlyFactNames,
  pluginRuleFactNames,
  sharedFactNames,
} from '../../contract/rule-facts.ts';
import { deskPagePaths, pagePaths, redirectOnlyPagePaths } from '../../contract/page-paths.ts';
import { baseLanguage } from '../../contract/portal-config.ts';

/**
 * Access levels of flow states. `citizen`: signed in with any method. `enrolment`: with an account of the portal, which users of foreign identity
 * providers do not have. `account`: with the second factor that the assurance level requires. `agent`: an employee at the desk.
 */
export const flowAccessLevels: AccessLevels = {
  guest: {},
  citizen: { isIdentified: true },
  enrolment: { isIdentified: true, within: 'citizen' },
  account: { isIdentified: true, within: 'enrolment' },
  agent: { isIdentified: true, within: 'account' },
};

/** Default inputs of operations: the caller's id for a path parameter that takes it, and an empty input for an operation with an empty body. */
export const operationInputDefaults = Object.fromEntries(
  operationNames.map((name): [string, OperationInputDefaults] => {
    const { callerIdParameter, body }: ApiOperation = apiContract[name];
    const params = callerIdParameter === undefined ? {} : { params: { [callerIdParameter]: { var: 'user.id' } } };
    return [name, { ...params, ...(body === 'empty' && { input: {} }) }];
  }),
);

export function createDefinitionOptions(root: string): Omit<LoadDefinitionsOptions, 'watch'> {
  return {
    root,
    baseLanguage,
    language: baseLanguage, // analysts read the diagnostics in this language
    operations: operationNames,
    defaults: operationInputDefaults,
    reads: operationNames.flatMap((name) => listFieldReads(name)),
    pages: Object.values({ ...pagePaths, ...redirectOnlyPagePaths, ...deskPagePaths }),
    blocks: listBlocks(join(root, 'src/portal/blocks')),
    access: flowAccessLevels,
    separatePortal: { access: 'agent', blocks: listBlocks(join(root, 'src/desk/blocks')) },
    facts: listFactPaths([...sharedFactNames, ...browserOnlyFactNames]),
    forms: Object.fromEntries(operationNames.map((name) => [name, listScreens(name)])),
    extra: operationNames.filter((name) => (apiContract[name] as ApiOperation).allowsExtraFields),
    validated: {
      screens: operationNames.flatMap((name) => [
        ...listScreens(name),
        ...Object.keys((apiContract[name] as ApiOperation).validators ?? {}),
      ]),
      facts: listFactPaths(sharedFactNames),
      own: pluginRuleFactNames,
    },
  };
}

function listBlocks(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[\w-]+\.tsx$/.test(name))
    .map((name) => name.slice(0, -4));
}

function listScreens(operation: OperationName): readonly string[] {
  const { screen }: ApiOperation = apiContract[operation];
  return [screen ?? []].flat();
}

function listFieldReads(operation: OperationName): readonly FieldReadByOperation[] {
  const { reads = {}, captcha, validators = {} }: ApiOperation = apiContract[operation];
  const own = listScreens(operation);
  const listReads = (screens: readonly string[], fields: NonNullable<ApiOperation['reads']>) =>
    screens.length === 0 ? [] : Object.entries(fields).map(([field, type]) => ({ operation, screens, field, type }));
  return [
    ...listReads(own, { ...reads, ...(captcha && { captcha_response: 'string' as const }) }),
    ...Object.entries(validators).flatMap(([screen, fields]) => listReads([screen], fields)),
  ];
}
