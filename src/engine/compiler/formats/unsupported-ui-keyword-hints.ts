import { localize, type LocalizedText } from '../sources/localized-text.ts';

const themeHint = localize`The theme determines the appearance. For a custom control, write a plugin and put its name in "ui:widget".`;

const visibleHint = localize`Show fields with "visible" in ui.json.`;

const unsupportedWordHints: Readonly<Record<string, LocalizedText>> = {
  'ui:classNames': themeHint,
  'ui:style': themeHint,
  'ui:field': localize`Group fields in "sections", and put them side by side with "ui:options": { "width": "half" }. ${themeHint}`,
  'ui:description': localize`Use "ui:help".`,
  'ui:emptyValue': localize`Remove it: empty fields are not sent.`,
  'ui:enumDisabled': localize`Remove the choice from "enum".`,
  'ui:hideError': localize`Remove it: a rejected form always shows the reason.`,
  'ui:inputType': localize`Use "ui:widget".`,
  'ui:label': localize`Remove it: every field has a label, "ui:title".`,
  elements: localize`List each field in "fields". "ui:order" and "sections" determine its position.`,
  effect: visibleHint,
  condition: visibleHint,
  'ui:submitButtonOptions': localize`Write the buttons as "actions" beside "fields".`,
};

export function suggestUiKeywordReplacement(word: string): LocalizedText | undefined {
  if (word.startsWith('ui:layoutGrid')) return unsupportedWordHints['ui:field'];
  return /^ui:\w+Template$/.test(word)
    ? themeHint
    : Object.hasOwn(unsupportedWordHints, word)
      ? unsupportedWordHints[word]
      : undefined;
}
