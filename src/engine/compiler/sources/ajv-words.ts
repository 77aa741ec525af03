import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { either, say } from './say.ts';
import type { Localized } from '../localized.ts';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Validates with the vocabulary of JSON Schema 2020-12, and ignores unknown keywords. Shared, because compiling the meta-schema is slow. */
export const standard = new Ajv2020({ strict: false });
/** The same, but reports all errors. */
export const standardWithAllErrors = new Ajv2020({ strict: false, allErrors: true });

const typeNames: Readonly<Record<string, Localized>> = {
  string: say`string`,
  integer: say`integer`,
  number: say`number`,
  boolean: say`boolean`,
  object: say`object`,
  array: say`array`,
};

/** Describes an ajv error, in words that follow the name of the value. Only errors that analysts typically make are translated. */
export function formatAjvError({ keyword, params, message }: ErrorObject): Localized {
  switch (keyword) {
    case 'type':
      return say`must be ${either([params.type].flat().map((type) => typeNames[String(type)] ?? String(type)))}`;
    case 'required':
      return say`must have required property '${params.missingProperty}'`;
    case 'enum':
      return say`must be equal to one of the allowed values`;
    case 'const':
      return say`must be ${JSON.stringify(params.allowedValue)}`;
    case 'pattern':
      return say`must match pattern "${params.pattern}"`;
    case 'minLength':
      return say`must NOT have fewer than ${params.limit} characters`;
    case 'maxLength':
      return say`must NOT have more than ${params.limit} characters`;
    case 'minItems':
      return say`must NOT have fewer than ${params.limit} items`;
    case 'maxItems':
      return say`must NOT have more than ${params.limit} items`;
    case 'minProperties':
      return say`must NOT have fewer than ${params.limit} properties`;
    case 'maxProperties':
      return say`must NOT have more than ${params.limit} properties`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return say`must be ${params.comparison} ${params.limit}`;
    case 'uniqueItems':
      return say`must NOT have duplicate items (items ## ${params.j} and ${params.i} are identical)`;
    case 'anyOf':
      return say`must match a schema in anyOf`;
    case 'oneOf':
      return say`must match exactly one schema in oneOf`;
    default:
      return message === undefined ? say`is wrong` : say`${message}`;
  }
}

export const standardFormats: readonly string[] = Object.keys(fullFormats);
