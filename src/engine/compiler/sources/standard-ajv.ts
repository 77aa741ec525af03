import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { formatAlternatives, localize, type LocalizedText } from './localized-text.ts';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const options = { strict: false, formats: { date: fullFormats.date } } as const;
/** Validator for the vocabulary of JSON Schema 2020-12, which ignores unknown keywords. Shared, because compiling the meta-schema is slow. */
export const standardAjv = new Ajv2020(options);
/** Like `standardAjv`, but reports all errors of a value. The schemas that it compiles must be valid. */
export const allErrorsAjv = new Ajv2020({ ...options, allErrors: true, verbose: true, validateSchema: false });

const typeNames: Readonly<Record<string, LocalizedText>> = {
  string: localize`string`,
  integer: localize`integer`,
  number: localize`number`,
  boolean: localize`boolean`,
  object: localize`object`,
  array: localize`array`,
};

const isoDatePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Describes an ajv error in words that follow the name of the value. Only translates errors that analysts typically make. */
export function formatAjvError({ keyword, params, parentSchema, data }: ErrorObject): LocalizedText {
  const { limit } = params;
  const [example] = [parentSchema?.['examples']].flat();
  const sentences: Readonly<Record<string, () => LocalizedText>> = {
    type: () =>
      localize`must be ${formatAlternatives([params.type].flat().map((type) => typeNames[String(type)] ?? String(type)))}`,
    required: () => localize`must have required property '${params.missingProperty}'`,
    enum: () => localize`must be equal to one of the allowed values`,
    const: () => localize`must be ${JSON.stringify(params.allowedValue)}`,
    pattern: () =>
      typeof example === 'string'
        ? localize`must look like ${JSON.stringify(example)}`
        : localize`must match pattern "${params.pattern}"`,
    format: () =>
      isoDatePattern.test(String(data))
        ? localize`must be a date that exists`
        : localize`must look like ${JSON.stringify(example)}`,
    minLength: () =>
      limit === 1 ? localize`must not be empty` : localize`must NOT have fewer than ${limit} characters`,
    maxLength: () => localize`must NOT have more than ${limit} characters`,
    minItems: () => localize`must NOT have fewer than ${limit} items`,
    maxItems: () => localize`must NOT have more than ${limit} items`,
    minProperties: () => localize`must NOT have fewer than ${limit} properties`,
    maxProperties: () => localize`must NOT have more than ${limit} properties`,
    uniqueItems: () => localize`must NOT have duplicate items (items ## ${params.j} and ${params.i} are identical)`,
    multipleOf: () => localize`must be a multiple of ${params.multipleOf}`,
    anyOf: () => localize`must match a schema in anyOf`,
    oneOf: () => localize`must match exactly one schema in oneOf`,
  };
  if (/^(?:exclusiveM|m)(?:in|ax)imum$/.test(keyword)) return localize`must be ${params.comparison} ${limit}`;
  return sentences[keyword]?.() ?? localize`is wrong`;
}

/** Removes errors of "anyOf", "oneOf" and names if a more specific error of the same value remains. */
export function omitUninformativeErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = errors.flatMap(({ keyword, instancePath }) => (/^(?:any|one)Of$/.test(keyword) ? instancePath : []));
  return errors.filter(({ keyword, instancePath: at, params }) => {
    if (keyword === 'propertyNames') return !errors.some((other) => other.propertyName === params.propertyName);
    if (!places.includes(at) || !/^(?:type|anyOf|oneOf|const)$/.test(keyword)) return true;
    return !errors.some((other) => isMoreSpecific(other, at));
  });
}

function isMoreSpecific({ keyword, instancePath }: ErrorObject, at: string): boolean {
  return instancePath === at
    ? !['type', 'anyOf', 'oneOf', 'const', 'if'].includes(keyword)
    : instancePath.startsWith(`${at}/`);
}

export const standardFormatNames: readonly string[] = Object.keys(fullFormats);
