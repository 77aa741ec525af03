import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

const look = say`How things look is the theme's; a control of its own is a plugin, by its name in "ui:widget".`;

const shown = say`Show fields by "visible" in ui.json.`;

const words: Readonly<Record<string, Localized>> = {
  'ui:classNames': look,
  'ui:style': look,
  'ui:field': say`Fields stand together in "sections", and side by side by "ui:options": { "width": "half" }. ${look}`,
  'ui:description': say`Use "ui:help".`,
  'ui:emptyValue': say`Remove it: what is empty is not sent.`,
  'ui:enumDisabled': say`Leave the choice out of "enum".`,
  'ui:hideError': say`Remove it: what refuses a form says why.`,
  'ui:inputType': say`Use "ui:widget".`,
  'ui:label': say`Remove it: every field has a label, "ui:title".`,
  elements: say`Name each field in "fields"; "ui:order" and "sections" say where it stands.`,
  effect: shown,
  condition: shown,
  'ui:submitButtonOptions': say`Write the buttons as "actions" beside "fields".`,
};

/** What to write in the place of a word of rjsf's uiSchema, or of JSON Forms', that ui.json has not; undefined of another word. */
export function insteadOfWord(word: string): Localized | undefined {
  if (word.startsWith('ui:layoutGrid')) return words['ui:field'];
  return /^ui:\w+Template$/.test(word) ? look : Object.hasOwn(words, word) ? words[word] : undefined;
}
