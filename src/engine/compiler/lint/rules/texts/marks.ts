import { say } from '../../../sources/say.ts';
import { type Finding, type Subject, type LintedFlow, type LintedScreen, setRule } from '../../subject.ts';
import type { Spans } from '../../wording/wording.ts';
import { textsIn } from '../../wording/read-texts.ts';
import { placeholders } from '../../../../core/messages.ts';
import { pairedTexts } from '../../wording/read-wording.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import { listVariables } from '../../../../core/logic.ts';
import { listStateBranches } from '../../../flow/flow-parts.ts';
import { flattenFields } from '../../../screen/fields-of-schema.ts';
import { listLinks } from '../../../screen/fields-of-ui.ts';
import { indexTexts } from '../../../shared/texts.ts';
import { locateTranslation } from '../../places.ts';

/** Reports HTML tags, entities and Markdown in texts. Texts are shown literally. */
export const textMarkup = setRule('text/markup', 'W', (subject) =>
  everyText(subject).flatMap(({ file, pointer, text }) => {
    const [sign] = markup.exec(text) ?? [];
    if (sign === undefined) return [];
    return {
      file,
      pointer,
      message: say`A text is drawn as it is written: "${sign}" is read with all its signs.`,
      hint: say`Write words alone. A paragraph is an entry of a list, a link stands in "link" or "links".`,
      fix: [{ file: file.path, pointer, value: plain(text) }],
    };
  }),
);

const markup =
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d+|#x[\da-f]+);|\*\*[^*]+\*\*|\[[^\][]+\]\([^()\s]+\)/iu;

const entities: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };

function plain(text: string): string {
  return text
    .replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/giu, '')
    .replace(/&([a-z]{2,8});/giu, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\*\*([^*]+)\*\*/gu, '$1')
    .replace(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1');
}

/** Reports secrets in texts: variables with a secret, and literal ones. */
export const textSecret = setRule('text/secret', 'E', (subject) => [
  ...written(subject),
  ...[...subject.screens.values()].flatMap((screen) => shown(screen, subject)),
]);

/** JSON web tokens, API keys with a vendor prefix, and long runs of letters and digits. */
const secretText =
  /\beyJ[\w-]{8,}\.[\w-]{8,}|\b(?:sk|pk|ghp|xox[bp])[-_]\w{12,}|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{32,}\b/;
const secretName =
  /(?:^|_|\b)(?:token|jwt|secret|secreto|password|pwd|passwd|otp|totp_secret)(?:$|_|\b)|(?:[a-z](?:Token|Secret|Password)$)/;

function written(subject: Subject): readonly Finding[] {
  return everyText(subject).flatMap(({ file, pointer, text }) =>
    secretText.test(text)
      ? {
          file,
          pointer,
          message: say`This text holds what looks like a secret.`,
          hint: say`Remove it, and make another one: this file may have been copied.`,
        }
      : [],
  );
}

function shown({ id, ui, uis, files }: LintedScreen, { flows, screens, set }: Subject): readonly Finding[] {
  const secrets = new Set(
    flows
      .filter(({ flow }) => Object.values(flow.states).some(({ screen }) => screen === id))
      .flatMap((flow) => listSecretVariables(flow, screens)),
  );
  if (secrets.size === 0 || !files.ui) return [];
  const base = files.ui;
  const texts = [...uis].flatMap(([language, own]) => {
    const isBase = language === set.baseLanguage;
    const file = isBase ? files.ui : files.translations.get(language);
    const all = [...indexTexts(own as unknown as Json)]; // definitions are JSON
    return file
      ? all.map(([pointer, text]) => ({ file, pointer: isBase ? pointer : locateTranslation(base, pointer), text }))
      : [];
  });
  const targets = listLinks(ui).flatMap(([pointer, { to }]) =>
    to === undefined || !files.ui ? [] : [{ file: files.ui, pointer: `${pointer}/to`, text: to }],
  );
  return [...texts, ...targets].flatMap(({ file, pointer, text }) =>
    placeholders(text)
      .filter((name) => secrets.has(name))
      .map((name) => ({
        file,
        pointer,
        message: say`"{${name}}" is a secret: whoever looks at the page, or at a picture of it, would have it.`,
        hint: say`Take it out of the text.`,
      })),
  );
}

/** Returns the variables of a flow that probably contain a secret, according to their names and assignments. */
function listSecretVariables({ flow }: LintedFlow, screens: Subject['screens']): readonly string[] {
  const named = Object.keys(flow.context ?? {}).filter((name) => secretName.test(name));
  const assigned = Object.values(flow.states).flatMap((state) => {
    const fields = flattenFields(screens.get(state.screen ?? '')?.schema ?? {});
    const isSecret = (path: string) =>
      path.startsWith('form.')
        ? fields[path.slice(5)]?.writeOnly === true
        : secretName.test(path.split('.').at(-1) ?? '');
    return listStateBranches(state).flatMap(({ assign = {} }) =>
      Object.entries(assign).flatMap(([name, template]) => (listVariables(template).some(isSecret) ? [name] : [])),
    );
  });
  return [...named, ...assigned];
}

function everyText(subject: Subject) {
  return subject.set.languages
    .flatMap((language) => textsIn(language, subject))
    .filter(({ file }) => isObject(file.value));
}

/** Reports translations with other placeholders, numbers or closing punctuation than the original. */
export const textPair = setRule('text/pair', 'W', (subject) =>
  subject.set.languages.slice(1).flatMap((language) =>
    pairedTexts(language, subject).flatMap(({ file, pointer, base, text, translated }) =>
      differences(text, translated, isQuoted(text, subject)).map(([inBase, inOther]): Finding => ({
        file,
        pointer,
        message: say`It says something else than in "${subject.set.baseLanguage}": there ${inBase}, here ${inOther}.`,
        hint: say`Translate it again.`,
        related: [base],
      })),
    ),
  ),
);

// The punctuation of an official wording may differ from its translation.
function isQuoted(text: string, { contract, set }: Subject): boolean {
  return contract.wording?.[set.baseLanguage]?.quoted.includes(text) ?? false;
}

function differences(own: string, other: string, isQuotation: boolean): readonly (readonly [string, string])[] {
  const facts = [
    (text: string) => [...placeholders(text)].sort().map((name) => `{${name}}`),
    (text: string) => (text.replace(/\{\w+\}/g, '').match(/\d+/g) ?? []).sort(),
    (text: string) => (isQuotation ? [] : (/[.:?!…]$/.exec(text.trim()) ?? [])),
  ];
  return facts
    .map((fact) => [fact(own).join(' ') || '–', fact(other).join(' ') || '–'] as const)
    .filter(([a, b]) => a !== b);
}

/** Reports unbalanced quotation marks, brackets, question marks and exclamation marks. */
export const textQuotes = setRule('text/quotes', 'W', (subject) =>
  subject.set.languages.flatMap((language) =>
    textsIn(language, subject).flatMap(({ file, pointer, text }) => {
      const missing = missingEnd(text);
      return missing === undefined
        ? []
        : {
            file,
            pointer,
            message: say`"${missing.there}" has no "${missing.lacking}".`,
            hint: say`Write both, or none.`,
          };
    }),
  ),
);

const pairs = ['«»', '“”', '()', '[]'].map(([begin = '', end = '']) => [begin, end] as const);
/** Spanish marks. A closing one without its opening one is not reported, because other languages have no opening marks. */
const openings = [
  [String.fromCodePoint(0xbf), '?'],
  [String.fromCodePoint(0xa1), '!'],
] as const;

function missingEnd(text: string): { readonly there: string; readonly lacking: string } | undefined {
  const count = (sign: string) => text.split(sign).length - 1;
  for (const [begin, end] of [...pairs, ...openings])
    if (count(begin) > count(end)) return { there: begin, lacking: end };
  for (const [begin, end] of pairs) if (count(end) > count(begin)) return { there: end, lacking: begin };
  return undefined;
}

/** Reports braces that are not a placeholder and would be shown. */
export const textBraces = setRule('text/braces', 'E', (subject) =>
  subject.set.languages.flatMap((language) =>
    textsIn(language, subject).flatMap(({ file, pointer, text }) => {
      const [wrong] = looseBraces(text);
      if (wrong === undefined) return [];
      const name = wrong.replaceAll(/[{}\s]/g, '');
      return {
        file,
        pointer,
        message: say`People read "${wrong}" as it stands: this is no placeholder.`,
        hint: say`Write {${name === '' ? 'x' : name}}, with one brace on each side and no blank.`,
        ...(/^\w+$/.test(name) && { fix: [{ file: file.path, pointer, value: text.replace(wrong, `{${name}}`) }] }),
      };
    }),
  ),
);

function looseBraces(text: string): readonly string[] {
  return [...text.matchAll(/\{+[^{}]*\}+|[{}]/g)].flatMap(([part]) => (/^\{\w+\}$/.test(part) ? [] : [part]));
}

/** Reports durations in texts that the server does not use, probably because only one of the two was changed. */
export const textLimit = setRule('text/limit', 'W', (subject) => {
  const { spans, wording = {} } = subject.contract;
  if (!spans) return [];
  const saved = subject.flows.flatMap(({ flow }) => (flow.save ? [flow.save.days * dayMinutes] : []));
  const listKnownSpans = (unit: number) => (unit === dayMinutes ? [...spans.days, ...saved] : spans.shorter);
  return Object.entries(wording).flatMap(([language, { spans: units }]) =>
    units
      ? textsIn(language, subject).flatMap(({ file, pointer, text }) =>
          spansIn(text, units)
            .filter(({ minutes, unit }) => !listKnownSpans(unit).includes(minutes))
            .map(({ said, unit }): Finding => ({
              file,
              pointer,
              message: say`No time of the server is "${said}".`,
              hint: say`Write the one that holds, or a placeholder of the flow. Times of this unit: ${timesIn(unit, listKnownSpans(unit))}.`,
            })),
        )
      : [],
  );
});

const dayMinutes = 24 * 60;

function timesIn(unit: number, known: readonly number[]): string {
  const times = new Set(known.map((minutes) => minutes / unit).filter((time) => Number.isInteger(time)));
  return [...times].sort((a, b) => a - b).join(', ');
}

/** Returns every duration in a text, e.g. "2 horas". */
function spansIn(
  text: string,
  units: Spans,
): readonly { readonly said: string; readonly unit: number; readonly minutes: number }[] {
  const finder = new RegExp(String.raw`(?<![\d.,:])(\d+)\s+(${Object.keys(units).join('|')})(?!\p{L})`, 'giu');
  return [...text.matchAll(finder)].map(([said, number, word = '']) => {
    const unit = units[word.toLowerCase()] ?? 1;
    return { said, unit, minutes: Number(number) * unit };
  });
}
