import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { isObject } from '../../src/engine/core/json.ts';
import { flowAccessLevels } from '../../src/server/app/definition-options.ts';
import { builtInWidgets } from '../../src/engine/core/built-in-widgets.ts';
import { scenarioFolder } from '../../src/studio/scenario/scenario.ts';

const root = resolve(import.meta.dirname, '../..');
const formats = join(root, 'src/engine/compiler/formats');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;

/** Keywords of editors and of JSON Schema, which need no description. */
const known = new Set(['$schema', '$comment', '$id', '$defs', 'id', 'type', 'writeOnly', 'minLength', 'maxLength']);

/** Returns the paths of keys in a format that have no description, neither in place nor in their definition. */
function listUndescribed(schema: unknown, definitions: Record<string, unknown>, at = ''): readonly string[] {
  if (Array.isArray(schema))
    return schema.flatMap((part, index) => listUndescribed(part, definitions, `${at}/${index}`));
  if (!isObject(schema)) return [];
  const named = Object.entries({ ...(isObject(schema.properties) ? schema.properties : {}) });
  const own = named.flatMap(([name, value]) => {
    const reference = isObject(value) && typeof value.$ref === 'string' ? value.$ref : '';
    const definition = reference
      .split('/')
      .slice(2)
      .reduce<unknown>((within, step) => (isObject(within) ? within[step] : undefined), definitions);
    const says = [value, definition].some((said) => isObject(said) && typeof said.description === 'string');
    return says || known.has(name) ? [] : [`${at}/${name}`];
  });
  const within = [...named, ...Object.entries(isObject(schema.$defs) ? schema.$defs : {})];
  const parts = ['items', 'additionalProperties', 'anyOf', 'if', 'then', 'else'].map(
    (key) => [key, schema[key]] as const,
  );
  return [
    ...own,
    ...[...within, ...parts].flatMap(([name, part]) => listUndescribed(part, definitions, `${at}/${name}`)),
  ];
}

test.each(['flow.4', 'screen', 'shared', 'translation', 'walks'])(
  '[ANA-02] format %s has a description of every key',
  (format) => {
    const schema = read(join(formats, `${format}.schema.json`));
    expect(listUndescribed(schema, schema.$defs as Record<string, unknown>)).toEqual([]);
  },
);

const ajv = new Ajv2020({ strict: false });

test.each(['flow.4', 'screen', 'shared', 'translation', 'ui', 'walks', 'wording'])(
  'format %s is a valid JSON Schema',
  (format) => {
    expect([ajv.validateSchema(read(join(formats, `${format}.schema.json`))), ajv.errors]).toEqual([true, null]);
  },
);

test('[ANA-02] format of ui.json has a description of every key of screens and fields', () => {
  const schema = read(join(formats, 'ui.schema.json')) as {
    properties: object;
    $defs: { field: object; link: object };
  };
  const { properties, $defs } = schema;
  const told = { properties, $defs: { field: $defs.field, link: $defs.link } };
  // Keys whose path ends with a self-explanatory name need no description.
  const unsaid = listUndescribed(told, $defs).filter(
    (at) => !/\/(text|title|parts|links|fields|intent|primary|event|visible)$/.test(at),
  );
  expect(unsaid).toEqual([]);
});

test('[ANA-02] format of ui.json lists exactly the built-in widgets', () => {
  const { $defs } = read(join(formats, 'ui.schema.json')) as {
    $defs: { field: { properties: { 'ui:widget': { description: string } } } };
  };
  const { description } = $defs.field.properties['ui:widget'];
  expect(/: ([^:]+), or one of a plugin/.exec(description)?.[1]?.split(', ').sort()).toEqual(
    Object.keys(builtInWidgets).sort(),
  );
});

test('[ANA-02] files in schemas/_formats refer to the formats of the engine', () => {
  const led = readdirSync(join(root, 'schemas/_formats')).map((name) => {
    const { $ref } = read(join(root, 'schemas/_formats', name));
    return [name, resolve(root, 'schemas/_formats', String($ref))];
  });
  const known = readdirSync(formats).filter((name) => name.endsWith('.json'));
  expect(Object.fromEntries(led)).toEqual(Object.fromEntries(known.map((name) => [name, join(formats, name)])));
});

test('[ANA-02] format of flows lists exactly the access values of the compiler', () => {
  const { $defs } = read(join(root, 'schemas/_formats/flow.4.schema.json')) as {
    $defs: { access: { enum: string[] } };
  };
  expect($defs.access.enum).toEqual(['anyone', ...Object.keys(flowAccessLevels)]);
});

test('[ANA-02] files in flows, schemas and scenarios have a $schema that exists', () => {
  const files = ['flows', 'schemas', scenarioFolder]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, String(name))),
    )
    .filter(
      (path) => path.endsWith('.json') && !/_formats\/|_lint\.json$|_shared\/(messages|notices|texts)/.test(path),
    );
  expect(files.length).toBeGreaterThan(100);
  const lost = files.filter((path) => {
    const { $schema } = read(path);
    return typeof $schema !== 'string' || !existsSync(join(dirname(path), $schema));
  });
  expect(lost).toEqual([]);
});
