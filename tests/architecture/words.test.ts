import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { textsOf } from '../../src/engine/compiler/shared/texts.ts';
import type { Json } from '../../src/engine/core/json.ts';
import { without, wordsIn } from '../../src/engine/compiler/analyse/plain-words.ts';
import plain from '../../src/server/platform/base/plain-words.json' with { type: 'json' };
import { root } from './source-texts.ts';

const { quoted, refused } = plain.es;

/** Every Spanish text of the product by where it stands. */
async function spanish(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const json = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, Json>;
  const put = (path: string, texts: Iterable<readonly [string, unknown]>) => {
    for (const [at, text] of texts) if (typeof text === 'string') found.set(`${relative(root, path)} ${at}`, text);
  };
  const files = async (folder: string, end: RegExp) =>
    (await readdir(join(root, folder), { recursive: true }))
      .filter((name) => end.test(name))
      .map((name) => join(root, folder, name));
  for (const path of await files('schemas', /(^|\/)ui\.json$/)) put(path, textsOf(await json(path)));
  for (const path of await files('schemas/_shared', /^(?!messages)[\w-]+\.json$/)) put(path, textsOf(await json(path)));
  put('schemas/_shared/messages.json', Object.entries(await json(join(root, 'schemas/_shared/messages.json'))));
  for (const path of [...(await files('plugins', /texts\.json$/)), ...(await files('src/server', /texts\.json$/))])
    put(path, Object.entries((await json(path)).es as Record<string, Json>));
  for (const path of await files('schemas/_shared/texts', /^\w+\.json$/)) put(path, Object.entries(await json(path)));
  for (const path of [
    ...(await files('src/server', /\/mails\/.*\.es\.txt$/)),
    ...(await files('src/server/features/content/es', /\.md$/)),
  ])
    put(path, [['', await readFile(path, 'utf8')]]);
  for (const path of await files('src/server', /\/mails\/.*\.json$/)) {
    for (const [name, { es }] of Object.entries(
      (await json(path)) as unknown as Record<string, { es: Record<string, string> }>,
    ))
      put(
        path,
        Object.entries(es).map(([part, text]) => [`${name}/${part}`, text]),
      );
  }
  return found;
}

test.each(refused)('[INI+PALABRAS] own texts say vos and correo, in plain words: not $words', async ({ words }) => {
  const texts = await spanish();
  expect(texts.size).toBeGreaterThan(700);
  const wrong = [...texts].flatMap(([at, text]) => {
    const word = wordsIn(words, without(text, quoted));
    return word === undefined ? [] : [`${at}: "${word}" in "${text.slice(0, 120)}"`];
  });
  expect(wrong).toEqual([]);
});

test('[INI+PALABRAS] a notice is a sentence, with its full stop', async () => {
  const notices = [...(await spanish())].filter(([at]) =>
    /(ui\.json \/notices|notices\.json \/\$defs)\/\w+\/text$/.test(at),
  );
  expect(notices.length).toBeGreaterThan(40);
  const open = notices.filter(
    ([, text]) => without(text, quoted).trim() !== '' && !/[.:?!…»]$/.test(text) && !/ a$/.test(text),
  ); // a link follows "a"
  expect(open.map(([at, text]) => `${at}: ${text}`)).toEqual([]);
});

test('[INI+PALABRAS] nothing is excused that no text says', async () => {
  const all = [...(await spanish()).values()].join('\n');
  expect(quoted.filter((quotation) => !all.includes(quotation))).toEqual([]);
});
