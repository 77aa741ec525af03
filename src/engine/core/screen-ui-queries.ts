import type { FieldUi, ScreenHeading, ScreenLinkUi, Paragraph, ScreenUi } from './flow-and-screen-types.ts';
import { getFieldValue } from './field-path.ts';
import { asObject, isObject, mapValues, type Json, type JsonObject, type ValuesByName } from './json.ts';
import { isRuleTrue, renderLogicTemplate } from './json-logic.ts';

export function readFieldUi(ui: ScreenUi, name: string): JsonObject {
  return asObject(getFieldValue(ui.fields ?? {}, name) as Json | undefined); // cast: `getFieldValue` returns `unknown`, but values in ui.json are JSON
}

/** Evaluates the rules in the `ui:options` of a field. Leaves `params` unevaluated, because its rules read the form. */
export function evaluateUiOptions(ui: ScreenUi, name: string, facts: ValuesByName): JsonObject {
  const options = readFieldUi(ui, name)['ui:options'];
  if (!isObject(options)) return {};
  // cast: `renderLogicTemplate` returns `unknown`, but JSON-logic on JSON returns JSON
  return mapValues(options, (value, key) => (key === 'params' ? value : (renderLogicTemplate(value, facts) as Json)));
}

export function findChoiceSourceParams(ui: ScreenUi, name: string): JsonObject | null {
  const options = readFieldUi(ui, name)['ui:options'];
  return isObject(options) && isObject(options.params) ? options.params : null;
}

export function mayDisableCopying(ui: ScreenUi, name: string): boolean {
  const options = readFieldUi(ui, name)['ui:options'];
  return isObject(options) && options.copy !== undefined && options.copy !== true;
}

export function listFieldLinks(ui: FieldUi): readonly ScreenLinkUi[] {
  const links = ui['ui:links'];
  return Array.isArray(links) ? (links as unknown as readonly ScreenLinkUi[]) : []; // `ui:links` has no static type; the compiler validates it
}

export function findFieldUiText(
  ui: ScreenUi,
  name: string,
  key: 'ui:title' | 'ui:help' | 'ui:placeholder' | 'ui:autocomplete' | 'ui:widget',
): string | undefined {
  const text = readFieldUi(ui, name)[key];
  return typeof text === 'string' ? text : undefined;
}

/** Returns the first heading whose rule is true, otherwise the last one. A heading without a tone gets the tone of the screen. */
export function resolveScreenHeading(
  { title, tone = 'plain' }: ScreenUi,
  scope: ValuesByName,
): Required<Pick<ScreenHeading, 'text' | 'tone'>> {
  const titles: readonly ScreenHeading[] = typeof title === 'string' ? [{ text: title }] : title;
  return { text: '', tone, ...(titles.find(({ visible }) => isRuleTrue(visible, scope)) ?? titles.at(-1)) };
}

export function resolveHeadingText(ui: ScreenUi, scope: ValuesByName): string {
  return resolveScreenHeading(ui, scope).text;
}

export function resolveIntroParagraphs({ intro = [] }: ScreenUi, scope: ValuesByName): readonly Paragraph[] {
  const paragraphs: readonly Paragraph[] = typeof intro === 'string' ? [{ text: intro }] : intro;
  return paragraphs.filter(({ visible }) => isRuleTrue(visible, scope));
}
