import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { createWordingValidator, type WordingRules } from '../../../engine/compiler/lint/wording/wording-faults.ts';
import { suggestSimilarName } from '../../../engine/compiler/sources/localized-text.ts';
import { explain } from '../localized-output.ts';
import type { ProjectText } from './read-project-texts.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** Texts name buttons in quotation marks or bold. `leadIn` matches bold text that is no name, because it introduces a list item. */
const quotedName = /[«“]([^»”\n{]+)[»”]/gu;
const boldName = /\*\*([^*\n]+)\*\*/gu;
const leadIn = /[.,:;?!]$|\{/u;

/** Returns the names of buttons in quotation marks, and in help pages also in bold. */
export function listQuotedNames({ file, text }: Pick<ProjectText, 'file' | 'text'>) {
  const bold = file.includes('/preguntas/') ? text.matchAll(boldName) : [];
  return [...text.matchAll(quotedName), ...[...bold].filter(([, name = '']) => !leadIn.test(name))].map(
    ({ 1: name = '', index }) => ({ name, index }),
  );
}

/** Finds names of buttons in mails and help pages that no text of the same language is equal to. */
export function findUnknownButtonNames(
  texts: readonly ProjectText[],
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
): readonly DefinitionProblem[] {
  return Object.entries(wording).flatMap(([name, rules]) => {
    const own = texts.filter((text) => text.language === name);
    return findUnknownNames(own, rules, language);
  });
}

function findUnknownNames(
  texts: readonly ProjectText[],
  wording: WordingRules,
  language: string,
): readonly DefinitionProblem[] {
  const { press = [], links = [] } = wording;
  const listLabels = (own: readonly ProjectText[]) =>
    own.flatMap(({ text }) => [...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, label = '']) => label));
  const labels = listLabels(texts);
  const ofScreens = new Set(texts.map(({ text }) => text));
  const all = new Set([...ofScreens, ...labels]);
  const order = new RegExp(String.raw`(?:${links.join('|')}).*(?:${press.join('|')})\s*$`, 'iu');
  /** Whether a text asks to open a link and then to press something, which is on the page that the link opens. */
  const isOnLinkedPage = (before: string) => press.length > 0 && links.length > 0 && order.test(before);
  const unknown = texts
    .filter(({ file }) => file.includes('/preguntas/') || file.endsWith('.txt'))
    .flatMap((text) => listQuotedNames(text).map((mention) => ({ text, ...mention })))
    .filter(({ text, name, index }) => !(isOnLinkedPage(text.text.slice(0, index)) ? ofScreens : all).has(name));
  if (unknown.length === 0) return [];
  const findFaults = createWordingValidator(wording);
  const names = new Set([
    ...texts.flatMap(({ pointer, text }) => (buttonPointer.test(pointer) ? [text] : [])),
    ...labels,
  ]);
  /** Returns the label of the only link of a mail. Returns `undefined` if the sentence before `index` asks to press something on the linked page. */
  const findOnlyLink = ({ file, text }: ProjectText, index: number): string | undefined => {
    const [only, ...more] = file.endsWith('.txt') ? listLabels(texts.filter((own) => own.file === file)) : [];
    return more.length > 0 || isOnLinkedPage(text.slice(0, index)) ? undefined : only;
  };
  return unknown.map(({ text, name, index }) => {
    const corrections = findFaults({ ...text, text: name }).map((one) => one.corrected);
    const corrected = corrections.find((one) => one !== undefined && names.has(one)) ?? findOnlyLink(text, index);
    const fault = explain`No button or text is called "${name}".
      ${suggestSimilarName(corrected ?? name, corrected === undefined ? [...names].filter((own) => own !== name) : [corrected])}Write the exact text of the button.`;
    const place = { ...text, line: text.line, column: text.column + index };
    return toProblem(place, { rule: 'text/button', ...fault }, language);
  });
}

/** Pointers of the texts of buttons and links in ui.json and in its translations. */
export const buttonPointer = /\/(?:(?:actions|links|ui:links)\/(?:\d+\/text|[^/]+)|(?:link|other)(?:\/text)?)$/;
