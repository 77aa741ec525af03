// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fakeControl, fakeForm, fakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { judge } from '../../tests/plugins/judge.ts';
import { rules } from './rule.ts';
import SignedFile from './widget.tsx';

const url = (content: string, name = 'firma.p7m') => `data:application/octet-stream;name=${name};base64,${content}`;

describe('[SEG+FIRMA] file rule', () => {
  test.each<[unknown, object | null, string]>([
    [url('Zm9v'), null, 'a file'],
    [url('Zg=='), null, 'one byte'],
    [url('A'.repeat(1364)), null, 'just below the limit'],
    [url('A'.repeat(1368)), { reason: 'tooLarge', values: { limit: 1 / 1024 } }, 'just above the limit'],
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
    [7, null, 'no text: the matter of type'],
  ])('%s gives %j (%s)', (value, expected) => {
    expect(judge(rules, { value, parameters: { maxKb: 1 } })).toEqual(expected);
  });
});

describe('[SEG+FIRMA] file widget', () => {
  afterEach(cleanup);

  function draw(value?: unknown) {
    const { form, field } = fakeForm({ archivo: value });
    render(
      <DrawnWidget
        widget={SignedFile}
        {...fakeParts({ form, field }, 'archivo', {
          control: fakeControl('archivo', { 'aria-describedby': 'archivo-help' }),
          options: { maxKb: 1, accept: '.pdf' },
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
    await vi.waitFor(() => expect(field.value).toBe(url('Zm9v', 'mi_firma__.p7m')));
    expect(state()).toBe('chosen {"file":"mi firma ñ.p7m","kb":1}');
    expect(judge(rules, { value: field.value, parameters: { maxKb: 1 } })).toBeNull();
  });

  test('a file that is too large is not read, and takes the place of the one before', async () => {
    const { field, choose } = draw();
    choose(new File(['foo'], 'a.pdf'));
    await vi.waitFor(() => expect(field.value).toBeDefined());
    choose(new File(['x'.repeat(1025)], 'b.pdf'));
    expect([field.value, state()]).toEqual([undefined, `tooLarge {"limit":${1 / 1024}}`]);
  });

  test('a file that a form kept when it was drawn anew is told', () => {
    const { field } = draw(url('Zm9v'));
    expect([field.value, state()]).toEqual([url('Zm9v'), 'kept {"limit":' + 1 / 1024 + '}']);
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
});
