import type { OperationShape } from '../../engine/compiler/explore/state-space.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import quoted from '../../brand/specification-quotes.json' with { type: 'json' };
import { choiceKeys, portalConstants } from '../../contract/constants.ts';
import { secondsPerDay, fixedRetentionPeriods } from '../platform/base/fixed-periods.ts';
import { responseSchemas, requestBodySchemas } from '../../contract/payload-schemas.ts';
import errorTexts from '../../contract/error-texts.json' with { type: 'json' };
import { operationErrorCodes, commonErrorCodes } from '../../contract/error-codes.ts';
import { operationNames, apiContract, type ApiOperation, type OperationName } from '../../contract/contract.ts';
import { featureFlagDefaults } from '../../contract/feature-flags.ts';
import type { LintOptions, BlockContract } from '../../engine/compiler/lint/lint-options.ts';
import { createWordingRules } from '../../engine/compiler/lint/wording/list-located-texts.ts';
import { mapValues, type JsonObject } from '../../engine/core/json.ts';
import { dateFormatsByLanguage } from '../../contract/format/date-in-words.ts';
import { baseLanguage } from '../../contract/portal-config.ts';
import { signatureObstacles } from '../../contract/rule-facts.ts';
import { createDefinitionOptions } from './definition-options.ts';

/** Read at runtime, so that the checker reports a broken file. */
const wordingFile = 'src/brand/glossary.json';

export function createDefinitionLintOptions(root: string): LintOptions {
  const { blocks, pages, separatePortal } = createDefinitionOptions(root);
  const signedIn = { authenticated: true, 'user.id': true };
  const readBlocks = (folder: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, readBlockContract(join(root, folder, `${name}.tsx`))]));
  return {
    operations: Object.fromEntries(operationNames.map((name) => [name, describeOperation(name)])),
    blocks: {
      ...readBlocks('src/portal/blocks', blocks),
      ...readBlocks('src/desk/blocks', separatePortal?.blocks ?? []),
    },
    pages,
    commonErrors: commonErrorCodes,
    errorTexts,
    choiceKeys: choiceKeys.value,
    factsByAccess: {
      guest: { authenticated: false, 'user.id': false },
      citizen: signedIn,
      enrolment: signedIn,
      account: signedIn,
      agent: signedIn,
    },
    signedIn: ['authenticated', 'user.id'],
    signedInAccess: ['citizen', 'account'],
    factShapes: {
      user: responseSchemas.citizen as unknown as JsonObject, // the cast is safe: schemas of the contract are JSON
      flags: {
        type: 'object',
        properties: Object.fromEntries(Object.keys(featureFlagDefaults).map((name) => [name, booleanSchema])),
      },
      authenticated: booleanSchema,
      wallet: booleanSchema,
      passkeys: booleanSchema,
      digitalSignature: booleanSchema,
      signatureObstacle: { type: 'string', enum: signatureObstacles },
      language: { type: 'string', enum: Object.keys(dateFormatsByLanguage) },
      dates: {
        type: 'object',
        properties: mapValues(dateFormatsByLanguage[baseLanguage], () => ({ type: 'string' })),
        additionalProperties: false,
      },
    },
    changeableFacts: ['user', 'authenticated'],
    wording: createWordingRules(JSON.parse(readFileSync(join(root, wordingFile), 'utf8')) as object, quoted),
    wordingFile,
    spans: {
      days: listDurations({ Days: secondsPerDay / 60 }),
      shorter: listDurations({ Hours: 60, H: 60, Minutes: 1, Min: 1, S: 1 / 60 }),
    },
  };
}

/**
 * Lists the durations among the portal's constants and retention periods, in minutes. `units` maps a name suffix, such as `Days`, to the minutes of
 * its unit.
 */
function listDurations(units: Readonly<Record<string, number>>): readonly number[] {
  return Object.entries<unknown>({ ...portalConstants, ...fixedRetentionPeriods }).flatMap(([name, value]) => {
    const unit = Object.entries(units).find(([end]) => new RegExp(`[a-z]${end}$`).test(name))?.[1];
    return unit !== undefined && typeof value === 'number' ? [value * unit] : [];
  });
}

const booleanSchema = { type: 'boolean' } as const;

const declaredErrors: Readonly<Partial<Record<OperationName, readonly string[]>>> = operationErrorCodes;

function describeOperation(name: OperationName): OperationShape {
  const operation: ApiOperation = apiContract[name];
  const { body, reads, allowsExtraFields, storesAllFields, captcha } = operation;
  return {
    params: [...operation.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter),
    query: operation.query ?? [],
    isPost: operation.method === 'POST',
    ...(body === undefined ? {} : { body: requestBodySchemas[body] as unknown as JsonObject }),
    screens: [operation.screen ?? []].flat(),
    ...(reads &&
      !allowsExtraFields &&
      !storesAllFields && { reads: [...Object.keys(reads), ...(captcha ? ['captcha_response'] : [])] }),
    answer: responseSchemas[operation.answer ?? 'empty'] as unknown as JsonObject,
    allowsAnonymous: operation.roles.includes('anonymous'),
    permissions: operation.permissions ?? [],
    errors: declaredErrors[name] ?? [],
  };
}

/**
 * Extracts the context variables that a block reads, the keys of ui.json that it shows and the events that it raises. If the block raises an event whose name is in a variable, every string
 * literal counts as an event.
 */
function readBlockContract(file: string): BlockContract {
  const code = readFileSync(file, 'utf8');
  const reads = [...code.matchAll(/\bcontext\??(?:\.(\w+)|\[?\??\.?\['(\w+)'\])/g)].map(
    ([, dotted, quoted]) => dotted ?? quoted ?? '',
  );
  const isOpen = /endSession\(portal, runner\.state\.context\)/.test(code);
  const raised = [...code.matchAll(/\braise\(\s*([^,)]*)/g)].map(([, first = '']) => first.trim());
  const literals = [...code.matchAll(/'([\w-]+)'/g)].map(([, text = '']) => text);
  const isNamed = raised.every((first) => /^'[\w-]+'$/.test(first));
  const shown = [...code.matchAll(/\bui\??\.(\w+)/g)].map(([, key = '']) => key);
  if (code.includes('resolveIntroParagraphs(')) shown.push('intro');
  return {
    shows: code.includes('<ThemedScreen') ? null : shown,
    reads: isOpen ? null : reads,
    events: raised.length === 0 ? null : isNamed ? raised.map((first) => first.slice(1, -1)) : literals,
  };
}
