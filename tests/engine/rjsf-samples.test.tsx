// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen as page, waitFor, within } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { renderPrefillValues } from '../../src/engine/core/transition.ts';
import type { Flow } from '../../src/engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import type { FormModel } from '../../src/engine/runtime/form/form-model.ts';
import { draw, waitForWidgets } from '../definitions/support/draw.tsx';
import { samples } from './samples/samples.ts';
import { stepsSample } from './samples/steps.ts';
import { gallerySamples } from './samples/galleries.ts';
import type { Sample, SampleForm, SubmitAttempt, TypedInput } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles, formatSamplesTable } from './support/sample-form.ts';

afterEach(cleanup);

async function open(form: SampleForm) {
  const { definitions, problems } = await loadProject(createFormFiles(form));
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  const screen = await importScreen(definitions, 'sample');
  const { form: state } = (definitions.flows['main'] as Flow).states; // the cast is safe, because the sample project defines this flow
  const draft = screen.open(renderPrefillValues(state!, { context: {}, facts: {}, form: {} }), {});
  if (!draft) throw new Error('The form has fields.');
  const sent: ValuesByName[] = [];
  const onEvent = async (event: string) => {
    const submission = event === 'submit' && (await draft.submitPrepared());
    if (submission) sent.push(submission.data);
  };
  await draw(screen, draft, {}, (event) => void onEvent(event));
  return { definitions, draft, sent };
}

/** Finds an object or section by its title, or a row of a matrix. */
function findContainer(root: HTMLElement, group: string): HTMLElement {
  const name = matchLabel(group);
  return within(root).queryByRole('group', { name }) ?? within(root).getByRole('rowheader', { name }).parentElement!;
}

/** Creates a pattern of a label, optionally followed by the mark of an optional field. */
const matchLabel = (label: string) => new RegExp(`^${label.replace(/[.*+?]/g, '\\$&')}( optional)?$`);

async function type([path, value]: TypedInput): Promise<void> {
  const groups = path.split(' > ');
  const label = groups.pop() ?? '';
  if (groups[0] !== undefined) await page.findByRole('group', { name: matchLabel(groups[0]) }); // waits, because the matrix control is loaded lazily
  const root = groups.reduce(findContainer, document.body);
  const button = value === undefined ? within(root).queryByRole('button', { name: label }) : null;
  const find = () => button ?? within(root).getByLabelText(matchLabel(label));
  // An operation may load the options, with code that is loaded lazily.
  if (find() instanceof HTMLSelectElement)
    await waitFor(() => findChoice(find() as HTMLSelectElement, String(value)), { timeout: 10_000 });
  const control = find();
  await act(async () => {
    if (value === undefined) fireEvent.click(control);
    else if (value instanceof File) fireEvent.change(control, { target: { files: [value] } });
    else
      fireEvent.change(control, {
        target: { value: control instanceof HTMLSelectElement ? findChoice(control, value) : value },
      });
  });
  if (value instanceof File) await page.findByText(new RegExp(value.name)); // waits until the file has been read
  await waitForWidgets();
}

function findChoice(select: HTMLSelectElement, text: string): string {
  const option = [...select.options].find((own) => own.text === text);
  if (!option) throw new Error(`"${text}" cannot be chosen.`);
  return option.value;
}

const drawnFields = (of = '') =>
  [...document.querySelectorAll(`[data-field]${of}`)].map((field) => field.getAttribute('data-field'));

async function submitAttempt(draft: FormModel, sent: ValuesByName[], one: SubmitAttempt) {
  const {
    typed = [],
    drawn,
    beside,
    placeholders = {},
    shown = {},
    texts = [],
    errors = {},
    sent: expected,
    refusal,
  } = one;
  sent.length = 0;
  for (const step of typed) await type(step);
  if (drawn) expect(drawnFields()).toEqual(drawn);
  if (beside) expect(drawnFields('[data-width=half]')).toEqual(beside);
  for (const text of texts) expect(page.getByText(text)).toBeTruthy();
  for (const [label, text] of Object.entries(placeholders))
    expect(page.getByLabelText(matchLabel(label)).getAttribute('placeholder')).toBe(text);
  for (const [label, text] of Object.entries(shown))
    expect(page.getByLabelText<HTMLInputElement>(matchLabel(label)).value).toBe(text);
  await act(async () => void fireEvent.click(page.getByRole('button', { name: 'Enviar' })));
  await waitForWidgets();
  expect({ errors: Object.fromEntries(draft.errors), sent }).toEqual({ errors, sent: expected ? [expected] : [] });
  for (const message of Object.values(errors)) expect(page.getAllByText(message).length).toBeGreaterThan(0);
  if (refusal) act(() => draft.refuse(refusal, null));
}

function expectSample({ refused, form, attempts }: Sample): void {
  test.runIf(refused)('is rejected with its position and what to write instead', async () => {
    const { because = [], ...given } = refused ?? {};
    const { definitions, problems } = await loadProject(createFormFiles(given));
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

  test('is drawn as it is or in its accepted form, takes values and sends them, and the server validates alike', async () => {
    const { definitions, draft, sent } = await open(form);
    for (const own of attempts) {
      await submitAttempt(draft, sent, own);
      if (!own.sent) continue;
      const { data, errors } = definitions.check('sample', own.sent, { language: 'es', context: {} });
      expect({ data, errors }).toEqual({ data: own.sent, errors: {} });
    }
  });
}

describe.each(samples)('[ENG-12] rjsf sample $name', expectSample);
describe.each(gallerySamples)('[ENG-15] sample of $of: $name', expectSample);

test('[ENG-12] README of the samples lists each rjsf sample and no other', () => {
  const readme = readFileSync(join(import.meta.dirname, 'samples/README.md'), 'utf8');
  expect(readme).toContain(`\n\n${formatSamplesTable(samples)}\n`);
});

test('[ENG-15] README of the samples lists the samples of the other galleries under their names', () => {
  const readme = readFileSync(join(import.meta.dirname, 'samples/README.md'), 'utf8');
  const all = [...gallerySamples, stepsSample];
  const galleries = [...new Set(all.map(({ of }) => of))];
  expect(galleries).toHaveLength(6);
  for (const gallery of galleries) {
    const own = all.filter(({ of }) => of === gallery);
    expect(readme).toContain(`\n## ${gallery}\n\n${formatSamplesTable(own)}\n`);
  }
});
