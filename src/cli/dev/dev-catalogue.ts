import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import { isObject, type Values } from '../../engine/core/json.ts';
import type { FixtureEntry, FixtureFault, ScreenEntry } from '../../studio/dev-data.ts';

/** Folder of QA's cases, below the project's. */
export const fixturesFolder = 'tests/fixtures';

/** One case with the values and facts that its screen is opened with. */
export interface FixtureCase extends FixtureEntry {
  readonly data: Values;
  readonly context: Values;
}

/** Every screen of a set with its files and its cases, each judged by the rules of the set. */
export async function readCatalogue(root: string, definitions: Definitions): Promise<readonly ScreenEntry[]> {
  return Promise.all(
    [...definitions.screens].sort().map(async (name) => ({
      name,
      files: ['schema.json', 'ui.json', 'ui.pt.json']
        .map((file) => `schemas/${name}/${file}`)
        .filter((file) => existsSync(join(root, file))),
      states: Object.values(definitions.flows).flatMap((flow) =>
        Object.entries(flow.states)
          .filter(([, { screen }]) => screen === name)
          .map(([state]) => {
            const description = definitions.descriptions[flow.id]?.states[state];
            return { name: `${flow.id}.${state}`, ...(description === undefined ? {} : { description }) };
          }),
      ),
      fixtures: (await readFixtures(root, definitions, name)).map(
        ({ data: _data, context: _context, ...entry }) => entry,
      ),
    })),
  );
}

/** The cases of a screen; none when its folder is missing. */
export async function readFixtures(
  root: string,
  definitions: Definitions,
  screen: string,
): Promise<readonly FixtureCase[]> {
  const folder = `${fixturesFolder}/${screen}`;
  const files = await readdir(join(root, folder)).catch(() => []);
  const names = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const file = `${folder}/${name}.json`;
      return readFixture(
        readFile(join(root, file), 'utf8'),
        { name, file },
        (data, context) => definitions.check(screen, data, { language: baseLanguage, context }).errors,
      );
    }),
  );
}

/** A case from the text of its file; what cannot be read of it stands empty, and a fault says so. */
async function readFixture(
  text: Promise<string>,
  { name, file }: Pick<FixtureCase, 'name' | 'file'>,
  check: (data: Values, context: Values) => FixtureCase['errors'],
): Promise<FixtureCase> {
  const broken = (fault: FixtureFault): FixtureCase => ({
    name,
    file,
    note: '',
    errors: {},
    data: {},
    context: {},
    faults: [fault],
  });
  let json: unknown;
  try {
    json = JSON.parse(await text);
  } catch (error) {
    return broken({ kind: 'unreadable', detail: String(error) });
  }
  if (!isFixture(json)) return broken({ kind: 'shape', detail: 'note, data, context, errors' });
  const { note, data, context, errors } = json;
  return { name, file, note, data, context, errors, faults: differences(errors, check(data, context)) };
}

function isFixture(json: unknown): json is Pick<FixtureCase, 'note' | 'data' | 'context' | 'errors'> {
  return (
    isObject(json) &&
    typeof json['note'] === 'string' &&
    isObject(json['data']) &&
    isObject(json['context']) &&
    isObject(json['errors']) &&
    Object.values(json['errors']).every((message) => typeof message === 'string')
  );
}

function differences(expected: FixtureCase['errors'], actual: FixtureCase['errors']): readonly FixtureFault[] {
  const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].filter(
    (field) => expected[field] !== actual[field],
  );
  return fields.map((field) => ({
    kind: 'differs',
    field,
    expected: expected[field] ?? '',
    actual: actual[field] ?? '',
  }));
}
