import { say } from '../../../sources/say.ts';
import { textTable } from '../../../files/text-table.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { placeholders } from '../../../../core/messages.ts';
import type { Finding, Subject } from '../../subject.ts';
import { pairedTables } from '../../wording/read-texts.ts';

/** Reports texts that are only correct for some counts, such as "1 datos", and singular forms with a number whose plural has none. */
export function countedTexts(subject: Subject): readonly Finding[] {
  return subject.set.languages.flatMap((language) =>
    pairedTables(language, subject).flatMap(([, file]) => {
      const table = textTable(file);
      return Object.entries(table).flatMap(([key, text]) => {
        const pointer = `/${escapePointer(key)}`;
        const one = table[`${key}.one`];
        const [, counted] = /\{count\} (\p{L}+s)(?!\p{L})/u.exec(text) ?? [];
        if (counted !== undefined && one === undefined && !besides(key, table).some((other) => saysOne(other, counted)))
          return {
            file,
            pointer,
            message: say`For one it says "1 ${counted}".`,
            hint: say`Add a sentence for one, e.g. "${key}.one", or write one that fits both.`,
          };
        if (one === undefined || placeholders(text).includes('count') || !placeholders(one).includes('count'))
          return [];
        return {
          file,
          pointer,
          message: say`"${key}.one" says its number, and this sentence for several does not.`,
          hint: say`Write {count} where the number belongs.`,
        };
      });
    }),
  );
}

/** Returns the texts with the same key prefix. */
function besides(key: string, table: Readonly<Record<string, string>>): readonly string[] {
  const head = key.slice(0, key.lastIndexOf('.') + 1) || key;
  return Object.entries(table).flatMap(([other, text]) => (other.startsWith(head) ? [text] : []));
}

/** Whether a text has the singular of a counted word. */
function saysOne(text: string, many: string): boolean {
  const [, one] = /(?:\{count\}|(?<!\d)1) (\p{L}+)/u.exec(text) ?? [];
  return one !== undefined && one !== many && many.startsWith(one.slice(0, Math.max(3, one.length - 3)));
}
