// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { createFakeForm, createFakeParts } from '../../tests/plugins/fake-form.ts';
import { DrawnWidget } from '../../tests/plugins/drawn-widget.tsx';
import { parseDataUrl } from './widget.tsx';
import FileDownload from './widget.tsx';

const url = 'data:application/pdf;name=declaraci%C3%B3n.pdf;base64,JVBERg==';

describe('[SEG+FIRMA] a file that came', () => {
  test('name, type and bytes are read', () => {
    expect(parseDataUrl(url)).toEqual({
      name: 'declaración.pdf',
      type: 'application/pdf',
      bytes: Uint8Array.from([0x25, 0x50, 0x44, 0x46]),
    });
  });

  test.each([
    [undefined],
    [''],
    ['data:application/pdf;base64,JVBERg=='],
    ['data:application/pdf;name=%ZZ;base64,JVBERg=='],
    ['data:application/pdf;name=a;base64,JVBE$'],
    ['https://example.com/a.pdf'],
  ])('%s is none', (value) => {
    expect(parseDataUrl(value)).toBeNull();
  });
});

describe('[SEG+FIRMA] its link', () => {
  afterEach(cleanup);

  function draw(value: unknown) {
    const { form, field } = createFakeForm({ f: value });
    render(<DrawnWidget widget={FileDownload} {...createFakeParts({ form, field }, 'f')} />);
  }

  test('saves the file under its name, from the page itself', () => {
    draw(url);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'download {"file":"declaración.pdf","kb":1}' });
    expect([link.download, link.href.startsWith('blob:')]).toEqual(['declaración.pdf', true]);
  });

  test('where no file came a sentence stands', () => {
    draw(undefined);
    expect(screen.getByRole('alert').textContent).toBe('missing');
  });
});
