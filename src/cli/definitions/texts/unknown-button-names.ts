import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { createWordingValidator, type WordingRules } from '../../../engine/compiler/lint/wording/wording-faults.ts';
import type { Json } from '../../../engine/core/json.ts';
import { walkJson } from '../../../engine/core/json-pointer.ts';
import { suggestSimilarName } from '../../../engine/compiler/sources/localized-text.ts';
import { explain } from '../localized-output.ts';
import { listTextsOutsideDefinitions, toProblem } from './texts-outside-definitions.ts';

/** Texts name buttons in quotation marks or bold. `leadIn` matches bold text that is no name, because it introduces a list item. */
const quotedName = /[«“]([^»”\n{]+)[»”]/gu;
const boldName = /\*\*([^*\n]+)\*\*/gu;
const leadIn = /[.,:;?!]$|\{/u;

/** `known` has the contents of the files with the portal's texts, in which a button's name must occur. */
export async function findUnknownButtonNames(
  root: string,
  wording: Readonly<Record<string, WordingRules>>,
  known: readonly string[],
  language: string,
): Promise<readonly DefinitionProblem[]> {
  const texts = await listTextsOutsideDefinitions(root, Object.keys(wording));
  const labels = texts.flatMap(({ text }) => [...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, label = '']) => label));
  const ofScreens = known.join('\n');
  /** Whether a text asks to open a link and then to press something, which is on the page that the link opens. */
  const isOnLinkedPage = (before: string, own: string) => {
    const { press = [], links = [] } = wording[own] ?? {};
    const order = new RegExp(String.raw`(?:${links.join('|')}).*(?:${press.join('|')})\s*$`, 'iu');
    return press.length > 0 && links.length > 0 && order.test(before);
  };
  const all = [ofScreens, ...labels.map((label) => `"${label}"`)].join('\n');
  const unknown = texts.flatMap((text) => {
    const isQuestion = text.file.includes('/preguntas/');
    const isDocument = isQuestion || text.file.endsWith('.txt');
    const found = isDocument ? [...text.text.matchAll(quotedName)] : [];
    const bold = isQuestion ? [...text.text.matchAll(boldName)].filter(([, name = '']) => !leadIn.test(name)) : [];
    return [...found, ...bold]
      .filter(({ 1: name, index }) => {
        const isOfScreen = isOnLinkedPage(text.text.slice(0, index), text.language);
        return !(isOfScreen ? ofScreens : all).includes(`"${name}"`);
      })
      .map(({ 1: name = '', index }) => ({ text, name, index }));
  });
  if (unknown.length === 0) return [];
  const validators = new Map(Object.entries(wording).map(([name, own]) => [name, createWordingValidator(own)]));
  const names = new Set([...known.flatMap(listButtonNames), ...labels]);
  return unknown.map(({ text, name, index }) => {
    const corrections = (validators.get(text.language)?.({ ...text, text: name }) ?? []).map((one) => one.corrected);
    const corrected = corrections.find((one) => one !== undefined && names.has(one));
    const fault = explain`No button or text is called "${name}".
      ${suggestSimilarName(corrected ?? name, corrected === undefined ? [...names].filter((own) => own !== name) : [corrected])}Write the exact text of the button.`;
    return toProblem({ ...text, column: text.column + index }, { rule: 'text/button', ...fault }, language);
  });
}

/** Pointers of the texts of buttons and links in ui.json and in its translations. */
const buttonPointer = /\/(?:(?:actions|links|ui:links)\/(?:\d+\/text|[^/]+)|(?:link|other)(?:\/text)?)$/;

function listButtonNames(file: string): readonly string[] {
  return [...walkJson(JSON.parse(file) as Json)].flatMap(([pointer, value]) =>
    typeof value === 'string' && buttonPointer.test(pointer) ? [value] : [],
  );
}
