import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wordFinder } from '../../engine/compiler/lint/wording/own-words.ts';
import type { Wording } from '../../engine/compiler/lint/wording/faults.ts';
import type { Problem } from '../../engine/compiler/definitions.ts';
import { inLanguage, type Localized } from '../../engine/compiler/localized.ts';
import { say } from './say.ts';

const mailFile = /\/mails\/([\w-]+)\.(\w+)\.txt$/;

/**
 * Finds faulty placeholders and links in mails: unbalanced braces, differences from the base language, and links that are announced but missing.
 * `language` is that of the findings. `wording` is by language of the mails.
 */
export async function mailFindings(
  root: string,
  baseLanguage: string,
  language: string,
  wording: Readonly<Record<string, Wording>> = {},
): Promise<readonly Problem[]> {
  const files = (await readdir(join(root, 'src/server'), { recursive: true }))
    .map((name) => `src/server/${name}`)
    .filter((name) => mailFile.test(name))
    .sort();
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)),
  );
  return [...texts].flatMap(([file, text]) => {
    const baseFile = file.replace(/\.\w+\.txt$/, `.${baseLanguage}.txt`);
    const base = texts.get(baseFile) ?? text;
    const at = (index: number, rule: string, message: Localized, hint: Localized): Problem => {
      const before = text.slice(0, index).split('\n');
      return {
        rule,
        severity: 'W',
        file,
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        pointer: '',
        message: inLanguage(message, language),
        hint: inLanguage(hint, language),
      };
    };
    const loose = looseBraces(text).map(([part, index]) =>
      at(
        index,
        'text/braces',
        say`People read "${part}" as it stands: this is no placeholder.`,
        say`In a mail it is written {{${part.replaceAll(/[{}\s]/g, '')}}}, with two braces on each side and no blank.`,
      ),
    );
    const own = wording[mailFile.exec(file)?.[2] ?? ''];
    const [announced] = linksIn(text).length > 0 ? [] : wordFinder(own?.links ?? [])(text);
    const lost = announced
      ? [
          at(
            announced.at,
            'text/link',
            say`It says "${announced.word}", and no link stands in this mail.`,
            say`Write it on a line of its own: [What it does]({{link}}).`,
          ),
        ]
      : [];
    return [
      ...loose,
      ...lost,
      ...unlike(base, text).map(([index, there, here]) =>
        at(
          index,
          'text/pair',
          say`It says something else than in "${baseLanguage}": there ${there}, here ${here}.`,
          say`Give each link and each placeholder the one that it has in ${baseFile}, or correct that one.`,
        ),
      ),
    ];
  });
}

/** Braces that do not form a valid placeholder, with their positions. */
function looseBraces(text: string): readonly (readonly [part: string, index: number])[] {
  return [...text.matchAll(/\{+[^{}\n]*\}+/g)].flatMap(({ 0: part, index }) =>
    /^\{\{>?\w+\}\}$/.test(part) ? [] : [[part, index] as const],
  );
}

/** The first link whose target differs from the base text, or else the differing placeholders. */
function unlike(base: string, text: string): readonly (readonly [index: number, there: string, here: string])[] {
  const links = [linksIn(base), linksIn(text)] as const;
  const differs = links[1].findIndex(({ to }, place) => to !== links[0][place]?.to);
  if (differs >= 0 || links[0].length > links[1].length) {
    const place = differs < 0 ? links[1].length : differs;
    return [[links[1][place]?.index ?? 0, links[0][place]?.to ?? '–', links[1][place]?.to ?? '–']];
  }
  const names = [placeholdersIn(base), placeholdersIn(text)] as const;
  const [there, here] = [
    names[0].filter((name) => !names[1].includes(name)),
    names[1].filter((name) => !names[0].includes(name)),
  ];
  if (there.length + here.length === 0) return [];
  return [[Math.max(0, text.indexOf(here[0] ?? '')), there.join(', ') || '–', here.join(', ') || '–']];
}

function linksIn(text: string): readonly { readonly to: string; readonly index: number }[] {
  return [...text.matchAll(/\]\(([^)\s]*)\)/g)].map(({ 1: to = '', index }) => ({ to, index }));
}

function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\{>?\w+\}\}/g))];
}
