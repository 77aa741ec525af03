import { textTable } from '../../../files/plugin-table.ts';
import { guess } from '../../../sources/near.ts';
import { say } from '../../../sources/say.ts';
import { type Finding, type Subject, setRule } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import { valueAt, escapePointer } from '../../../../core/json-pointer.ts';
import { wordFinder, wordsIn, countWords } from '../../wording/own-words.ts';
import { listLinks } from '../../../screen/fields-of-ui.ts';
import type { Localized } from '../../../localized.ts';
import type { SourceFile } from '../../../sources/source-file.ts';

/** Reports identical notices, messages, field texts and branches that could be shared. Other texts cannot be shared. */
export const textAgain = setRule('text/again', 'N', ({ screens, set }) => {
  const uis = [...screens.values()].flatMap(({ files }) => files.ui ?? []);
  return [
    ...again(uis.flatMap(listNotices), say`Write it once in schemas/_shared/notices.json.`),
    ...again(
      uis.flatMap((file) => [...listMessages(file), ...listFieldTexts(file)]),
      say`Write it once with the field, in a definition of schemas/_shared.`,
    ),
    ...set.flows.flatMap((flow) => again(listWrittenBranches(flow), say`Write it once in "branches" of the flow.`)),
  ];
});

/** Minimum number of places with the same content. */
const often = 3;
/** Texts with fewer words and fewer characters may repeat, e.g. "Código". */
const [fewWords, fewSigns] = [4, 25];
/** Shorter branches, in characters of JSON, are easier to read than the name of a shared one. */
const shortBranch = 60;

interface Place {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly content: string;
}

function again(places: readonly Place[], hint: Localized): readonly Finding[] {
  const same = new Map<string, Place[]>();
  for (const place of places) {
    const known = same.get(place.content);
    if (known) known.push(place);
    else same.set(place.content, [place]);
  }
  return [...same.values()].flatMap(([first, ...others]) =>
    first === undefined || others.length + 1 < often
      ? []
      : {
          file: first.file,
          pointer: first.pointer,
          message: say`The same stands at ${others.length + 1} places.`,
          hint,
          related: others.map(({ file, pointer }) => ({ file: file.path, pointer })),
        },
  );
}

function listNotices(file: SourceFile): readonly Place[] {
  return entriesAt(file, 'notices').map(([name, notice]) => ({
    file,
    pointer: `/notices/${escapePointer(name)}`,
    content: JSON.stringify([name, notice]),
  }));
}

function listMessages(file: SourceFile): readonly Place[] {
  return entriesAt(file, 'messages').flatMap(([field, messages]) =>
    Object.entries(isObject(messages) ? messages : {}).map(([keyword, text]) => ({
      file,
      pointer: `/messages/${escapePointer(field)}/${escapePointer(keyword)}`,
      content: JSON.stringify([keyword, text]),
    })),
  );
}

function listFieldTexts(file: SourceFile): readonly Place[] {
  const look = (fields: unknown, at: string): readonly Place[] =>
    Object.entries(isObject(fields) ? fields : {}).flatMap(([word, value]) => {
      const pointer = `${at}/${escapePointer(word)}`;
      if (!word.startsWith('ui:')) return look(value, pointer); // a field, or one nested in an object or a list
      const isShared = ['ui:title', 'ui:help', 'ui:placeholder'].includes(word);
      return isShared && typeof value === 'string' && isLong(value)
        ? [{ file, pointer, content: JSON.stringify([word, value]) }]
        : [];
    });
  return look(isObject(file.value) ? file.value['fields'] : undefined, '/fields');
}

function isLong(text: string): boolean {
  return text.length >= fewSigns || countWords(text) >= fewWords;
}

function entriesAt({ value }: SourceFile, part: string): readonly (readonly [name: string, content: unknown])[] {
  const content = isObject(value) ? value[part] : undefined;
  return isObject(content) ? Object.entries(content) : [];
}

function listWrittenBranches(file: SourceFile): readonly Place[] {
  const found: Place[] = [];
  const look = (value: Json | undefined, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const isBranch =
      !Array.isArray(value) && ['target', 'leave', 'branches'].some((word) => Object.hasOwn(value, word));
    const content = JSON.stringify(value);
    if (isBranch && content.length >= shortBranch) found.push({ file, pointer, content });
    for (const [step, inner] of Object.entries(value)) look(inner as Json, `${pointer}/${escapePointer(step)}`);
  };
  look(isObject(file.value) ? (file.value.states as Json) : undefined, '/states');
  return found;
}

/** Reports link and button texts that are meaningless out of context, as in the list of links of a screen reader, and invalid addresses. */
export const textLink = setRule('text/link', 'W', (subject) => [...addresses(subject), ...vagueTexts(subject)]);

function vagueTexts(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { vague = [] }]) => {
    const known = new Set(vague.map((entry) => wordsIn(entry).join(' ')));
    return textsIn(language, subject).flatMap(({ file, pointer, origin, text }) =>
      isPressed(origin.pointer) && known.has(wordsIn(text).join(' '))
        ? {
            file,
            pointer,
            message: say`"${text}" does not say where it leads.`,
            hint: say`Say it in the link itself: whoever hears the list of links hears nothing else.`,
          }
        : [],
    );
  });
}

function addresses({ screens }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ ui, files }) =>
    listLinks(ui).flatMap(([pointer, { to = '' }]) => {
      const file = files.ui;
      const place = file && { file, pointer: `${pointer}/to` };
      if (!place || valueAt(file.value, place.pointer) !== to) return []; // in a shared notice
      if (to.startsWith('http://')) {
        const mended = to.replace('http:', 'https:');
        const fix = [{ file: file.path, pointer: place.pointer, value: mended }];
        return {
          ...place,
          message: say`"${to}" is not encrypted: browsers warn of it.`,
          hint: say`Write "${mended}".`,
          fix,
        };
      }
      const [, kind, address = ''] = /^(mailto|tel):(.*)$/.exec(to.replaceAll(/\{\w+\}/g, 'a@1')) ?? [];
      const isAddress = kind === 'tel' ? /^\+?[\d@a-]+$/ : /^[^@\s]+@[^@\s?]+/;
      if (kind === undefined || isAddress.test(address)) return [];
      return {
        ...place,
        message: say`"${to}" is no address that can be written to or called.`,
        hint: say`Write "mailto:name@example.com" or "tel:+59821501000".`,
      };
    }),
  );
}

function isPressed(pointer: string): boolean {
  return /\/(?:link|other|(?:actions|links|ui:links)\/\d+)\/text$/.test(pointer);
}

/** Reports notices and screens whose intent or tone contradicts their text. */
export const textIntent = setRule('text/intent', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { success = [], failure = [] }]) => {
    const [goodIn, badIn] = [wordFinder(success), wordFinder(failure)];
    return textsIn(language, subject).flatMap(({ file, pointer, origin, text }) => {
      const isTitle = /^\/title(?:\/\d+\/text)?$/.test(origin.pointer);
      const own = valueAt(origin.file.value, isTitle ? '' : origin.pointer.replace(/\/text$/, ''));
      const key = isTitle ? 'tone' : 'intent';
      const intent = isObject(own) ? own[key] : undefined;
      const [[good], [bad]] = [goodIn(text), badIn(text)];
      const found = intent === 'success' ? bad : intent === 'error' && !bad ? good : undefined;
      if (!found || !(isTitle || origin.pointer.endsWith('/text'))) return [];
      return {
        file,
        pointer,
        message: isTitle
          ? say`"${found.word}" is the title of a screen whose tone is "${String(intent)}".`
          : say`"${found.word}" is said in a notice whose intent is "${String(intent)}".`,
        hint: say`Write "${intent === 'success' ? 'error' : 'success'}" in "${key}", or say what went ${intent === 'success' ? say`well` : say`wrong`}.`,
      };
    });
  }),
);

/** Reports texts that mention a button that does not exist. The button was probably renamed. */
export const textButton = setRule('text/button', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { press = [] }]) => {
    if (press.length === 0) return [];
    const asked = new RegExp(String.raw`(?<!\p{L})(?:${press.join('|')}) [«“"]([^»”"{]+)[»”"]`, 'giu');
    const texts = textsIn(language, subject);
    const names = new Set([...texts.map(({ text }) => text), ...listPluginTexts(language, subject)]);
    return texts.flatMap(({ file, pointer, text }) =>
      [...text.matchAll(asked)].flatMap(([, name = '']) =>
        names.has(name)
          ? []
          : {
              file,
              pointer,
              message: say`Nothing is called "${name}".`,
              hint: say`${guess(name, names)}Write the text of the button as it stands there.`,
            },
      ),
    );
  }),
);

function listPluginTexts(language: string, { set }: Subject): readonly string[] {
  return [...set.plugins.byName.values()].flatMap(({ texts }) => Object.values(textTable(texts, language)));
}
