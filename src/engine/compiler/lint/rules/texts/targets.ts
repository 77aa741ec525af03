import { textTable } from '../../../files/text-table.ts';
import { guess } from '../../../sources/near.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding, Subject } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';
import { isObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/json-pointer.ts';
import { wordFinder, wordsIn } from '../../wording/own-words.ts';
import { linksOf } from '../../../screen/links-of-ui.ts';

/** Reports link and button texts that are meaningless out of context, as in the list of links of a screen reader, and invalid addresses. */
export const textLink: LintRule<Subject> = {
  id: 'text/link',
  severity: 'W',
  find: (subject) => [...addresses(subject), ...vagueTexts(subject)],
};

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
    linksOf(ui).flatMap(([pointer, { to = '' }]) => {
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
export const textIntent: LintRule<Subject> = {
  id: 'text/intent',
  severity: 'W',
  find: (subject) =>
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
};

/** Reports texts that mention a button that does not exist. The button was probably renamed. */
export const textButton: LintRule<Subject> = {
  id: 'text/button',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, { press = [] }]) => {
      if (press.length === 0) return [];
      const asked = new RegExp(String.raw`(?<!\p{L})(?:${press.join('|')}) [«“"]([^»”"{]+)[»”"]`, 'giu');
      const texts = textsIn(language, subject);
      const names = new Set([...texts.map(({ text }) => text), ...ofPlugins(language, subject)]);
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
};

function ofPlugins(language: string, { set }: Subject): readonly string[] {
  return [...set.plugins.byName.values()].flatMap(({ texts }) => Object.values(textTable(texts, language)));
}
