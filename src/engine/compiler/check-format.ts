import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import flowFormat from './formats/flow.schema.json' with { type: 'json' };
import screenFormat from './formats/screen.schema.json' with { type: 'json' };
import uiFormat from './formats/ui.schema.json' with { type: 'json' };
import { escapePointer, type Problems, type SourceFile } from './source-file.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
const formats = { flow: ajv.compile(flowFormat), screen: ajv.compile(screenFormat), ui: ajv.compile(uiFormat) };

/** Checks a file against the JSON Schema of its kind; answers whether it is fine. */
export function checkFormat(file: SourceFile, kind: keyof typeof formats, problems: Problems): boolean {
  const validate = formats[kind];
  if (validate(file.value)) return true;
  for (const error of (validate.errors ?? []).filter((candidate) => candidate.keyword !== 'if')) {
    problems.add(file, pointerOf(error), `${sentence(error)}.`, hints[error.keyword] ?? `See src/engine/compiler/formats/${kind}.schema.json.`);
  }
  return false;
}

const hints: Readonly<Record<string, string>> = {
  additionalProperties: 'Check the spelling of the key, or remove it.',
  required: 'Add the missing key.',
  enum: 'Use one of the listed values.',
};

function pointerOf(error: ErrorObject): string {
  const key: unknown = error.params.additionalProperty;
  return error.instancePath + (typeof key === 'string' ? `/${escapePointer(key)}` : '');
}

function sentence(error: ErrorObject): string {
  if (error.keyword === 'additionalProperties') return `Unknown key "${String(error.params.additionalProperty)}"`;
  const allowed: unknown = error.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const name = error.instancePath.split('/').at(-1);
  return `${name ? `"${name}"` : 'The file'} ${error.message ?? 'is wrong'}${list}`;
}
