import { format } from 'prettier';
import { expect, test } from 'vitest';
import { gallerySamples, type GallerySample } from '../engine/samples/galleries.ts';
import type { SampleForm } from '../engine/samples/sample-types.ts';
import { samples as samplesOfRjsf } from '../engine/samples/samples.ts';
import { stepsSample } from '../engine/samples/steps.ts';
import type { Files } from '../engine/support/project.ts';
import { createFormFiles } from '../engine/support/sample-form.ts';
import { importScreenModuleSource } from '../../src/engine/compiler/load-definitions.ts';
import { createPlaygroundCompiler } from '../../src/playground/playground-compiler.ts';
import { playgroundSamples } from '../../src/playground/playground-samples.ts';

type Labelled = Pick<GallerySample, 'name' | 'of' | 'note'>;

/**
 * Creates the expected gallery entries of a sample. If the compiler rejects it, the first entry shows its problems and
 * the second one its replacement.
 */
async function createExpectedEntries({ refused, form, ...sample }: GallerySample): Promise<readonly object[]> {
  return entriesOf(sample, await projectOf(form), refused && (await projectOf(refused)));
}

function entriesOf({ name, of, note }: Labelled, files: object, refused?: object): readonly object[] {
  const capital = `${note.charAt(0).toUpperCase()}${note.slice(1)}`;
  const entry = (title: string, sentence: string, own: object) => ({
    name: title,
    of,
    note: `${sentence.replaceAll('`', '')}.`,
    files: own,
  });
  return [
    ...(refused ? [entry(`${name}, refused`, `Refused. Write instead: ${note}`, refused)] : []),
    entry(name, capital, files),
  ];
}

async function projectOf({ schema, ui, prefill, shared }: Partial<SampleForm>): Promise<object> {
  const form = { ...(schema && { schema }), ...(ui && { ui }), ...(prefill && { prefill }), ...(shared && { shared }) };
  const { 'schemas/_shared/messages.json': _messages, ...files } = createFormFiles(form);
  return textsOf(files);
}

async function textsOf(files: Files): Promise<object> {
  const texts = Object.entries(files).map(async ([path, content]) => [path, await formatForEditor(content)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** Formats JSON to the width of the editor. */
function formatForEditor(content: unknown): Promise<string> {
  return format(JSON.stringify(content), { parser: 'json', printWidth: 64 });
}

test('[ENG-16] gallery.json of the playground equals the samples of the tests', async () => {
  const written = [...samplesOfRjsf.map((sample) => ({ ...sample, of: 'Playground of rjsf' })), ...gallerySamples];
  const steps = entriesOf(stepsSample, await textsOf(stepsSample.files));
  const gallery = `${JSON.stringify([...(await Promise.all(written.map(createExpectedEntries))).flat(), ...steps], null, 1)}\n`;
  await expect(gallery).toMatchFileSnapshot('../../src/playground/gallery.json');
});

const compile = createPlaygroundCompiler(importScreenModuleSource);

test.each(playgroundSamples)(
  '[ENG-16] playground compiles $name from its texts, or reports problems with positions',
  async ({ name, files }) => {
    const { definitions, problems } = await compile(files);
    expect(definitions === null).toBe(/, refused$/.test(name));
    for (const { file, line, column } of problems) {
      expect(Object.keys(files)).toContain(file);
      expect([line, column].every((place) => place >= 1)).toBe(true);
    }
  },
);
