import { expect, test } from 'vitest';
import { BoundedTextMap } from './bounded-text-map.ts';

test('BoundedTextMap removes the text that was set longest ago, also if others were set again', () => {
  const texts = new BoundedTextMap();
  for (let index = 0; index < 50; index++) texts.set(`/${index}`, 'first');
  texts.set('/0', 'again');
  texts.set('/50', 'first');
  expect([texts.size, texts.get('/0'), texts.get('/1')]).toEqual([50, 'again', undefined]);
});
