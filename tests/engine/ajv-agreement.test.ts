import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, test } from 'vitest';
import { toUnicodePattern } from '../../src/engine/compiler/json-schema/normalize-schema.ts';
import { getFieldValue } from '../../src/engine/core/field-path.ts';
import { excludeUncheckableValues } from '../../src/engine/core/value-size.ts';
import { isObject, type Json, type JsonObject, type ValuesByName } from '../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { gallerySamples } from './samples/galleries.ts';
import { createObjectSchema, text, createTitledFields, type Sample, type SampleForm } from './samples/sample-types.ts';
import { samples } from './samples/samples.ts';
import { messages, createFormFiles } from './support/sample-form.ts';
import { importScreen } from './support/loaded-screens.ts';
import { createRandom } from './support/break-file.ts';
import { loadProject } from './support/project.ts';
import { RandomValues } from './support/random-values.ts';

const seed = Number(process.env.FUZZ_SEED ?? 20261127);
const rounds = Number(process.env.FUZZ_DOCUMENTS ?? 100);
const surroundings = { language: 'es', context: {} };
const { additionalProperties: unknown = '' } = messages as Readonly<Record<string, string>>;

/**
 * Converts a sample's schema for ajv: embeds `shared`, converts fixed items to `prefixItems` (2020-12) and patterns to
 * the flag u, and closes alternatives.
 */
function toAjvSchema({ schema, shared = {} }: SampleForm): JsonObject {
  const whole = { ...schema, $defs: { ...(schema as { $defs?: object }).$defs, ...shared } };
  return JSON.parse(JSON.stringify(whole).replaceAll('../_shared/person.json#', '#'), (key, node: Json) => {
    if (key === 'pattern' && typeof node === 'string') return toUnicodePattern(node);
    if (!isObject(node)) return node;
    const { items, additionalItems = true, ...rest } = node as JsonObject;
    const closed = Object.fromEntries(
      Object.entries(rest).map(([word, part]) => [word, /^(one|any)Of$/.test(word) ? closeAlternatives(part) : part]),
    );
    return Array.isArray(items)
      ? { ...closed, prefixItems: items, items: additionalItems }
      : { ...closed, ...(items === undefined ? {} : { items }) };
  }) as JsonObject;
}

/** Makes each alternative reject the fields of the others, because the form renders the fields of only one. */
function closeAlternatives(alternatives: Json): Json {
  const all = alternatives as readonly { properties?: Readonly<Record<string, Json>> }[];
  const names = all.flatMap(({ properties = {} }) => Object.keys(properties));
  return all.map((one) =>
    one.properties
      ? { ...one, properties: { ...Object.fromEntries(names.map((name) => [name, false])), ...one.properties } }
      : one,
  ) as Json;
}

function compileValidator(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, multipleOfPrecision: 7 }); // without it, Ajv rejects 1234567.89 as a multiple of 0.01
  addFormats.default(ajv);
  return ajv.compile(schema);
}

/** Whether a schema uses a keyword or format of a plugin, which ajv does not support. */
function hasPluginWord(words: ReadonlyMap<string, unknown>, node: Json): boolean {
  if (Array.isArray(node)) return node.some((part: Json) => hasPluginWord(words, part));
  return Object.entries(isObject(node) ? (node as JsonObject) : {}).some(
    ([key, part]) =>
      words.has(key) || (key === 'format' && !Object.hasOwn(fullFormats, String(part))) || hasPluginWord(words, part),
  );
}

/** Returns the values that the form can represent. A list control with any other value renders an empty list. */
function selectRepresentable({ validator }: LoadedScreen, given: ValuesByName): ValuesByName {
  const lists = new Set(validator.screen.fields.flatMap(({ name, item }) => (item ? [name] : [])));
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !lists.has(name) || Array.isArray(value)));
}

/** Reduces names of items to the top-level field, because the form reports errors of a list also at its items. */
const fieldsIn = (names: readonly string[]) => [...new Set(names.map((name) => name.split('.', 1).join()))].sort();

/** Whether ajv accepts a document. A field that ui.json hides may be missing. */
function isAcceptedByAjv(
  isValid: ValidateFunction,
  given: ValuesByName,
  { ui }: SampleForm,
  refused: ValuesByName,
): boolean {
  if (isValid(given)) return true;
  const hidden = Object.keys((ui as { visible?: object }).visible ?? {}).map((name) => name.split('.').at(-1));
  const { sections = [] } = ui as { sections?: readonly { fields: readonly string[]; visible?: unknown }[] };
  hidden.push(...sections.flatMap(({ fields, visible }) => (visible === undefined ? [] : fields)));
  return (isValid.errors ?? []).every(({ keyword, instancePath, params }) => {
    const { missingProperty = '' } = params as { missingProperty?: string };
    const name = [...instancePath.split('/').slice(1), missingProperty].join('.');
    return keyword === 'required' && hidden.includes(missingProperty) && !Object.hasOwn(refused, name);
  });
}

const kind = { type: 'string', enum: ['a', 'b', 'c'] };
const kinds = { 'ui:title': 'Clase', 'ui:enumNames': ['A', 'B', 'C'] };
/** Samples of keywords that no gallery covers. */
const others: readonly Pick<Sample, 'name' | 'form' | 'attempts'>[] = [
  {
    name: 'if, then and else',
    form: {
      schema: {
        ...createObjectSchema({ clase: kind, cantidad: { type: 'integer' } }),
        if: { properties: { clase: { enum: ['a', 'b'] }, cantidad: { minimum: 3 } }, required: ['clase', 'cantidad'] },
        then: createObjectSchema({ detalle: text }, ['detalle']),
        else: createObjectSchema({ nota: { ...text, minLength: 2 } }, ['nota']),
      },
      ui: {
        fields: { clase: kinds, ...createTitledFields({ cantidad: 'Cantidad', detalle: 'Detalle', nota: 'Nota' }) },
      },
    },
    attempts: [],
  },
  {
    name: 'alternatives by a constant',
    form: {
      schema: {
        ...createObjectSchema({ nota: text }),
        oneOf: [
          createObjectSchema({ clase: { const: 'a' }, uno: text }, ['clase', 'uno']),
          createObjectSchema({ clase: { enum: ['b', 'c'] }, dos: { type: 'integer', maximum: 5 } }, ['clase']),
        ],
      },
      ui: { fields: { clase: kinds, ...createTitledFields({ nota: 'Nota', uno: 'Uno', dos: 'Dos' }) } },
    },
    attempts: [],
  },
];
const all = [...samples, ...gallerySamples, ...others];

describe.each(all)('[ENG-12] sample $name with random values', ({ form, attempts }) => {
  test(`is accepted alike by form and server, and by Ajv if it knows all keywords (FUZZ_SEED=${seed})`, async () => {
    const { definitions } = await loadProject(createFormFiles(form));
    const screen = await importScreen(definitions!, 'sample');
    const schema = toAjvSchema(form);
    const isValid = compileValidator(schema);
    const ajvKnowsLess = hasPluginWord(screen.validator.rules, schema);
    const drawn = new RandomValues(schema, createRandom(seed));
    const sent = attempts.flatMap(({ sent: own }) => (own ? [own] : []));
    const verdicts = new Set<boolean>();
    for (let round = 0; round < rounds; round += 1) {
      const given = drawn.near(sent[round % (sent.length + 1)] ?? {});
      const note = `round ${round}: ${JSON.stringify(given)}`;
      const { data, errors } = definitions!.check('sample', given, surroundings);
      const isFine = Object.keys(errors).length === 0;
      verdicts.add(isFine);
      // The screen drops properties that it does not know, unless it reports them. ajv gets the properties that the
      // screen keeps.
      const judged = Object.values(errors).includes(unknown) ? given : data;
      const byAjv = isAcceptedByAjv(isValid, judged, form, errors);
      expect(
        ajvKnowsLess ? byAjv || !isFine : byAjv === isFine,
        `${note} ${JSON.stringify([errors, isValid.errors])}`,
      ).toBe(true);

      const draft = screen.open(round % 2 === 0 ? selectRepresentable(screen, given) : {}, {})!;
      if (round % 2 === 1)
        for (const [name, field] of draft.fields)
          if (field.visible && !draft.lists.has(name)) field.set(getFieldValue(given, name));
      const { ready, values } = draft;
      const submitted = draft.submit();
      expect(ready, note).toBe(submitted !== null);
      if (submitted)
        expect(definitions!.check('sample', submitted.data, surroundings), note).toEqual({
          data: submitted.data,
          errors: {},
        });
      else {
        const refused = fieldsIn(Object.keys(definitions!.check('sample', values, surroundings).errors));
        expect(refused.length, note).toBeGreaterThan(0);
        // Skips values of a type that no control can produce, because a condition that reads such a value may show
        // another field.
        const isSound =
          excludeUncheckableValues(screen.validator.screen, draft.visibleValues).excludedFields.length === 0;
        if (isSound) expect(fieldsIn(draft.refusedAtSubmit), note).toEqual(refused);
      }
    }
    expect([...verdicts].sort()).toEqual([false, true]);
  });
});

test.each([
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'oneOf',
  'anyOf',
  'allOf',
  'const',
  'enum',
  'default',
  'prefixItems',
  'items',
  'minItems',
  'uniqueItems',
])('[ENG-12] samples with random values include the keyword "%s"', (word) => {
  const written = all.map(({ form }) => JSON.stringify(toAjvSchema(form)));
  expect(written.filter((schema) => schema.includes(`"${word}":`)).length).toBeGreaterThan(0);
});
