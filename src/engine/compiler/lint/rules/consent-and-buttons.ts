import type { CheckedScreen } from '../../ir.ts';
import { explain, say } from '../../sources/say.ts';
import type { Subject } from '../subject.ts';
import { groupBy } from '../subject.ts';
import { eachField, eachScreen, eachState, fieldRule, locateUiText, reportAt, setRule } from '../rule.ts';
import type { Finding, LintedField } from '../rule.ts';
import { mayMeet } from './ui-twice.ts';
import { listFieldLinks, readFieldUi, uiText } from '../../../core/ui.ts';
import { listAllFields, listRequired } from '../../screen/fields-of-schema.ts';
import { buildUiPointer } from '../../screen/fields-of-ui.ts';
import { wordsIn } from '../wording/own-words.ts';

/** Reports consent without a link to its subject, or with a link to something else. */
export const uiConsentLink = fieldRule('ui/consent-link', 'W', (field, subject) => {
  const { name, screen } = field;
  const file = screen.files.ui;
  if (!asksConsent(field, subject)) return null;
  const links = listFieldLinks(readFieldUi(screen.ui, name));
  if (links.length === 0)
    return reportAt({ file, pointer: buildUiPointer(name) })(explain`
      "${name}" asks to agree to something that cannot be read here.
      Add "ui:links" to the text: [{ "to": "/…", "text": "…" }].`);
  const longWords = (words: string) => wordsIn(words).filter((word) => word.length > 3);
  return links.flatMap(({ to = '', text }, index) => {
    const [said, named] = [longWords(text), longWords(to.replaceAll(/[/_-]/g, ' '))];
    if (!to.startsWith('/') || said.length < 2 || named.some((word) => said.includes(word))) return []; // "Leer" does not describe a page
    return reportAt({ file, pointer: `${buildUiPointer(name)}/ui:links/${index}/to` })(explain`
      "${text}" leads to ${to}: an agreement is given to what can be read there.
      Write the address of the page that the text names.`);
  });
});

/** Whether a field is a checkbox whose label begins with words of consent. */
function asksConsent({ name, schema, screen }: LintedField, { contract, set }: Subject): boolean {
  const beginnings = (contract.wording?.[set.baseLanguage]?.consent ?? []).map(wordsIn);
  const label = wordsIn(uiText(screen.ui, name, 'ui:title') ?? '');
  return schema.type === 'boolean' && beginnings.some((words) => words.every((word, at) => label[at] === word));
}

const requiredBoxes = eachField((field, subject) => {
  const { name, schema, needed, screen, file, locate } = field;
  if (!asksConsent(field, subject)) return null;
  if (schema.const !== true) {
    const place = locate('type');
    return reportAt({ ...place, pointer: place.pointer.replace(/[^/]*$/, 'const'), value: true })(explain`
      "${name}" asks to agree, and goes on without.
      Write "const": true: the box must be ticked.`);
  }
  if (needed) return null;
  const own = { pointer: '/required', value: [...listRequired(screen.schema ?? {}), name] };
  return reportAt({ file, ...(name.includes('.') ? { pointer: field.pointer } : own) })(explain`
    "${name}" asks to agree, and may be left out.
    Name it in "required".`);
});

const prefilledBoxes = eachState(({ state: { prefill = {} }, screen, locate }) => {
  const names = listAllFields(screen?.schema ?? {}).flatMap(([name, field]) => (field.const === true ? [name] : []));
  return Object.keys(prefill)
    .filter((name) => names.includes(name) && prefill[name] !== false)
    .map((name) =>
      reportAt({ ...locate('prefill', name), remove: true })(explain`
        "${name}" must be ticked by whoever reads it, and is ticked beforehand.
        Remove it from "prefill".`),
    );
});

/** Reports consent boxes that are ticked by default or not required. */
export const uiConsent = setRule('ui/consent', 'E', requiredBoxes, prefilledBoxes);

/** Minimum number of other screens that use a text for an event. */
const known = 2;
const opposite = { submit: 'back', back: 'submit' } as const;

function exchanged({ screens, set }: Subject): readonly Finding[] {
  return set.languages.flatMap((language) => {
    const all = [...screens.values()].flatMap((screen) =>
      (screen.uis.get(language)?.actions ?? []).map(({ event, text }, index) => ({ event, text, index, screen })),
    );
    const byText = groupBy(all, ({ text }) => text);
    return all.flatMap(({ event, text, index, screen }) => {
      const other = event === 'submit' || event === 'back' ? opposite[event] : undefined;
      const elsewhere = (byText.get(text) ?? []).filter((one) => one.screen !== screen);
      const saysOther = elsewhere.filter((one) => one.event === other).length >= known;
      const place = locateUiText(screen, language, `/actions/${index}/text`);
      if (other === undefined || !saysOther || elsewhere.some((one) => one.event === event)) return [];
      return reportAt(place)(explain`"${text}" is the text of "${other}" on other screens, and of "${event}" here.
        Write the text of what the button does.`);
    });
  });
}

function listButtons({ ui }: CheckedScreen) {
  return (ui.actions ?? []).map(({ visible, ...own }, index) => {
    return { ...own, index, visible: visible === undefined ? [] : [visible] };
  });
}

const severalMain = eachScreen((screen) => {
  const main = listButtons(screen).filter(({ primary }) => primary === true);
  return main.flatMap((one, place) => {
    const other = main.slice(0, place).some((before) => mayMeet(before, one));
    if (!other && one.danger !== true) return [];
    return reportAt({ file: screen.files.ui, pointer: `/actions/${one.index}/primary`, remove: true })({
      message: other
        ? say`Two buttons of this screen are the main one.`
        : say`A button is the main one, or one that warns: not both.`,
      hint: say`Remove "primary" here.`,
    });
  });
});

/** Reports a primary or warning button that goes back, a form without a primary button, and two buttons with the same event. */
const misplaced = eachScreen(function* (screen) {
  const buttons = listButtons(screen);
  const report = (pointer: string) => reportAt({ file: screen.files.ui, pointer: `/actions/${pointer}` });
  const submit = buttons.find(({ event, danger }) => event === 'submit' && danger !== true);
  const [first, ...others] = buttons.filter(({ primary }) => primary === true);
  const isForm = Object.keys((screen.schema?.['properties'] ?? {}) as object).length > 0;
  if (first?.event === 'back' && others.length === 0 && submit && mayMeet(first, submit))
    yield report(`${first.index}/primary`)(explain`The main button of this screen goes back.
      Write "primary" on the button that goes on.`);
  if (isForm && submit && !first)
    yield report(`${submit.index}/event`)(explain`No button of this form is the main one.
      Write "primary": true on the button that sends it.`);
  for (const [place, one] of buttons.entries())
    if (one.event === 'back' && one.danger === true)
      yield report(`${one.index}/danger`)(explain`Going back changes nothing, and this button warns of it.
        Remove "danger".`);
    else if (buttons.slice(0, place).some((other) => other.event === one.event && mayMeet(other, one)))
      yield report(`${one.index}/event`)(explain`Two buttons raise "${one.event}".
        Give each an event of its own, or remove one.`);
});

/** Reports wrong primary and warning buttons, two buttons with the same event, and texts that other screens use for the opposite event. */
export const uiButtons = setRule('ui/buttons', 'W', exchanged, severalMain, misplaced);
