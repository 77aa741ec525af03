// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { TemporalInput } from '../../src/engine/fluent/text-widgets.tsx';
import { createEngine, EngineProvider, rjsfTheme, Screen } from '../../src/engine/react.ts';
import {
  incompleteInputValue,
  selectTemporalFormat,
  type TemporalControlClock,
} from '../../src/engine/react/field/temporal-format.ts';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { draw, services, waitForWidgets } from '../definitions/support/draw.tsx';
import { createFakeControl, createFakeForm, createFakeParts } from '../plugins/fake-form.ts';
import { DrawnWidget } from '../plugins/drawn-widget.tsx';
import { createObjectSchema, createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

afterEach(cleanup);

const at = (timeZone?: string, now = '2026-12-01T12:00:59.999Z'): TemporalControlClock => ({
  timeZone,
  now: () => new Date(now),
});

const isDateTime = (value: string) =>
  (fullFormats['date-time'] as { readonly validate: (value: string) => boolean }).validate(value);

// The tests use the time zone of Montevideo, three hours behind UTC.
describe('[ENG-12] date and time in a time zone', () => {
  test.each([
    [undefined, '2026-12-01T10:30', '2026-12-01T10:30:00-03:00'],
    ['America/Montevideo', '2026-12-31T23:59', '2026-12-31T23:59:00-03:00'],
    ['America/Montevideo', '2026-12-01T10:30:15', '2026-12-01T10:30:15-03:00'],
    ['UTC', '2026-12-01T00:00', '2026-12-01T00:00:00Z'],
    ['Asia/Kolkata', '2026-12-01T10:30', '2026-12-01T10:30:00+05:30'],
    ['Europe/Madrid', '2026-07-01T10:30', '2026-07-01T10:30:00+02:00'],
    ['Europe/Madrid', '2026-12-01T10:30', '2026-12-01T10:30:00+01:00'],
    // Times around both changes of daylight saving time, and an offset that is not a whole hour.
    ['Europe/Madrid', '2026-10-25T00:30', '2026-10-25T00:30:00+02:00'],
    ['Europe/Madrid', '2026-10-25T04:30', '2026-10-25T04:30:00+01:00'],
    ['Europe/Madrid', '2026-03-29T01:30', '2026-03-29T01:30:00+01:00'],
    ['Europe/Madrid', '2026-03-29T03:30', '2026-03-29T03:30:00+02:00'],
    ['America/Montevideo', '1900-01-01T10:30', '1900-01-01T10:30:00-03:45'],
  ])('stores in %s the input %s as %s, and shows it again', (zone, typed, stored) => {
    const moment = selectTemporalFormat('date-time', at(zone));
    expect(moment.toValue(typed)).toBe(stored);
    expect(moment.toControlText(stored)).toBe(typed.slice(0, 16));
    expect(isDateTime(stored)).toBe(true);
  });

  test.each([
    ['America/Santiago', '2026-09-06T00:30'],
    ['America/New_York', '2026-03-08T02:30'],
    ['Europe/Madrid', '2026-03-29T02:30'],
    ['Australia/Lord_Howe', '2026-10-04T02:15'],
    ['Pacific/Apia', '2011-12-30T10:30'],
    ['Europe/Madrid', '0002-12-01T10:30'],
    [undefined, '0002-12-01T10:30'],
    [undefined, '0020-12-01T10:30'],
    [undefined, '0202-12-01T10:30'],
    [undefined, '12026-12-01T10:30'],
    [undefined, '0000-01-01T00:00'],
  ])('rejects in %s the skipped or invalid time %s, and shows it as typed', (zone, typed) => {
    const moment = selectTemporalFormat('date-time', at(zone));
    const stored = moment.toValue(typed);
    expect(isDateTime(stored)).toBe(false);
    expect(moment.toControlText(stored)).toBe(typed);
  });

  test.each([
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T01:30:00-04:00'],
    ['Europe/Madrid', '2026-10-25T02:30', '2026-10-25T02:30:00+02:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-05T01:45:00+11:00'],
    [undefined, '1850-06-01T10:30', '1850-06-01T10:30:00-03:45'],
    ['America/Montevideo', '1850-06-01T10:30', '1850-06-01T10:30:00-03:45'],
    ['Europe/Madrid', '1000-06-01T10:30', '1000-06-01T10:30:00-00:15'],
    ['UTC', '9999-12-31T23:59', '9999-12-31T23:59:00Z'],
    ['America/Montevideo', '9999-12-31T23:59', '9999-12-31T23:59:00-03:00'],
  ])('stores in %s the repeated or distant time %s as %s', (zone, typed, stored) => {
    const moment = selectTemporalFormat('date-time', at(zone));
    expect(moment.toValue(typed)).toBe(stored);
    expect(moment.toControlText(stored)).toBe(typed);
    expect(isDateTime(stored)).toBe(true);
  });

  test('shows nothing for a stored day that does not exist', () => {
    const { toControlText: shown } = selectTemporalFormat('date-time', at('UTC'));
    expect(['2026-02-30T10:30:00Z', '2026-12-01T24:00:00Z'].map(shown)).toEqual(['', '']);
    expect(shown('0050-12-01T10:30:00Z')).toBe('0050-12-01T10:30');
  });

  test('rejects an incomplete date or time, and shows it as typed', () => {
    for (const [format, typed] of [
      ['date', '0002-12-01'],
      ['date', '0199-12-01'],
      ['date', '12026-12-01'],
      ['time', '10'],
    ] as const) {
      const moment = selectTemporalFormat(format, at('UTC'));
      const stored = moment.toValue(typed);
      const check = fullFormats[format] as { readonly validate: (value: string) => boolean };
      expect([check.validate(stored), moment.toControlText(stored)]).toEqual([false, typed]);
    }
  });

  test('shows a value that was stored in another time zone', () => {
    expect(selectTemporalFormat('date-time', at('America/Montevideo')).toControlText('2026-12-01T13:30:00Z')).toBe(
      '2026-12-01T10:30',
    );
    expect(selectTemporalFormat('time', at('America/Montevideo')).toControlText('13:30:00Z')).toBe('10:30');
  });

  test('stores a time with the current offset of the time zone', () => {
    expect(selectTemporalFormat('time', at('America/Montevideo')).toValue('10:30')).toBe('10:30:00-03:00');
    expect(selectTemporalFormat('time', at('Europe/Madrid', '2026-07-01T00:00:00Z')).toValue('10:30:15')).toBe(
      '10:30:15+02:00',
    );
    expect(selectTemporalFormat('time', at('Europe/Madrid')).toValue('10:30')).toBe('10:30:00+01:00');
  });

  test('stores and shows a date unchanged', () => {
    const { type, toValue: stored, toControlText: shown } = selectTemporalFormat('date', at('Asia/Kolkata'));
    expect([type, stored('2026-12-01'), shown('2026-12-01'), shown(incompleteInputValue)]).toEqual([
      'date',
      '2026-12-01',
      '2026-12-01',
      '',
    ]);
  });

  test.each([
    undefined,
    7,
    'mañana',
    '',
    '2026-12-01T10:30',
    '2026-12-01',
    '2026-13-45T10:30:00Z',
    incompleteInputValue,
  ])('shows nothing for %s', (value) => {
    expect(['date-time', 'time'].map((format) => selectTemporalFormat(format, at('UTC')).toControlText(value))).toEqual(
      ['', ''],
    );
  });
});

const form = {
  schema: createObjectSchema(
    { cuando: { type: 'string', format: 'date-time' }, hora: { type: 'string', format: 'time' } },
    ['cuando'],
  ),
  ui: { fields: createTitledFields({ cuando: 'Cuándo', hora: 'Hora' }) },
};

async function openForm(messages: object = {}) {
  const files = createFormFiles(form);
  const catalogue = { ...(files['schemas/_shared/messages.json'] as object), ...messages };
  const { definitions, problems } = await loadProject({ ...files, 'schemas/_shared/messages.json': catalogue });
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  const screen = await importScreen(definitions, 'sample');
  const draft = screen.open({}, {});
  if (!draft) throw new Error('The form has fields.');
  return { definitions, screen, draft };
}

const messages = { 'format.date-time': 'Día y hora', 'format.time': 'Una hora' };
const typeInto = (label: RegExp, value: string) =>
  act(async () => void fireEvent.change(page.getByLabelText(label), { target: { value } }));

describe('[ENG-12] form with a date and time', () => {
  test('uses native inputs, and stores values in the time zone of the page', async () => {
    const { definitions, screen, draft } = await openForm();
    await draw(screen, draft, {}, undefined, {}, { ...services, timeZone: 'Asia/Kolkata', now: at().now });
    const day = await page.findByLabelText<HTMLInputElement>(/^Cuándo/);
    expect([day.type, page.getByLabelText<HTMLInputElement>(/^Hora/).type]).toEqual(['datetime-local', 'time']);
    await typeInto(/^Cuándo/, '2026-12-01T10:30');
    await typeInto(/^Hora/, '09:15');
    const sent = { cuando: '2026-12-01T10:30:00+05:30', hora: '09:15:00+05:30' };
    expect((await draft.submitPrepared())?.data).toEqual(sent);
    expect(definitions.check('sample', sent, { language: 'es', context: {} })).toEqual({ data: sent, errors: {} });
    await typeInto(/^Hora/, '');
    expect(draft.field('hora')?.value).toBeUndefined();
  });

  test('[ENG-12] keeps day and time while a year is typed digit by digit', async () => {
    const { screen, draft } = await openForm();
    await draw(screen, draft, {}, undefined, {}, { ...services, now: at().now });
    await typeInto(/^Cuándo/, '2026-12-01T10:30');
    const input = await page.findByLabelText<HTMLInputElement>(/^Cuándo/);
    for (const year of ['0002', '0020', '0202']) {
      await typeInto(/^Cuándo/, `${year}-12-01T10:30`);
      expect(input.value).toBe(`${year}-12-01T10:30`);
      expect(await draft.submitPrepared()).toBeNull();
    }
    await typeInto(/^Cuándo/, '2027-12-01T10:30');
    expect((await draft.submitPrepared())?.data).toEqual({ cuando: '2027-12-01T10:30:00-03:00' });
  });

  test('[ENG-12] has a message for a skipped time, or else the message of its format', async () => {
    const skipped = { cuando: selectTemporalFormat('date-time', at('Europe/Madrid')).toValue('2026-03-29T02:30') };
    for (const [own, sentence] of [
      [{ ...messages, 'format.date-time.skipped': 'No existe' }, 'No existe'],
      [messages, 'Día y hora'],
    ] as const) {
      const { definitions } = await openForm(own);
      expect(definitions.check('sample', skipped, { language: 'es', context: {} }).errors).toEqual({
        cuando: sentence,
      });
    }
  });

  test('[ENG-12] has a message for an incomplete date', async () => {
    const { definitions, problems } = await loadProject({
      ...createFormFiles({
        schema: createObjectSchema({ dia: { type: 'string', format: 'date' } }),
        ui: { fields: createTitledFields({ dia: 'Día' }) },
      }),
      'schemas/_shared/messages.json': {
        ...(createFormFiles(form)['schemas/_shared/messages.json'] as object),
        'format.date.incomplete': 'Entero',
      },
    });
    expect(problems).toEqual([]);
    const errorsOf = (dia: string) => definitions?.check('sample', { dia }, { language: 'es', context: {} }).errors;
    const { toValue } = selectTemporalFormat('date', at('UTC'));
    expect([toValue('0002-12-01'), incompleteInputValue, 'hoy', '2026-12-01'].map(errorsOf)).toEqual([
      ...[{ dia: 'Entero' }, { dia: 'Entero' }, { dia: 'Formato' }, {}],
    ]);
  });

  test('has a message per format, which only screens with such a field contain', async () => {
    const { definitions } = await openForm(messages);
    const given = { cuando: '2026-12-01', hora: 'tarde' };
    expect(definitions.check('sample', given, { language: 'es', context: {} }).errors).toEqual({
      cuando: 'Día y hora',
      hora: 'Una hora',
    });
    const { screen } = await openForm({ ...messages, 'format.email': 'Un correo' });
    expect(Object.keys(screen.validator.screen.messages).filter((key) => key.startsWith('format'))).toEqual([
      'format',
      'format.date-time',
      'format.time',
    ]);
  });

  test('stores and shows the same values with another theme', async () => {
    const { screen, draft } = await openForm();
    const parts = {
      screen,
      form: draft,
      context: {},
      facts: {},
      notice: null,
      busy: false,
      direction: 'none',
    } as const;
    render(
      <EngineProvider value={createEngine({ t: (key) => key, timeZone: 'UTC' })}>
        <Screen {...parts} theme={rjsfTheme({})} onEvent={() => undefined} onDismiss={() => undefined} />
      </EngineProvider>,
    );
    await waitForWidgets();
    expect((await page.findByLabelText<HTMLInputElement>(/^Cuándo/)).type).toBe('datetime-local');
    await typeInto(/^Cuándo/, '2026-12-01T10:30');
    await typeInto(/^Hora/, '08:00');
    expect([draft.field('cuando')?.value, draft.field('hora')?.value]).toEqual(['2026-12-01T10:30:00Z', '08:00:00Z']);
    expect(page.getByLabelText<HTMLInputElement>(/^Cuándo/).value).toBe('2026-12-01T10:30');
  });
});

test('[ENG-12] TemporalInput stores an incomplete input as invalid on blur, and nothing once it is empty', () => {
  const { form: fake, field } = createFakeForm({ when: undefined });
  const parts = createFakeParts({ form: fake, field }, 'when', {
    control: createFakeControl('when'),
    schema: { format: 'time' },
  });
  render(
    <EngineProvider value={services}>
      <DrawnWidget widget={TemporalInput} {...parts} />
    </EngineProvider>,
  );
  const input = document.getElementById('when') as HTMLInputElement;
  let badInput = true;
  Object.defineProperty(input, 'validity', { get: () => ({ badInput }) }); // sets `badInput`, which happy-dom never sets for an incomplete time
  fireEvent.blur(input);
  expect(field('when').value).toBe(incompleteInputValue);
  expect(field('when').blur).toHaveBeenCalled();
  badInput = false;
  fireEvent.blur(input);
  expect(field('when').value).toBeUndefined();
});
