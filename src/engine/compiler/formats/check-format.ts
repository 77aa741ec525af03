import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../../core/json.ts';
import flowFormat from './flow.3.schema.json' with { type: 'json' };
import screenFormat from './screen.schema.json' with { type: 'json' };
import sharedFormat from './shared.schema.json' with { type: 'json' };
import uiFormat from './ui.schema.json' with { type: 'json' };
import walksFormat from './walks.schema.json' with { type: 'json' };
import { escapePointer } from '../../core/json-pointer.ts';
import type { Problems, SourceFile } from '../sources/source-file.ts';
import { checkVersion, renamedWord } from './version.ts';
import { reportOf } from '../sources/report.ts';
import { guess } from '../sources/near.ts';
import { say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';
import { wordsOf } from '../sources/ajv-words.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
const sentences = { type: 'object', additionalProperties: { type: 'string', minLength: 1 } } as const;
const { $schema, $comment } = screenFormat.properties;
for (const [name, format] of Object.entries({ screen: screenFormat, shared: sharedFormat, ui: uiFormat }))
  ajv.addSchema(format, `${name}.schema.json`);
const written = say`Write a sentence behind each key.`;
const see = (format: string) => say`See src/engine/compiler/formats/${format}.schema.json.`;
const formats = {
  flow: { validate: ajv.compile(flowFormat), hint: see('flow.3') },
  screen: { validate: ajv.compile(screenFormat), hint: see('screen') },
  /** Definitions that screens share. */
  shared: { validate: ajv.compile(sharedFormat), hint: see('shared') },
  /** What shared definitions bring to the ui, without their rules. */
  presets: {
    validate: ajv.compile({
      type: 'object',
      additionalProperties: false,
      properties: { $schema: true, $defs: { additionalProperties: { $ref: 'shared.schema.json#/$defs/preset' } } },
    }),
    hint: see('shared'),
  },
  ui: { validate: ajv.compile(uiFormat), hint: see('ui') },
  /** Walks through a flow that are tests. */
  walks: { validate: ajv.compile(walksFormat), hint: see('walks') },
  /** Notices that screens share. */
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
  /** The catalogue of messages. */
  messages: { validate: ajv.compile(sentences), hint: written },
  /** The texts of a plugin, by language. */
  texts: { validate: ajv.compile({ type: 'object', additionalProperties: sentences }), hint: written },
};

/** Checks a file, or `value` in its place, against the JSON Schema of its kind; answers whether it is fine. */
export function checkFormat(
  file: SourceFile,
  kind: keyof typeof formats,
  problems: Problems,
  value = file.value,
): boolean {
  const { validate, hint } = formats[kind];
  const report = reportOf(file, problems);
  if (isObject(value)) checkVersion(value.$schema, kind, report);
  if (validate(value)) return true;
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  const renamed = errors.flatMap((error) => renamedWord(kind, error) ?? []);
  for (const { pointer, message, hint: instead } of renamed) report(pointer, message, instead);
  for (const error of errors) {
    if (renamed.some(({ explains }) => explains(error))) continue;
    report(pointerOf(error), say`${sentence(error)}.`, hintOf(error) ?? hint);
  }
  return false;
}

const hints: Readonly<Record<string, Localized>> = {
  required: say`Add the missing key.`,
  enum: say`Use one of the listed values.`,
};

// Of an unknown key also which one was meant, as far as the format names those that it knows.
function hintOf(error: ErrorObject): Localized | undefined {
  const { keyword, params, parentSchema } = error;
  if (keyword !== 'additionalProperties' && !isUnknownWord(error)) return hints[keyword];
  const known: unknown = parentSchema?.properties;
  const near = guess(String(params.additionalProperty ?? ''), isObject(known) ? Object.keys(known) : []);
  return say`${near}Check the spelling of the key, or remove it.`;
}

function pointerOf(error: ErrorObject): string {
  const key: unknown = error.params.additionalProperty;
  return error.instancePath + (typeof key === 'string' ? `/${escapePointer(key)}` : '');
}

// A word of a field's ui without its "ui:" could be a field of an object, but for its text.
function isUnknownWord({ keyword, params, instancePath }: ErrorObject): boolean {
  const inUi = /^(\/fields\/[^/]+|\/\$defs\/[^/]+\/ui)(\/\w+)+$/;
  return keyword === 'type' && params.type === 'object' && inUi.test(instancePath);
}

function sentence(error: ErrorObject): Localized {
  if (isUnknownWord(error)) return say`Unknown key "${error.instancePath.split('/').at(-1) ?? ''}"`;
  if (error.keyword === 'additionalProperties') return say`Unknown key "${String(error.params.additionalProperty)}"`;
  const allowed: unknown = error.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const name = error.instancePath.split('/').at(-1);
  return say`${name ? `"${name}"` : say`The file`} ${wordsOf(error)}${list}`;
}
