import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProject, type Files } from './support/project.ts';

const document = resolve(import.meta.dirname, '../../src/engine/migrate-from-rjsf.md');

/** Reads the example definitions in the document by section: JSON blocks that follow a file name. */
async function readExamples(): Promise<ReadonlyMap<string, Files>> {
  const [, ...sections] = (await readFile(document, 'utf8')).split(/^## /m);
  return new Map(
    sections.map((section) => [
      section.slice(0, section.indexOf('\n')),
      Object.fromEntries(
        [...section.matchAll(/^`([\w./-]+)`\n\n```json\n(.*?)^```$/gms)].map(([, name = '', code = '']) => [
          name,
          code,
        ]),
      ),
    ]),
  );
}

const messages = JSON.stringify({
  required: 'Fill this in',
  type: 'Not readable',
  additionalProperties: 'Unknown',
  maxLength: 'At most {limit} characters',
  minimum: 'At least {limit}',
  enum: 'Choose one',
  maxItems: 'At most {limit}',
  'list.add': 'Add',
  'list.remove': 'Remove {item}',
  'list.item': 'Item {number}',
  'list.added': 'Added',
  'list.removed': 'Removed',
  'list.undo': 'Undo',
  'list.restored': 'Restored',
  'list.up': 'Move {item} up',
  'list.down': 'Move {item} down',
  'list.moved': 'Moved',
});

describe('[ENG-13] document on the migration from rjsf', () => {
  test.each(['A plain form', 'A list', 'A dependent field'])('has examples that compile: %s', async (title) => {
    const files = (await readExamples()).get(title) ?? {};
    const screens = Object.keys(files).flatMap((file) => /^schemas\/(\w+)\/ui/.exec(file)?.[1] ?? []);
    const [first = ''] = screens;
    const flow = {
      id: 'main',
      initial: 'form',
      states: {
        form: {
          path: `/${first}`,
          screen: first,
          on: { submit: { src: 'save', onDone: { target: 'form' }, onError: { field: true } } },
        },
      },
    };
    const { definitions, problems } = await loadProject(
      {
        'schemas/_shared/messages.json': messages,
        ...(title === 'A plain form' ? {} : { 'flows/main.json': flow }),
        ...files,
      },
      { baseLanguage: 'en' },
    );
    expect(problems).toEqual([]);
    expect(Object.keys(definitions?.manifest('en').screens ?? {}).sort()).toEqual([...screens].sort());
  });
});
