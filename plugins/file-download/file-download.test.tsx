// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { drawWidget } from '../../tests/plugins/drawn-widget.tsx';
import { parseDataUrl } from './widget.tsx';
import FileDownload from './widget.tsx';

const url = 'data:application/pdf;name=declaraci%C3%B3n.pdf;base64,JVBERg==';

describe('[SEG+FIRMA] parseDataUrl', () => {
  test('reads the name, the type and the bytes of a file', () => {
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
  ])('returns null for %s', (value) => {
    expect(parseDataUrl(value)).toBeNull();
  });
});

describe('[SEG+FIRMA] file-download widget', () => {
  afterEach(cleanup);

  const draw = (value: unknown) => drawWidget(FileDownload, 'f', { f: value });

  test('links to a blob URL that saves the file under its name', () => {
    draw(url);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'download {"file":"declaración.pdf","kb":1}' });
    expect([link.download, link.href.startsWith('blob:')]).toEqual(['declaración.pdf', true]);
  });

  test('shows an alert if the field has no file', () => {
    draw(undefined);
    expect(screen.getByRole('alert').textContent).toBe('missing');
  });
});
