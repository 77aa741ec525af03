import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { keepText, makeMarks } from '../../../src/server/platform/http/kept-text.ts';

const marks = makeMarks(['nonce', 'time']);
const { nonce, time } = marks;
const prose = 'Ingresá con tu cédula de identidad: es tu usuario en los servicios del Estado. '.repeat(40);
const valuesOf = (turn: number) => ({ nonce: `${turn}`.padStart(24, 'x'), time: `${turn}`.padStart(24, '0') });
const readable = (text: string, values: ReturnType<typeof valuesOf>) =>
  text.replaceAll(nonce, values.nonce).replaceAll(time, values.time);

const texts = {
  'a page': `<html><meta nonce="${nonce}"><style nonce="${nonce}">${prose}</style>{"time":"${time}","a":1}${prose}`,
  'a place between signs of several bytes': `${prose}ñ${nonce}ñandú 🐎${time}🐎 ${prose}`,
  'many places': Array.from({ length: 24 }, () => `${prose.slice(0, 90)}"${nonce}" `).join(''),
};

test.each(Object.entries(texts))('%s is compressed once, and says the values of each response', async (_, text) => {
  const kept = keepText(text, marks);
  const answer = async (turn: number) => (await kept.encode('gzip, br', valuesOf(turn))).body;
  expect(brotliDecompressSync(await answer(0)).toString(), 'not kept yet').toBe(readable(text, valuesOf(0)));
  // Cached: only the uncompressed placeholders differ.
  await vi.waitFor(async () => expect((await answer(1)).includes(valuesOf(1).nonce)).toBe(true), 10_000);
  for (let turn = 2; turn < 20; turn += 1)
    expect(brotliDecompressSync(await answer(turn)).toString()).toBe(readable(text, valuesOf(turn)));
});

test('what is hard to keep so is right in any case', async () => {
  const text = `${nonce}${time}${prose}${Array.from({ length: 40 }, () => nonce).join('"')}`;
  const kept = keepText(text, marks);
  for (let turn = 0; turn < 10; turn += 1) {
    const { body, encoding } = await kept.encode('br', valuesOf(turn));
    expect([encoding, brotliDecompressSync(body).toString()]).toEqual(['br', readable(text, valuesOf(turn))]);
    await new Promise((wake) => setTimeout(wake, 10));
  }
});

test('other readers have it as they read it', async () => {
  const text = texts['a page'];
  const kept = keepText(text, marks);
  const plain = await kept.encode(undefined, valuesOf(1));
  expect([plain.encoding, plain.body.toString()]).toEqual([undefined, readable(text, valuesOf(1))]);
  const zipped = await kept.encode('gzip', valuesOf(2));
  expect([zipped.encoding, gunzipSync(zipped.body).toString()]).toEqual(['gzip', readable(text, valuesOf(2))]);
});
