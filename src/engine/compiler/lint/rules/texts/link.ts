import { say } from '../../../sources/say.ts';
import { valueAt } from '../../../../core/json-pointer.ts';
import { linksOf } from '../../../screen/links-of-ui.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { wordsIn } from '../../wording/own-words.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A link or button whose text does not say where it leads, for read alone, as screen readers list them, it says nothing; or a link to an invalid address. */
export const textLink: LintRule<Subject> = {
  id: 'text/link',
  severity: 'W',
  find: (subject) => [...addresses(subject), ...vagueTexts(subject)],
};

function vagueTexts(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { vague = [] }]) => {
    const known = new Set(vague.map((entry) => wordsIn(entry).join(' ')));
    return textsIn(language, subject).flatMap(({ file, pointer, origin, text }): readonly Finding[] =>
      isPressed(origin.pointer) && known.has(wordsIn(text).join(' '))
        ? [
            {
              file,
              pointer,
              message: say`"${text}" does not say where it leads.`,
              hint: say`Say it in the link itself: whoever hears the list of links hears nothing else.`,
            },
          ]
        : [],
    );
  });
}

/** Addresses of links that browsers warn of, or that nobody can write to. */
function addresses({ screens }: Subject): readonly Finding[] {
  return [...screens.values()].flatMap(({ ui, files }) =>
    linksOf(ui).flatMap(([pointer, { to = '' }]): readonly Finding[] => {
      const file = files.ui;
      const place = file && { file, pointer: `${pointer}/to` };
      if (!place || valueAt(file.value, place.pointer) !== to) return []; // a shared notice has it
      if (to.startsWith('http://')) {
        const mended = to.replace('http:', 'https:');
        const fix = [{ file: file.path, pointer: place.pointer, value: mended }];
        return [
          {
            ...place,
            message: say`"${to}" is not encrypted: browsers warn of it.`,
            hint: say`Write "${mended}".`,
            fix,
          },
        ];
      }
      const [, kind, address = ''] = /^(mailto|tel):(.*)$/.exec(to.replaceAll(/\{\w+\}/g, 'a@1')) ?? [];
      const isAddress = kind === 'tel' ? /^\+?[\d@a-]+$/ : /^[^@\s]+@[^@\s?]+/;
      if (kind === undefined || isAddress.test(address)) return [];
      return [
        {
          ...place,
          message: say`"${to}" is no address that can be written to or called.`,
          hint: say`Write "mailto:name@example.com" or "tel:+59821501000".`,
        },
      ];
    }),
  );
}

function isPressed(pointer: string): boolean {
  return /\/(?:link|other|(?:actions|links|ui:links)\/\d+)\/text$/.test(pointer);
}
