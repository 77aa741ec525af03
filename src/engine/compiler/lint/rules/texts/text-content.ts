import { explain, findNearestName, localize, type LocalizedText } from '../../../sources/localized-text.ts';
import type { LintedFlow, LintInput, TextLintInput } from '../../lint-input.ts';
import {
  checkEachScreenWith,
  checkEachTextWith,
  checkEachTextByRulesWith,
  createFindingAt,
  listScreenTexts,
  createDefinitionsLintRule,
  createLocalLintRule,
  createTextsLintRule,
  type FindViolations,
  type LintFinding,
  readNothing,
} from '../../lint-rule.ts';
import { listPlaceholders } from '../../../../core/messages.ts';
import { durationLintRule } from './durations.ts';
import { linkLintRule } from './links.ts';
import { listNumberLintRule, listNumberPattern } from './list-numbers.ts';
import { markupLintRule } from './markup.ts';
import { braceLintRule, quotationMarkLintRule } from './punctuation.ts';
import { listLocatedTexts, listTranslatedTexts, type TranslatedText } from '../../wording/list-located-texts.ts';
import { groupBy, isObject } from '../../../../core/json.ts';
import { listPathsReadByLogic } from '../../../../core/json-logic.ts';
import { listStateBranches } from '../../../flow/flow-queries.ts';
import { flattenFields, listUiLinks } from '../../../screen/schema-fields.ts';
import { pickTextEntries } from '../../../files/index-plugins.ts';
import { escapePointer, findByPointer, walkJson } from '../../../../core/json-pointer.ts';
import { createTermComparison, explainDifference } from '../../wording/term-differences.ts';
import { createNegationCheck } from '../../wording/negation-check.ts';
import { createWordFinder, countWords } from '../../wording/words.ts';
import type { SourceFile, SourceLocation } from '../../../sources/source-file.ts';
import { parseFieldVariable } from '../../../../core/field-path.ts';

const textAgain = createDefinitionsLintRule('text/again', 'N', ({ screens, set }) => {
  const uis = [...screens.values()].map(({ files }) => files.ui);
  const ofFields = uis.flatMap((file) => [...listMessages(file), ...listFieldTexts(file, '/fields')]);
  return [
    ...reportRepetitions(uis.flatMap(listNotices), localize`Write it once in schemas/_shared/notices.json.`),
    ...reportRepetitions(ofFields, localize`Write it once with the field, in a definition of schemas/_shared.`),
    ...set.flows.flatMap((flow) =>
      reportRepetitions(listWrittenBranches(flow), localize`Write it once in "branches" of the flow.`),
    ),
  ];
});

/** Minimum number of locations with the same content. */
const minRepetitions = 3;
/** Minimum numbers of words and of characters. A repeated text that reaches one of them is reported. Shorter texts, e.g. "Código", may repeat. */
const [fewWords, fewSigns] = [4, 25];
/** Length of a branch, in characters of JSON, below which repeating it is easier to read than naming it. */
const shortBranch = 60;

type LocatedContent = SourceLocation & { readonly content: string };

function reportRepetitions(places: readonly LocatedContent[], hint: LocalizedText): readonly LintFinding[] {
  return [...groupBy(places, ({ content }) => content).values()].flatMap(([first, ...others]) => {
    if (!first || others.length + 1 < minRepetitions) return [];
    const related = others.map(({ file, pointer }) => ({ file: file.path, pointer }));
    return createFindingAt({ file: first.file, pointer: first.pointer, related })(explain`
      The same definition is in ${others.length + 1} places.
      ${hint}`);
  });
}

function listNotices(file: SourceFile): readonly LocatedContent[] {
  return listEntries(file, '/notices').map(({ place, name, value }) => {
    return { ...place, content: JSON.stringify([name, value]) };
  });
}

function listMessages(file: SourceFile): readonly LocatedContent[] {
  const messages = listEntries(file, '/messages').flatMap(({ place }) => listEntries(file, place.pointer));
  return messages.map(({ place, name, value }) => ({ ...place, content: JSON.stringify([name, value]) }));
}

function listFieldTexts(file: SourceFile, at: string): readonly LocatedContent[] {
  return listEntries(file, at).flatMap(({ place, name, value }) => {
    if (!name.startsWith('ui:')) return listFieldTexts(file, place.pointer); // an entry without the prefix "ui:" is a field, possibly a nested one
    const isShared = ['ui:title', 'ui:help', 'ui:placeholder'].includes(name);
    const isLong = typeof value === 'string' && (value.length >= fewSigns || countWords(value) >= fewWords);
    return isShared && isLong ? [{ ...place, content: JSON.stringify([name, value]) }] : [];
  });
}

function listEntries(file: SourceFile, pointer: string) {
  const value = findByPointer(file.value, pointer);
  return Object.entries(isObject(value) ? value : {}).map(([name, part]) => {
    return { place: { file, pointer: `${pointer}/${escapePointer(name)}` }, name, value: part };
  });
}

function listWrittenBranches(file: SourceFile): readonly LocatedContent[] {
  const states = findByPointer(file.value, '/states') ?? null;
  return [...walkJson(states, '/states')].flatMap(([pointer, value]) => {
    const isBranch = isObject(value) && ['target', 'leave', 'branches'].some((word) => Object.hasOwn(value, word));
    const content = isBranch ? JSON.stringify(value) : '';
    return content.length >= shortBranch ? [{ file, pointer, content }] : [];
  });
}

const contradictions = checkEachTextByRulesWith('text/intent', readNothing, ({ success = [], failure = [] }) => {
  const [findSuccessWord, findFailureWord] = [createWordFinder(success), createWordFinder(failure)];
  return ({ file, pointer, origin, text }) => {
    const isTitle = /^\/title(?:\/\d+\/text)?$/.test(origin.pointer);
    const own = findByPointer(origin.file.value, isTitle ? '' : origin.pointer.replace(/\/text$/, ''));
    const key = isTitle ? 'tone' : 'intent';
    const intent = isObject(own) ? own[key] : undefined;
    const [[good], [bad]] = [findSuccessWord(text), findFailureWord(text)];
    const found = intent === 'success' ? bad : intent === 'error' && !bad ? good : undefined;
    if (!found || !(isTitle || origin.pointer.endsWith('/text'))) return null;
    return createFindingAt({ file, pointer })({
      message: isTitle
        ? localize`"${found.word}" is the title of a screen whose tone is "${String(intent)}".`
        : localize`"${found.word}" is in a notice with the intent "${String(intent)}".`,
      hint: localize`Write "${intent === 'success' ? 'error' : 'success'}" in "${key}", or say what went ${intent === 'success' ? localize`well` : localize`wrong`}.`,
    });
  };
});

const textIntent = createTextsLintRule('text/intent', 'W', contradictions);

const missingButtons: FindViolations<TextLintInput> = (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { press = [], links = [] }]) =>
    press.length === 0 ? [] : findMissingButtons({ press, links }, language, subject),
  );

function findMissingButtons(
  { press, links }: Record<'press' | 'links', readonly string[]>,
  language: string,
  subject: TextLintInput,
): readonly LintFinding[] {
  const buttonMention = new RegExp(String.raw`(?<!\p{L})(?:${press.join('|')}) [«“"]([^»”"{]+)[»”"]`, 'giu');
  const inBothCases = press.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]);
  const plainly = new RegExp(String.raw`(?<!\p{L})(?:${inBothCases.join('|')}) (\p{Lu}\p{L}+)(?![\p{L}\d])`, 'gu');
  const linkNouns = createWordFinder(links.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1)));
  const isBegun = (name: string) => [...names].some((known) => known.startsWith(name));
  const ofPlugins = [...subject.set.plugins.byName.values()].map(({ texts }) => pickTextEntries(texts, language));
  const texts = listLocatedTexts(language, subject);
  const names = new Set([...texts.map(({ text }) => text), ...ofPlugins.flatMap((table) => Object.values(table))]);
  const allButtons = texts.filter(({ origin }) => /^\/actions\/\d+\/text$/.test(origin.pointer));
  const buttonNames = [...new Set(allButtons.map(({ text }) => text))];
  const buttonsByFile = groupBy(allButtons, ({ file }) => file.path);
  return texts.flatMap(({ file, pointer, text }) => {
    const quoted = [...text.matchAll(buttonMention)].filter(([, name = '']) => !names.has(name));
    const plain = [...text.matchAll(plainly)].filter(([, name = '']) => !isBegun(name));
    return [...quoted, ...plain].map(({ 1: name = '', index }) => {
      const isOnLinkedPage = linkNouns(text.slice(0, index)).length > 0;
      const buttons = isOnLinkedPage ? [] : (buttonsByFile.get(file.path) ?? []).map((button) => button.text);
      const similar =
        findNearestName(name, buttons) ??
        findNearestName(
          name,
          buttonNames.filter((known) => countWords(known) === countWords(name) || `${name} `.startsWith(`${known} `)),
        );
      return createFindingAt({ file, pointer })(explain`No button or text is called "${name}".
        ${similar === undefined ? (buttons.length > 0 ? localize`The buttons of this screen are: ${buttons.join(', ')}. ` : '') : localize`Did you mean "${similar}"? `}Write the exact text of the button.`);
    });
  });
}

const textButton = createTextsLintRule('text/button', 'W', missingButtons);

/** Pattern of secrets: JSON web tokens, API keys with a vendor prefix, and long runs of letters and digits. */
const secretText =
  /\beyJ[\w-]{8,}\.[\w-]{8,}|\b(?:sk|pk|ghp|xox[bp])[-_]\w{12,}|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z0-9]{32,}\b/;
const secretName =
  /(?:^|_|\b)(?:token|jwt|secret|secreto|password|pwd|passwd|otp|totp_secret)(?:$|_|\b)|(?:[a-z](?:Token|Secret|Password)$)/;

const writtenSecrets = checkEachTextWith('text/secret', ({ file, pointer, text }) => {
  if (!secretText.test(text)) return null;
  return createFindingAt({ file, pointer })(explain`This text contains what looks like a secret.
    Remove it, and make another one: this file may have been copied.`);
});

const shownSecrets = checkEachScreenWith(function* (screen, subject) {
  const { flows, screens } = subject;
  const { id, ui, files } = screen;
  const shown = flows.filter(({ flow }) => Object.values(flow.states).some((state) => state.screen === id));
  const secrets = new Set(shown.flatMap((flow) => listSecretVariables(flow, screens)));
  if (secrets.size === 0) return;
  const texts = listScreenTexts(screen, subject).map(({ locate, text }) => [locate(), text] as const);
  const targets = listUiLinks(ui).map(([at, { to = '' }]) => [{ file: files.ui, pointer: `${at}/to` }, to] as const);
  for (const [place, text] of [...texts, ...targets])
    for (const name of listPlaceholders(text).filter((one) => secrets.has(one)))
      yield createFindingAt(place)(explain`
        "{${name}}" is a secret: anyone who sees the page, or a picture of it, could read it.
        Remove it from the text.`);
});

const writtenSecret = createTextsLintRule('text/secret', 'E', writtenSecrets);
const shownSecret = createLocalLintRule('text/secret', 'E', shownSecrets);

/** Returns the variables of a flow that probably contain a secret, judging by their names and assignments. */
function listSecretVariables({ flow }: LintedFlow, screens: LintInput['screens']): readonly string[] {
  const secretVariables = Object.keys(flow.context ?? {}).filter((name) => secretName.test(name));
  const assigned = Object.values(flow.states).flatMap((state) => {
    const fields = flattenFields(screens.get(state.screen ?? '')?.schema ?? {});
    const isSecret = (path: string) => {
      const field = parseFieldVariable(path);
      return field === undefined ? secretName.test(path.split('.').at(-1) ?? '') : fields[field]?.writeOnly === true;
    };
    return listStateBranches(state).flatMap(({ assign = {} }) =>
      Object.entries(assign).flatMap(([name, template]) =>
        listPathsReadByLogic(template).some(isSecret) ? [name] : [],
      ),
    );
  });
  return [...secretVariables, ...assigned];
}

const textPair = createTextsLintRule('text/pair', 'W', function* (subject) {
  const { contract, set } = subject;
  for (const language of set.languages.slice(1)) {
    const pairs = listTranslatedTexts(language, subject);
    yield* findUnusualPairs(pairs);
    const prepare = () => {
      const compareTerms = createTermComparison(contract.wording?.[language]?.terms);
      const findLostNegation = createNegationCheck(contract.wording?.[set.baseLanguage], contract.wording?.[language]);
      return (pair: TranslatedText): readonly LintFinding[] => {
        const { file, pointer, base, text, translated } = pair;
        const differences = [
          ...listDifferences(text, translated, isQuoted(text, subject)),
          ...compareTerms(text, translated),
        ].map((difference) => explainDifference(set.baseLanguage, ...difference));
        const problems = [...differences, findLostNegation(pair) ?? []].flat();
        return problems.map(createFindingAt({ file, pointer, related: [base] }));
      };
    };
    const parts = pairs.map((pair) => [`${pair.text}\0${pair.translated}`, pair] as const);
    yield* subject.cache.checkChangedParts(`text/pair ${language}`, [subject.digest], parts, prepare);
  }
});

/** Minimum number of texts with the same translation at which one text with another translation is reported. */
const minEqualPairs = 8;

/** Finds texts whose translation has another original everywhere else, and texts that have another translation everywhere else. */
function* findUnusualPairs(pairs: readonly TranslatedText[]): Iterable<LintFinding> {
  for (const [key, other] of [
    ['text', 'translated'],
    ['translated', 'text'],
  ] as const)
    for (const group of groupBy(pairs, (pair) => pair[key]).values()) {
      const [usual, rare, ...more] = [...groupBy(group, (pair) => pair[other]).values()].toSorted(
        (a, b) => b.length - a.length,
      );
      const [odd] = rare ?? [];
      if (!odd || !usual || usual.length < minEqualPairs || rare?.length !== 1 || more.length > 0) continue;
      const { file, pointer, original, base, text, translated } = odd;
      const usualText = usual[0]?.[other] ?? '';
      if (findNearestName(odd[other], [usualText]) !== undefined) {
        const place = other === 'text' ? { file: original, pointer: base.pointer } : { file, pointer };
        yield createFindingAt({ ...place, value: usualText })(explain`
          This says "${odd[other]}", but ${usual.length} other texts with "${odd[key]}" in the other language say "${usualText}".
          Write "${usualText}".`);
        continue;
      }
      yield createFindingAt({ file, pointer, related: [base] })(explain`
        "${text}" is translated as "${translated}" only here: in ${usual.length} other texts, "${odd[key]}" goes with "${usualText}".
        Translate it again, or write the usual text in both languages.`);
    }
}

// Whether a text is an official wording, whose punctuation may differ from its translation.
function isQuoted(text: string, { contract, set }: TextLintInput): boolean {
  return contract.wording?.[set.baseLanguage]?.quoted.includes(text) ?? false;
}

function listDifferences(own: string, other: string, isQuotation: boolean): readonly (readonly [string, string])[] {
  const facts = [
    (text: string) => [...listPlaceholders(text)].sort().map((name) => `{${name}}`),
    (text: string) =>
      (
        text
          .replace(listNumberPattern, '')
          .replace(/\{\w+\}/g, '')
          .match(/\d+/g) ?? []
      ).sort(),
    (text: string) => (isQuotation ? [] : (/[.:?!…]$/.exec(text.trim()) ?? [])),
  ];
  return facts
    .map((fact) => [fact(own).join(' ') || '–', fact(other).join(' ') || '–'] as const)
    .filter(([a, b]) => a !== b);
}

export const textContentLintRules = [
  textPair,
  listNumberLintRule,
  markupLintRule,
  writtenSecret,
  shownSecret,
  braceLintRule,
  quotationMarkLintRule,
  linkLintRule,
  textButton,
  textIntent,
  durationLintRule,
  textAgain,
];
