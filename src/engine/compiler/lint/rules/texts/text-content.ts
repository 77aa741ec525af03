import { explain } from '../../../sources/say.ts';
import type { LintedFlow, Subject } from '../../subject.ts';
import { eachScreen, eachText, eachWording, locateUiText, reportAt, setRule, textRule } from '../../rule.ts';
import { placeholders } from '../../../../core/messages.ts';
import { pairedTexts } from '../../wording/read-wording.ts';
import type { Json } from '../../../../core/json.ts';
import { listVariables } from '../../../../core/logic.ts';
import { listStateBranches } from '../../../flow/flow-parts.ts';
import { flattenFields } from '../../../screen/fields-of-schema.ts';
import { listLinks } from '../../../screen/fields-of-ui.ts';
import { indexTexts } from '../../../shared/texts.ts';

/** Reports HTML tags, entities and Markdown in texts. Texts are shown literally. */
export const textMarkup = textRule('text/markup', 'W', ({ file, pointer, text }) => {
  const [sign] = markup.exec(text) ?? [];
  if (sign === undefined) return null;
  return reportAt({ file, pointer, value: plain(text) })(explain`
    A text is drawn as it is written: "${sign}" is read with all its signs.
    Write words alone. A paragraph is an entry of a list, a link stands in "link" or "links".`);
});

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

/** JSON web tokens, API keys with a vendor prefix, and long runs of letters and digits. */
const secretText =
  /\beyJ[\w-]{8,}\.[\w-]{8,}|\b(?:sk|pk|ghp|xox[bp])[-_]\w{12,}|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{32,}\b/;
const secretName =
  /(?:^|_|\b)(?:token|jwt|secret|secreto|password|pwd|passwd|otp|totp_secret)(?:$|_|\b)|(?:[a-z](?:Token|Secret|Password)$)/;

const writtenSecrets = eachText(({ file, pointer, text }) => {
  if (!secretText.test(text)) return null;
  return reportAt({ file, pointer })(explain`This text holds what looks like a secret.
    Remove it, and make another one: this file may have been copied.`);
});

const shownSecrets = eachScreen(function* (screen, { flows, screens }) {
  const { id, ui, uis, files } = screen;
  const shown = flows.filter(({ flow }) => Object.values(flow.states).some((state) => state.screen === id));
  const secrets = new Set(shown.flatMap((flow) => listSecretVariables(flow, screens)));
  if (secrets.size === 0) return;
  const texts = [...uis].flatMap(([language, own]) =>
    [...indexTexts(own as unknown as Json)].map(([at, text]) => [locateUiText(screen, language, at), text] as const),
  );
  const targets = listLinks(ui).map(([at, { to = '' }]) => [{ file: files.ui, pointer: `${at}/to` }, to] as const);
  for (const [place, text] of [...texts, ...targets])
    for (const name of placeholders(text).filter((one) => secrets.has(one)))
      yield reportAt(place)(explain`
        "{${name}}" is a secret: whoever looks at the page, or at a picture of it, would have it.
        Take it out of the text.`);
});

/** Reports secrets in texts: variables with a secret, and literal ones. */
export const textSecret = setRule('text/secret', 'E', writtenSecrets, shownSecrets);

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

/** Reports translations with other placeholders, numbers or closing punctuation than the original. */
export const textPair = setRule('text/pair', 'W', function* (subject) {
  const { baseLanguage, languages } = subject.set;
  for (const { file, pointer, base, text, translated } of languages
    .slice(1)
    .flatMap((one) => pairedTexts(one, subject)))
    for (const [inBase, inOther] of differences(text, translated, isQuoted(text, subject)))
      yield reportAt({ file, pointer, related: [base] })(explain`
        It says something else than in "${baseLanguage}": there ${inBase}, here ${inOther}.
        Translate it again.`);
});

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
export const textQuotes = textRule('text/quotes', 'W', ({ file, pointer, text }) => {
  const count = (sign: string) => text.split(sign).length - 1;
  const all = [...pairs, ...openings, ...pairs.map(([begin, end]) => [end, begin] as const)];
  const [there, lacking] = all.find(([one, other]) => count(one) > count(other)) ?? [];
  if (there === undefined) return null;
  return reportAt({ file, pointer })(explain`"${there}" has no "${lacking ?? ''}".
    Write both, or none.`);
});

const pairs = ['«»', '“”', '()', '[]'].map(([begin = '', end = '']) => [begin, end] as const);
/** Spanish marks. A closing one without its opening one is not reported, because other languages have no opening marks. */
const openings = [
  [String.fromCodePoint(0xbf), '?'],
  [String.fromCodePoint(0xa1), '!'],
] as const;

/** Reports braces that are not a placeholder and would be shown. */
export const textBraces = textRule('text/braces', 'E', ({ file, pointer, text }) => {
  const parts = [...text.matchAll(/\{+[^{}]*\}+|[{}]/g)].map(String);
  const wrong = parts.find((part) => !/^\{\w+\}$/.test(part));
  if (wrong === undefined) return null;
  const name = wrong.replaceAll(/[{}\s]/g, '');
  const value = /^\w+$/.test(name) ? text.replace(wrong, `{${name}}`) : undefined;
  return reportAt({ file, pointer, value })(explain`People read "${wrong}" as it stands: this is no placeholder.
    Write {${name === '' ? 'x' : name}}, with one brace on each side and no blank.`);
});

const dayMinutes = 24 * 60;

const otherSpans = eachWording(({ spans: units }, { contract: { spans }, flows }) => {
  if (!spans || !units) return null;
  const saved = flows.flatMap(({ flow }) => (flow.save ? [flow.save.days * dayMinutes] : []));
  const finder = new RegExp(String.raw`(?<![\d.,:])(\d+)\s+(${Object.keys(units).join('|')})(?!\p{L})`, 'giu');
  return function* ({ file, pointer, text }) {
    for (const [said, number, word = ''] of text.matchAll(finder)) {
      const unit = units[word.toLowerCase()] ?? 1;
      const known = unit === dayMinutes ? [...spans.days, ...saved] : spans.shorter;
      if (known.includes(Number(number) * unit)) continue;
      const times = new Set(known.map((minutes) => minutes / unit).filter((time) => Number.isInteger(time)));
      yield reportAt({ file, pointer })(explain`No time of the server is "${said}".
        Write the one that holds, or a placeholder of the flow. Times of this unit: ${[...times].sort((a, b) => a - b).join(', ')}.`);
    }
  };
});

/** Reports durations in texts that the server does not use, probably because only one of the two was changed. */
export const textLimit = setRule('text/limit', 'W', otherSpans);
