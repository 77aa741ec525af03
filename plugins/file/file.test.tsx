// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFakeControl, createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget, findInput } from '../../tests/plugins/drawn-widget.tsx';
import type { FormHandle } from '../../src/engine/react/widget.ts';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { formats, rules, formatFileSize } from './rule.ts';
import FileWidget from './widget.tsx';

const url = (content: string, name = 'firma.p7m') => `data:application/octet-stream;name=${name};base64,${content}`;

describe('[SEG+FIRMA] file rule', () => {
  test.each<[unknown, object | null, string]>([
    [url('Zm9v'), null, 'a file'],
    [url('Zg=='), null, 'one byte'],
    [url('A'.repeat(1364)), null, 'just below the limit'],
    [url('A'.repeat(1368)), { reason: 'tooLarge', values: { limit: '1 KB' } }, 'just above the limit'],
    [url(''), { reason: 'empty' }, 'no byte'],
    [url('Zm9'), {}, 'a length that base64 never has'],
    [url('Zm9$'), {}, 'no base64'],
    [url('Zg=v'), {}, 'padding in the middle'],
    ['data:text/html,hola', {}, 'another data URL'],
    ['https://example.com', {}, 'an address'],
    ['', {}, 'nothing'],
    [` ${url('Zm9v')}`, {}, 'something before the head'],
    [url('Zm9v').replace(',', ' ,'), {}, 'something after the head'],
    [url('$$$$Zm9v'), {}, 'something before the content'],
    [url('Zm9v$$$$'), {}, 'something after the content'],
    [url('Zm9v', 'a;base64,b'), {}, 'a name that ends the head'],
    [url('Zm9v', 'x'.repeat(101)), {}, 'a long name'],
    [url('Zm9v', encodeURIComponent('ñ'.repeat(100))), null, '100 accented characters'],
    [url('Zm9v', encodeURIComponent('証明 (1).pdf')), null, 'a name in another script'],
    [url('Zm9v', '%E8%A8'), {}, 'a name that is no UTF-8'],
    [url('Zm9v', 'a%2Fb.pdf'), {}, 'a folder in the name'],
    [url('Zm9v', 'a%00.pdf'), {}, 'a control in the name'],
    [7, null, 'not a string: left to the keyword type'],
  ])('checks the value %s and returns %j (%s)', (value, expected) => {
    expect(checkWithRule(rules, { value, parameters: { maxKb: 1 } })).toEqual(expected);
  });
});

test('[ENG-12] file format accepts every file that the rule accepts without a size limit', () => {
  expect(
    [url('Zm9v'), url('A'.repeat(4000)), url(''), url('Zm9'), 'data:text/html,hola', ''].map(formats.file),
  ).toEqual([true, true, false, false, false, false]);
});

test.each([
  [1, '1 KB'],
  [1023, '1023 KB'],
  [1024, '1 MB'],
  [1536, '1,5 MB'],
])('formatSize writes %d KB as %s', (kb, text) => {
  expect(formatFileSize(kb)).toBe(text);
});

describe('[SEG+FIRMA] file widget', () => {
  afterEach(cleanup);

  function draw(value?: unknown, append?: FormHandle['append']) {
    const { form: single, field } = createFakeForm({ archivo: value });
    const form = append ? { ...single, append } : single;
    const parts = createFakeParts({ form, field }, 'archivo', {
      control: createFakeControl('archivo', { 'aria-describedby': 'archivo-help' }),
      options: { accept: '.pdf' },
      schema: { file: { maxKb: 1 } },
    });
    render(<DrawnWidget widget={FileWidget} {...parts} />);
    const input = findInput('archivo');
    const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
    return { input, field: field('archivo'), choose };
  }
  const state = () => screen.getByRole('status').textContent;

  test('stores the chosen file as a data URL, announces it, and describes the input by hint and state', async () => {
    const { input, field, choose } = draw();
    expect([input.type, input.accept, input.getAttribute('aria-describedby'), state()]).toEqual([
      'file',
      '.pdf',
      'archivo-help archivo-state',
      '',
    ]);
    choose(new File(['foo'], 'mi firma ñ.p7m'));
    await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', encodeURIComponent('mi firma ñ.p7m'))));
    expect(state()).toBe('chosen {"file":"mi firma ñ.p7m","kb":1}');
    expect(checkWithRule(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
  });

  test('has a button in the language of the page, which screen readers skip', async () => {
    const { input, choose } = draw();
    const text = () => input.parentElement?.querySelector('[aria-hidden="true"]')?.textContent;
    expect(text()).toBe('choose');
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(text()).toBe('another'));
  });

  test('clears the previous file if the newly chosen one is too large', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(field.value).toBeDefined());
    choose(new File(['x'.repeat(1025)], 'b.pdf'));
    expect([field.value, state()]).toEqual([undefined, `tooLarge {"limit":"1 KB"}`]);
  });

  test.each(['Cédula de María.pdf', '証明.pdf', 'a;base64,b (1).pdf'])(
    'stores the file name %s, and shows it when the form is drawn again',
    async (name) => {
      const { field, choose } = draw();
      choose(new File(['foo'], name));
      await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', encodeURIComponent(name))));
      expect(checkWithRule(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
      cleanup();
      draw(field.value);
      expect(state()).toBe(`kept ${JSON.stringify({ file: name })}`);
    },
  );

  test('keeps the end of a file name that is too long, and replaces slashes', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], `${'ñ'.repeat(120)}/😀.pdf`));
    await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', encodeURIComponent(`${'ñ'.repeat(94)}_😀.pdf`))));
    expect(checkWithRule(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
  });

  test('rejects an empty file when it is chosen, as the format does', () => {
    const { field, choose } = draw();
    choose(new File([], 'a.pdf'));
    expect([field.value, state()]).toEqual([undefined, 'nothingInside {"limit":"1 KB"}']);
    expect(formats.file(url(''))).toBe(false);
  });

  test('announces the file that the form already has', () => {
    const { field } = draw(url('Zm9v'));
    expect([field.value, state()]).toEqual([url('Zm9v'), 'kept {"file":"firma.p7m"}']);
  });

  test('clears the field if the citizen chooses no file', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(field.value).toBeDefined());
    choose();
    expect([field.value, state()]).toEqual([undefined, '']);
  });

  test('stores the second of two files chosen in quick succession', async () => {
    const { field, choose } = draw();
    choose(new File(['a'], 'a.pdf'));
    choose(new File(['b'], 'b.pdf'));
    await vi.waitFor(() => expect(state()).toContain('chosen'));
    expect(field.value).toBe(url('Yg==', 'b.pdf'));
  });

  test('allows only one file outside a list', () => {
    expect(draw().input.multiple).toBe(false);
  });

  test('[ENG-06] adds further files as items of its list, and announces the files that it left out', async () => {
    const append = vi.fn(() => 1);
    const { input, field, choose } = draw(undefined, append);
    expect(input.multiple).toBe(true);
    const [a, b, c] = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => new File(['a'], name));
    choose(a!, new File(['x'.repeat(1025)], 'grande.pdf'), b!, c!);
    await vi.waitFor(() => expect(field.value).toBe(url('YQ==', 'a.pdf')));
    expect(append).toHaveBeenCalledWith([url('YQ==', 'b.pdf'), url('YQ==', 'c.pdf')]);
    expect(state()).toBe(
      `chosen {"file":"a.pdf","kb":1} leftTooLarge {"files":"grande.pdf","limit":"1 KB"} leftOver {"files":"c.pdf","limit":"1 KB"}`,
    );
  });

  test('[ENG-06] stores the first readable file of several, and announces the unreadable one', async () => {
    const unreadable = new File(['a'], 'roto.pdf');
    vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementationOnce(function (this: FileReader) {
      this.onerror?.(new ProgressEvent('error') as ProgressEvent<FileReader>);
    });
    const { field, choose } = draw(undefined, () => 0);
    choose(unreadable, new File(['b'], 'b.pdf'));
    await vi.waitFor(() => expect(field.value).toBe(url('Yg==', 'b.pdf')));
    expect(state()).toContain('leftFailed {"files":"roto.pdf"');
  });
});
