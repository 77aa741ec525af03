import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../../core/json.ts';
import flowFormat from './flow.4.schema.json' with { type: 'json' };
import wordingFormat from './wording.schema.json' with { type: 'json' };
import screenFormat from './screen.schema.json' with { type: 'json' };
import sharedFormat from './shared.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import walksFormat from './walks.schema.json' with { type: 'json' };
import { escapePointer } from '../../core/json-pointer.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';
import { checkVersion, renamedWord } from './version.ts';
import { guess, nearest, explain, say, sayAgain, type Localized } from '../sources/say.ts';
import { formatAjvError } from '../sources/ajv-words.ts';

const look = say`How things look is the theme's; a control of its own is a plugin, by its name in "ui:widget".`;

const shown = say`Show fields by "visible" in ui.json.`;

const words: Readonly<Record<string, Localized>> = {
  'ui:classNames': look,
  'ui:style': look,
  'ui:field': say`Fields stand together in "sections", and side by side by "ui:options": { "width": "half" }. ${look}`,
  'ui:description': say`Use "ui:help".`,
  'ui:emptyValue': say`Remove it: what is empty is not sent.`,
  'ui:enumDisabled': say`Leave the choice out of "enum".`,
  'ui:hideError': say`Remove it: what refuses a form says why.`,
  'ui:inputType': say`Use "ui:widget".`,
  'ui:label': say`Remove it: every field has a label, "ui:title".`,
  elements: say`Name each field in "fields"; "ui:order" and "sections" say where it stands.`,
  effect: shown,
  condition: shown,
  'ui:submitButtonOptions': say`Write the buttons as "actions" beside "fields".`,
};

/** Returns an alternative for a keyword of rjsf's uiSchema or of JSON Forms that ui.json does not support. */
function suggestKeyword(word: string): Localized | undefined {
  if (word.startsWith('ui:layoutGrid')) return words['ui:field'];
  return /^ui:\w+Template$/.test(word) ? look : Object.hasOwn(words, word) ? words[word] : undefined;
}

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
const sentences = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } } as const;
const { $schema, $comment } = screenFormat.properties;
for (const [name, format] of Object.entries({ screen: screenFormat, shared: sharedFormat, ui: uiFormat }))
  ajv.addSchema(format, `${name}.schema.json`);
const written = say`Write a sentence behind each key.`;
const see = (format: string) => say`See src/engine/compiler/formats/${format}.schema.json.`;
const formats = {
  flow: { validate: ajv.compile(flowFormat), hint: see('flow.4') },
  wording: { validate: ajv.compile(wordingFormat), hint: see('wording') },
  screen: { validate: ajv.compile(screenFormat), hint: see('screen') },
  shared: { validate: ajv.compile(sharedFormat), hint: see('shared') },
  ui: { validate: ajv.compile(uiFormat), hint: see('ui') },
  /** Paths through a flow that serve as tests. */
  walks: { validate: ajv.compile(walksFormat), hint: see('walks') },
  notices: {
    validate: ajv.compile({
      type: 'object',
      required: ['$defs'],
      additionalProperties: false,
      properties: { $schema, $comment, $defs: { type: 'object', additionalProperties: { $ref: '#/$defs/notice' } } },
      $defs: uiFormat.$defs,
    }),
    hint: see('ui'),
  },
  messages: { validate: ajv.compile(sentences), hint: written },
  /** Texts of a plugin, by language. */
  texts: { validate: ajv.compile({ type: 'object', additionalProperties: sentences }), hint: written },
};

/** Validates a file, or `value` in its place, against the JSON Schema of its kind. Returns whether it is valid. */
export function checkFormat(
  file: SourceFile,
  kind: keyof typeof formats,
  problems: Problems,
  value = file.value,
): boolean {
  const { validate, hint } = formats[kind];
  const report = problems.report(file);
  const named =
    isObject(value) && typeof value.$schema === 'string'
      ? /(\w+)(?:\.\d+)?\.schema\.json$/.exec(value.$schema)?.[1]
      : undefined;
  const home = named === kind || !Object.hasOwn(homes, kind) ? undefined : homes[named ?? ''];
  if (home !== undefined) {
    report('/$schema')(explain`This file is of another kind: ${named ?? ''}.schema.json.
      Its place is ${home}: put it there, or remove it.`);
    return false;
  }
  if (isObject(value)) checkVersion(value.$schema, kind, report);
  if (validate(value)) return true;
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  const renamed = errors.flatMap((error) => renamedWord(kind, error) ?? []);
  for (const { pointer, ...problem } of renamed) report(pointer)(problem);
  for (const error of errors) {
    if (renamed.some(({ explains }) => explains(error))) continue;
    report(locateError(error))(explain`${sentence(error)}.
      ${chooseHint(error, hint)}`);
  }
  return false;
}

/** Locations of the files of each format. */
const homes: Readonly<Record<string, string>> = {
  flow: 'flows',
  screen: 'schemas/…/schema.json',
  shared: 'schemas/_shared',
  ui: 'schemas/…/ui.json',
  translation: 'schemas/…/ui.pt.json',
  walks: 'tests/definitions/walks',
};

const hints: Readonly<Record<string, Localized>> = {
  required: say`Add the missing key.`,
  enum: say`Use one of the listed values.`,
};

// Prefers the description in the format as a hint, except for missing and unknown keys. For an unknown key, suggests an alternative or a similar key.
function chooseHint(error: ErrorObject, usual: Localized): Localized {
  const { keyword, parentSchema } = error;
  const unknown = unknownWord(error);
  if (unknown !== undefined) {
    const known: unknown = parentSchema?.['properties'];
    const near = guess(unknown, isObject(known) ? Object.keys(known) : []);
    return suggestKeyword(unknown) ?? say`${near}Check the spelling of the key, or remove it.`;
  }
  const listed = error.params['allowedValues'] as readonly unknown[] | undefined;
  const meant = listed && nearest(String(error.data), listed.map(String));
  if (meant !== undefined) return say`Did you mean "${meant}"?`;
  const hint = hints[keyword] ?? usual;
  const description: unknown = parentSchema?.['description'];
  return keyword === 'required' || typeof description !== 'string' ? hint : say`${sayAgain(description)}${hint}`;
}

function locateError(error: ErrorObject): string {
  const key: unknown = error.params.additionalProperty;
  return error.instancePath + (typeof key === 'string' ? `/${escapePointer(key)}` : '');
}

// Keywords without their "ui:" prefix look like nested fields, except that their value is not an object.
function unknownWord({ keyword, params, instancePath }: ErrorObject): string | undefined {
  const inUi = /^(\/fields\/[^/]+|\/\$defs\/[^/]+\/ui)(\/\w+)+$/;
  if (keyword === 'additionalProperties') return String(params.additionalProperty);
  const isWord =
    keyword === 'false schema' || (keyword === 'type' && params.type === 'object' && inUi.test(instancePath));
  return isWord ? instancePath.split('/').at(-1) : undefined;
}

function sentence(error: ErrorObject): Localized {
  const unknown = unknownWord(error);
  if (unknown !== undefined) return say`Unknown key "${unknown}"`;
  const allowed: unknown = error.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const name = error.instancePath.split('/').at(-1);
  return say`${name ? `"${name}"` : say`The file`} ${formatAjvError(error)}${list}`;
}
