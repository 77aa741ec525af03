// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { renderPrefill } from '../../src/engine/core/transition.ts';
import type { Flow } from '../../src/engine/core/definition.ts';
import type { Values } from '../../src/engine/core/json.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import { draw, settle } from '../definitions/support/draw.tsx';
import { samples } from './samples/samples.ts';
import { stepsSample } from './samples/steps.ts';
import { gallerySamples } from './samples/galleries.ts';
import type { Sample, SampleForm, Try, TypedInput } from './samples/sample-types.ts';
import { screenOf } from './support/loaded-screens.ts';
import { load } from './support/project.ts';
import { filesOf, samplesTable } from './support/sample-form.ts';

afterEach(cleanup);

async function open(form: SampleForm) {
  const { definitions, problems } = await load(filesOf(form));
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  const screen = await screenOf(definitions, 'sample');
  const { form: state } = (definitions.flows['main'] as Flow).states; // the sample project defines this flow
  const draft = screen.open(renderPrefill(state!, { context: {}, facts: {}, form: {} }), {});
  if (!draft) throw new Error('The form has fields.');
  const sent: Values[] = [];
  const onEvent = async (event: string) => {
    const submission = event === 'submit' && (await draft.submitPrepared());
    if (submission) sent.push(submission.data);
  };
  await draw(screen, draft, {}, (event) => void onEvent(event));
  return { definitions, draft, sent };
}

/** Finds an object or a section by its title, or a row of a matrix. */
function inside(root: HTMLElement, group: string): HTMLElement {
  const name = called(group);
  return within(root).queryByRole('group', { name }) ?? within(root).getByRole('rowheader', { name }).parentElement!;
}

/** Matches a label, optionally followed by the mark of an optional field. */
const called = (label: string) => new RegExp(`^${label.replace(/[.*+?]/g, '\\$&')}( optional)?$`);

async function type([path, value]: TypedInput): Promise<void> {
  const groups = path.split(' > ');
  const label = groups.pop() ?? '';
  if (groups[0] !== undefined) await page.findByRole('group', { name: called(groups[0]) }); // the matrix control is loaded lazily
  const root = groups.reduce(inside, document.body);
  const button = value === undefined ? within(root).queryByRole('button', { name: label }) : null;
  const find = () => button ?? within(root).getByLabelText(called(label));
  // An operation may load the options, and the code that requests it is loaded lazily.
  if (find() instanceof HTMLSelectElement)
    await waitFor(() => choice(find() as HTMLSelectElement, String(value)), { timeout: 10_000 });
  const control = find();
  await act(async () => {
    if (value === undefined) fireEvent.click(control);
    else if (value instanceof File) fireEvent.change(control, { target: { files: [value] } });
    else
      fireEvent.change(control, {
        target: { value: control instanceof HTMLSelectElement ? choice(control, value) : value },
      });
  });
  if (value instanceof File) await page.findByText(new RegExp(value.name)); // wait until the file has been read
  await settle();
}

function choice(select: HTMLSelectElement, text: string): string {
  const option = [...select.options].find((own) => own.text === text);
  if (!option) throw new Error(`"${text}" cannot be chosen.`);
  return option.value;
}

const drawnFields = (of = '') =>
  [...document.querySelectorAll(`[data-field]${of}`)].map((field) => field.getAttribute('data-field'));

async function walk(draft: FormModel, sent: Values[], one: Try) {
  const { typed = [], drawn, beside, placeholders = {}, texts = [], errors = {}, sent: expected, refusal } = one;
  sent.length = 0;
  for (const step of typed) await type(step);
  if (drawn) expect(drawnFields()).toEqual(drawn);
  if (beside) expect(drawnFields('[data-width=half]')).toEqual(beside);
  for (const text of texts) expect(page.getByText(text)).toBeTruthy();
  for (const [label, text] of Object.entries(placeholders))
    expect(page.getByLabelText(called(label)).getAttribute('placeholder')).toBe(text);
  await act(async () => void fireEvent.click(page.getByRole('button', { name: 'Enviar' })));
  await settle();
  expect({ errors: Object.fromEntries(draft.errors), sent }).toEqual({ errors, sent: expected ? [expected] : [] });
  for (const message of Object.values(errors)) expect(page.getAllByText(message).length).toBeGreaterThan(0);
  if (refusal) act(() => draft.refuse(refusal, null));
}

function isDrawnOrRefused({ refused, form, tries }: Sample): void {
  test.runIf(refused)('is refused with its place and what to write instead', async () => {
    const { because = [], ...given } = refused ?? {};
    const { definitions, problems } = await load(filesOf(given));
    expect(definitions).toBeNull();
    const told = problems.map(({ file, pointer, message, hint }) => ({ file, pointer, message, hint }));
    expect(told).toEqual(
      because.map(([file, pointer, message, hint]) => ({
        file: `schemas/sample/${file}.json`,
        pointer,
        message: expect.stringMatching(message) as string,
        hint: expect.stringMatching(hint) as string,
      })),
    );
  });

  test('is drawn, or what stands in its place, takes what is typed, and is sent with it; the server validates alike', async () => {
    const { definitions, draft, sent } = await open(form);
    for (const own of tries) {
      await walk(draft, sent, own);
      if (!own.sent) continue;
      const { data, errors } = definitions.check('sample', own.sent, { language: 'es', context: {} });
      expect({ data, errors }).toEqual({ data: own.sent, errors: {} });
    }
  });
}

describe.each(samples)("[ENG-12] rjsf's sample $name", isDrawnOrRefused);
describe.each(gallerySamples)('[ENG-15] $of, $name', isDrawnOrRefused);

test('[ENG-12] the README of the samples lists each of them, and no other', () => {
  const readme = readFileSync(join(import.meta.dirname, 'samples/README.md'), 'utf8');
  expect(readme).toContain(`\n\n${samplesTable(samples)}\n`);
});

test('[ENG-15] and those of five other galleries and our own, under their names', () => {
  const readme = readFileSync(join(import.meta.dirname, 'samples/README.md'), 'utf8');
  const all = [...gallerySamples, stepsSample];
  const galleries = [...new Set(all.map(({ of }) => of))];
  expect(galleries).toHaveLength(6);
  for (const gallery of galleries) {
    const own = all.filter(({ of }) => of === gallery);
    expect(readme).toContain(`\n## ${gallery}\n\n${samplesTable(own)}\n`);
  }
});
