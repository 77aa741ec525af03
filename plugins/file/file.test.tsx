// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createFakeControl, createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import type { FormHandle } from '../../src/engine/react/widget.ts';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { formats, rules, formatSize } from './rule.ts';
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
    [url('Zm9v', encodeURIComponent('ñ'.repeat(100))), null, 'as long a name with accents'],
    [url('Zm9v', encodeURIComponent('証明 (1).pdf')), null, 'a name in another script'],
    [url('Zm9v', '%E8%A8'), {}, 'a name that is no UTF-8'],
    [url('Zm9v', 'a%2Fb.pdf'), {}, 'a folder in the name'],
    [url('Zm9v', 'a%00.pdf'), {}, 'a control in the name'],
    [7, null, 'no text: the matter of type'],
  ])('%s gives %j (%s)', (value, expected) => {
    expect(checkWithRule(rules, { value, parameters: { maxKb: 1 } })).toEqual(expected);
  });
});

test('[ENG-12] the format of a file is any that the rule takes without its limit', () => {
  expect(
    [url('Zm9v'), url('A'.repeat(4000)), url(''), url('Zm9'), 'data:text/html,hola', ''].map(formats.file),
  ).toEqual([true, true, false, false, false, false]);
});

test.each([
  [1, '1 KB'],
  [1023, '1023 KB'],
  [1024, '1 MB'],
  [1536, '1,5 MB'],
])('%d KB are written %s', (kb, text) => {
  expect(formatSize(kb)).toBe(text);
});

describe('[SEG+FIRMA] file widget', () => {
  afterEach(cleanup);

  function draw(value?: unknown, append?: FormHandle['append']) {
    const { form: single, field } = createFakeForm({ archivo: value });
    const form = append ? { ...single, append } : single;
    render(
      <DrawnWidget
        widget={FileWidget}
        {...createFakeParts({ form, field }, 'archivo', {
          control: createFakeControl('archivo', { 'aria-describedby': 'archivo-help' }),
          options: { accept: '.pdf' },
          schema: { file: { maxKb: 1 } },
        })}
      />,
    );
    const input = document.getElementById('archivo');
    if (!(input instanceof HTMLInputElement)) throw new Error('no input');
    const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
    return { input, field: field('archivo'), choose };
  }
  const state = () => screen.getByRole('status').textContent;

  test('a file is read, told, and becomes the value; its field is described by hint and state', async () => {
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

  test('a file that is too large is not read, and takes the place of the one before', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(field.value).toBeDefined());
    choose(new File(['x'.repeat(1025)], 'b.pdf'));
    expect([field.value, state()]).toEqual([undefined, `tooLarge {"limit":"1 KB"}`]);
  });

  test.each(['Cédula de María.pdf', '証明.pdf', 'a;base64,b (1).pdf'])('%s keeps its name', async (name) => {
    const { field, choose } = draw();
    choose(new File(['foo'], name));
    await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', encodeURIComponent(name))));
    expect(checkWithRule(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
    cleanup();
    draw(field.value);
    expect(state()).toBe(`kept ${JSON.stringify({ file: name })}`);
  });

  test('of a name that is too long its end is kept, and nothing that parts folders', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], `${'ñ'.repeat(120)}/😀.pdf`));
    await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', encodeURIComponent(`${'ñ'.repeat(94)}_😀.pdf`))));
    expect(checkWithRule(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
  });

  test('an empty file is refused at once, with the rule and without', () => {
    const { field, choose } = draw();
    choose(new File([], 'a.pdf'));
    expect([field.value, state()]).toEqual([undefined, 'nothingInside {"limit":"1 KB"}']);
    expect(formats.file(url(''))).toBe(false);
  });

  test('a file that a form kept when it was drawn anew is told', () => {
    const { field } = draw(url('Zm9v'));
    expect([field.value, state()]).toEqual([url('Zm9v'), 'kept {"file":"firma.p7m"}']);
  });

  test('choosing none empties the field', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(field.value).toBeDefined());
    choose();
    expect([field.value, state()]).toEqual([undefined, '']);
  });

  test('of two choices in a row the later one counts', async () => {
    const { field, choose } = draw();
    choose(new File(['a'], 'a.pdf'));
    choose(new File(['b'], 'b.pdf'));
    await vi.waitFor(() => expect(state()).toContain('chosen'));
    expect(field.value).toBe(url('Yg==', 'b.pdf'));
  });

  test('outside of a list one file is chosen', () => {
    expect(draw().input.multiple).toBe(false);
  });

  test('[ENG-06] in a list of files several are chosen at once: the others become items, and what does not come in is told', async () => {
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

  test('[ENG-06] of several the first that can be read stays here', async () => {
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
