import type { Localized } from '../../../localized.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { ownWords } from '../../wording/own-words.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A text that was typed in a hurry: a blank, a word or a sign too many or too few, a sign that the control adds by itself, or all in capitals, which screen readers may spell. */
export const textTyped: LintRule<Subject> = {
  id: 'text/typed',
  severity: 'W',
  find: (subject) =>
    subject.set.languages.flatMap((language) =>
      textsIn(language, subject).flatMap(({ file, pointer, origin, text }): readonly Finding[] => {
        const slip =
          blanks(text) ?? slipIn(text) ?? beginning(text, origin.pointer) ?? endOfLabel(text, origin.pointer);
        if (slip)
          return [
            {
              file,
              pointer,
              message: slip.message,
              hint: say`Write "${slip.mended}".`,
              fix: [{ file: file.path, pointer, value: slip.mended }],
            },
          ];
        if (!isShouted(text)) return [];
        return [{ file, pointer, message: say`This text is all in capitals.`, hint: say`Write it as a sentence.` }];
      }),
    ),
};

interface Slip {
  readonly message: Localized;
  readonly mended: string;
}

function blanks(text: string): Slip | null {
  const mended = text.trim().replaceAll(/ {2,}/g, ' ');
  return mended === text ? null : { message: say`This text has blanks too many.`, mended };
}

/** Slips that are seen in any text, and what takes their place. */
const slips: readonly (readonly [RegExp, (part: string) => string, (part: string) => Localized])[] = [
  [
    /(?<![\p{L}\d-])(\p{L}{2,}) \1(?![\p{L}-])/iu,
    (part) => part.slice(0, part.indexOf(' ')),
    (part) => say`"${part}": the word stands twice.`,
  ],
  [/(?<=\p{L}) (?=[,;:.!?](?:\s|$))/u, () => '', () => say`There is a blank before a sign.`],
  [
    /(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})|(?<=\p{L}{2}[,;])(?=\p{L}{2})/u,
    () => ' ',
    () => say`There is no blank behind a sign.`,
  ],
  [/(?<!\.)\.\.(?!\.)|,,|;;|::/, (part) => part.slice(0, 1), (part) => say`"${part}": the sign stands twice.`],
];

function slipIn(text: string): Slip | null {
  const own = ownWords(text, []);
  for (const [pattern, instead, message] of slips) {
    const found = pattern.exec(own);
    if (!found) continue;
    const [part] = found;
    const mended = text.slice(0, found.index) + instead(part) + text.slice(found.index + part.length);
    return { message: message(part), mended };
  }
  return null;
}

/** What is read alone, so that it begins as a sentence does. */
const alone = /\/(?:title|ui:title|step|intro|text)$|\/(?:title|intro)\/\d+\/text$/;

function beginning(text: string, pointer: string): Slip | null {
  const [first] = /^\p{Ll}+(?![\p{L}\d.@{-])/u.exec(text) ?? []; // gub.uy and eBay are names
  if (first === undefined || !alone.test(pointer) || /^\/intro\/\d+\/link/.test(pointer)) return null; // such a link goes on a sentence
  return {
    message: say`This text begins with a small letter.`,
    mended: text.charAt(0).toUpperCase() + text.slice(1),
  };
}

function endOfLabel(text: string, pointer: string): Slip | null {
  const [sign] = /\s*[:*]$/.exec(text) ?? [];
  if (sign === undefined || !pointer.endsWith('/ui:title')) return null;
  return {
    message: say`The label ends with "${sign.trim()}": which fields are required is shown by itself.`,
    mended: text.slice(0, -sign.length),
  };
}

/** From so many words on; fewer may be a name or what has to be typed. */
const fewest = 3;

function isShouted(text: string): boolean {
  const words = ownWords(text, []).match(/\p{L}{2,}/gu) ?? [];
  return words.length >= fewest && words.every((word) => word === word.toUpperCase());
}
