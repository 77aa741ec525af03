import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import { casesFile, casesIn, type Case } from '../../cli/definitions/cases.ts';
import { differences } from '../../cli/definitions/failing-cases.ts';
import type { FixtureEntry, FixtureFault, ScreenEntry } from '../dev-data.ts';
import type { VersionedFile } from '../studio-data.ts';
import { readVersioned } from './definition-files.ts';

export type FixtureCase = FixtureEntry & Case;

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
        ({ data: _data, context: _context, ownData: _ownData, ...entry }) => entry,
      ),
    })),
  );
}

/** Checks the test cases of a screen. An unreadable case has no values and a fault. */
export async function readFixtures(
  root: string,
  definitions: Definitions,
  screen: string,
): Promise<readonly FixtureCase[]> {
  const file = await readVersioned(root, casesFile(screen));
  return file.version === null ? [] : fixturesIn(file, definitions, screen).list;
}

/** Like `readFixtures`, for the content of a file. Also returns the shared values and facts. */
export function fixturesIn(
  { file, text }: Pick<VersionedFile, 'file' | 'text'>,
  definitions: Definitions,
  screen: string,
): Pick<Case, 'data' | 'context'> & { readonly list: readonly FixtureCase[] } {
  try {
    const { data, context, cases, misshapen } = casesIn(text);
    const list = cases.map((own) => {
      const { errors } = definitions.check(screen, own.data, { language: baseLanguage, context: own.context });
      const shape: FixtureFault = { kind: 'shape', detail: 'note, data | with, without, context, errors' };
      return { ...own, file, faults: misshapen.includes(own.name) ? [shape] : differing(own.errors, errors) };
    });
    return { data, context, list };
  } catch (error) {
    const empty = { note: '', data: {}, context: {}, errors: {}, ownData: false };
    const fault: FixtureFault = { kind: 'unreadable', detail: String(error) };
    return { data: {}, context: {}, list: [{ name: screen, file, ...empty, faults: [fault] }] };
  }
}

function differing(expected: Case['errors'], actual: Case['errors']): readonly FixtureFault[] {
  return differences(expected, actual).map((one) => ({ kind: 'differs', ...one }));
}
