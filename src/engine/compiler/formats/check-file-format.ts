import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../../core/json.ts';
import flowFormat from './flow.4.schema.json' with { type: 'json' };
import wordingFormat from './wording.schema.json' with { type: 'json' };
import screenFormat from './screen.schema.json' with { type: 'json' };
import sharedFormat from './shared.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import walksFormat from './walks.schema.json' with { type: 'json' };
import { escapePointer } from '../../core/json-pointer.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import {
  suggestSimilarName,
  findNearestName,
  explain,
  localize,
  translateSentence,
  type LocalizedText,
} from '../sources/localized-text.ts';
import { formatAjvError, omitUninformativeErrors } from '../sources/standard-ajv.ts';
import { isMissingLeadingSlashError, suggestNumberWithinLimit, suggestValueForError } from './suggest-correction.ts';
import {
  checkFileFormatVersion,
  explainMisplacedKeyword,
  findUnknownKeyword,
  type MisplacedKeyword,
} from './misplaced-keywords.ts';
import { suggestUiKeywordReplacement } from './unsupported-ui-keyword-hints.ts';

/**
 * Does not validate the format schemas, because a test does. Does not optimize the validators, because this takes longer than validating all files.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  validateSchema: false,
  code: { optimize: false },
});
const sentenceTableFormat = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } } as const;
const { $schema, $comment } = screenFormat.properties;
for (const [name, format] of Object.entries({ screen: screenFormat, shared: sharedFormat, ui: uiFormat }))
  ajv.addSchema(format, `${name}.schema.json`);
const sentenceTableHint = localize`Write a sentence for each key.`;
const referToFormat = (format: string) => localize`See src/engine/compiler/formats/${format}.schema.json.`;
const fileFormats = {
  flow: { schema: flowFormat, hint: referToFormat('flow.4') },
  wording: { schema: wordingFormat, hint: referToFormat('wording') },
  screen: { schema: screenFormat, hint: referToFormat('screen') },
  shared: { schema: sharedFormat, hint: referToFormat('shared') },
  ui: { schema: uiFormat, hint: referToFormat('ui') },
  walks: { schema: walksFormat, hint: referToFormat('walks') },
  notices: {
    schema: {
      type: 'object',
      required: ['$defs'],
      additionalProperties: false,
      properties: { $schema, $comment, $defs: { type: 'object', additionalProperties: { $ref: '#/$defs/notice' } } },
      $defs: uiFormat.$defs,
    },
    hint: referToFormat('ui'),
  },
  messages: { schema: sentenceTableFormat, hint: sentenceTableHint },
  texts: { schema: { type: 'object', additionalProperties: sentenceTableFormat }, hint: sentenceTableHint },
};

/** Validates a file, or `value` in its place, against the JSON Schema of its kind. Returns whether it is valid. */
export function checkFileFormat(
  file: SourceFile,
  kind: keyof typeof fileFormats,
  problems: ProblemCollector,
  value = file.value,
): boolean {
  const { schema, hint } = fileFormats[kind];
  const report = problems.report(file);
  const named =
    isObject(value) && typeof value.$schema === 'string'
      ? /(\w+)(?:\.\d+)?\.schema\.json$/.exec(value.$schema)?.[1]
      : undefined;
  const home = named === kind || !Object.hasOwn(formatFolders, kind) ? undefined : formatFolders[named ?? ''];
  if (home !== undefined) {
    report('/$schema')(explain`This file has another format: ${named ?? ''}.schema.json.
      Move it to ${home}, or remove it.`);
    return false;
  }
  if (isObject(value)) checkFileFormatVersion(value.$schema, kind, report);
  const validate = ajv.compile(schema); // ajv caches the result, so each schema is compiled only once
  if (validate(value)) return true;
  const errors = omitUninformativeErrors((validate.errors ?? []).filter(({ keyword }) => keyword !== 'if'));
  const misplaced: MisplacedKeyword[] = [];
  const isExplained = (error: ErrorObject) => misplaced.some(({ explains }) => explains(error));
  for (const error of errors) {
    const found = isExplained(error) ? null : explainMisplacedKeyword(kind, value, error);
    if (found) misplaced.push(found);
  }
  for (const { pointer, ...problem } of misplaced) report(pointer)(problem);
  const reported = errors.filter((error) => !isExplained(error) && !isExplainedByMisspelling(error, errors));
  for (const error of reported) {
    const alike = reported.filter((other) => areItemsOfWrongType(error, other));
    if (alike[0] !== undefined && alike[0] !== error) continue;
    const own = chooseHint(error, hint);
    report(locateError(error))(explain`${describeError(error)}.
      ${alike.length > 1 ? localize`${own} Found in ${alike.length - 1} more places.` : own}`);
  }
  return false;
}

/** Whether two errors have the same cause: the items of a list are of the wrong type. */
function areItemsOfWrongType(one: ErrorObject, other: ErrorObject): boolean {
  const list = /^(.*)\/\d+$/.exec(one.instancePath)?.[1];
  const isSame = one.keyword === other.keyword && one.params['type'] === other.params['type'];
  return one.keyword === 'type' && isSame && list !== undefined && list === /^(.*)\/\d+$/.exec(other.instancePath)?.[1];
}

/** Whether a key is missing only because it is misspelt. Of several possible keys, any unknown one may be the misspelt one. */
function isExplainedByMisspelling(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const missing: unknown = error.params['missingProperty'];
  if (typeof missing !== 'string') return false;
  const unknown = errors.flatMap(({ instancePath, params }) =>
    instancePath === error.instancePath ? ((params['additionalProperty'] as string | undefined) ?? []) : [],
  );
  if (unknown.length > 0 && /\/(?:any|one)Of\//.test(error.schemaPath)) return true;
  return findNearestName(missing, unknown) !== undefined || unknown.some((key) => findNearestName(key, [missing]));
}

const formatFolders: Readonly<Record<string, string>> = {
  flow: 'flows',
  screen: 'schemas/…/schema.json',
  shared: 'schemas/_shared',
  ui: 'schemas/…/ui.json',
  translation: 'schemas/…/ui.pt.json',
  walks: 'tests/definitions/walks',
};

const hintsByErrorKeyword: Readonly<Record<string, LocalizedText>> = {
  required: localize`Add the missing key.`,
  enum: localize`Use one of the listed values.`,
};

/** Returns the hint for a format error: the probable key or value if there is one, otherwise a general hint after the description in the format. */
function chooseHint(error: ErrorObject, usual: LocalizedText): LocalizedText {
  const { keyword, parentSchema } = error;
  const unknown = findUnknownKeyword(error);
  if (unknown !== undefined) {
    const known: unknown = parentSchema?.['properties'];
    const near = suggestSimilarName(unknown, isObject(known) ? Object.keys(known) : []);
    return suggestUiKeywordReplacement(unknown) ?? localize`${near}Check the spelling of the key, or remove it.`;
  }
  const listed = error.params['allowedValues'] as readonly unknown[] | undefined;
  const value = suggestValueForError(error);
  if (value !== undefined) return value;
  const meant = listed && findNearestName(String(error.data), listed.map(String));
  if (meant !== undefined) return localize`Did you mean "${meant}"?`;
  const hint = hintsByErrorKeyword[keyword] ?? suggestNumberWithinLimit(error) ?? usual;
  const description: unknown = parentSchema?.['description'];
  return keyword === 'required' || typeof description !== 'string'
    ? hint
    : localize`${translateSentence(description)}${hint}`;
}

function locateError(error: ErrorObject): string {
  const key: unknown = error.params.additionalProperty ?? error.propertyName;
  return error.instancePath + (typeof key === 'string' && key !== '' ? `/${escapePointer(key)}` : '');
}

function describeError(error: ErrorObject): LocalizedText {
  const unknown = findUnknownKeyword(error);
  if (unknown !== undefined) return localize`Unknown key "${unknown}"`;
  if (isMissingLeadingSlashError(error)) return localize`"${String(error.data)}" does not begin with a slash`;
  const allowed: unknown = error.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const { propertyName, instancePath } = error;
  const wrong = propertyName === undefined ? nameValue(instancePath) : localize`The name "${propertyName}"`;
  return localize`${wrong} ${formatAjvError(error)}${list}`;
}

function nameValue(pointer: string): LocalizedText | string {
  const [holder = '', name = ''] = pointer.split('/').slice(-2);
  if (pointer === '') return localize`The file`;
  return /^\d+$/.test(name) ? localize`Item ${Number(name) + 1} of "${holder}"` : `"${name}"`;
}
