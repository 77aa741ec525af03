import { isObject, type Json } from '../../engine/core/json.ts';
import { pointerSteps, valueAt } from '../../engine/core/json-pointer.ts';
import type { DrawnField } from '../studio-data.ts';
import { t } from '../texts.ts';

const words = {
  title: 'placeTitle',
  intro: 'placeIntro',
  step: 'placeStep',
  busy: 'placeBusy',
  aside: 'placeAside',
  link: 'placeLink',
  other: 'placeOther',
  visible: 'placeVisible',
  'ui:widget': 'placeWidget',
  'ui:order': 'placeOrder',
  'ui:enumNames': 'placeChoices',
  'ui:links': 'placeLinks',
  'ui:title': 'placeLabel',
  'ui:help': 'placeHelp',
  'ui:placeholder': 'placePlaceholder',
} as const;

const numbered = {
  sections: 'placeSection',
  parts: 'placePart',
  actions: 'placeButton',
  links: 'placeLinkTo',
  'ui:links': 'placeLinkTo',
  notices: 'placeNotice',
  'ui:enumNames': 'placeChoice',
} as const;

const rules = {
  required: 'ruleRequired',
  const: 'ruleRequired',
  pattern: 'rulePattern',
  format: 'rulePattern',
  minLength: 'ruleShort',
  maxLength: 'ruleLong',
  minimum: 'ruleLow',
  maximum: 'ruleHigh',
} as const;

/**
 * Describes the place of a text on a screen, e.g. "Campo «Correo electrónico», ayuda". `file`: content of the ui file or its translation. `fields`:
 * those of the screen.
 */
export function textPlace(
  pointer: string,
  file: Json | undefined,
  fields: Readonly<Record<string, Pick<DrawnField, 'title'>>>,
): string {
  const steps = pointerSteps(pointer);
  const parts: string[] = [];
  let at = '';
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] ?? '';
    const next = steps[index + 1];
    at = `/${pointer
      .split('/')
      .slice(1, index + 2)
      .join('/')}`;
    if ((step === 'fields' || step === 'messages') && next !== undefined && index === 0) {
      let name = next;
      index += 1;
      // Names of nested fields have several steps.
      for (let longer = name; index + 1 < steps.length; name = longer, index += 1) {
        longer = `${name}.${steps[index + 1]}`;
        if (!Object.hasOwn(fields, longer)) break;
      }
      parts.push(t('placeField', { field: fields[name]?.title ?? name }));
      const rule = steps[index + 1];
      if (step === 'messages' && rule !== undefined) {
        parts.push(isKnownName(rules, rule) ? t(rules[rule]) : t('ruleOther', { rule }));
        index += 1;
      }
    } else if (step === 'visible' && next !== undefined) {
      parts.push(t('placeVisibleOf', { field: fields[next]?.title ?? next }));
      index += 1;
    } else if (isKnownName(numbered, step) && next !== undefined) {
      parts.push(t(numbered[step], { name: nameIn(valueAt(file, `${at}/${pointer.split('/')[index + 2]}`), next) }));
      index += 1;
    } else if (isKnownName(words, step)) parts.push(t(words[step]));
    else if (/^\d+$/.test(step)) parts.push(String(Number(step) + 1));
    else if (step !== 'text' || steps.length === 1) parts.push(step);
  }
  const place = parts.join(', ');
  return place.charAt(0).toUpperCase() + place.slice(1);
}

function nameIn(entry: Json | undefined, step: string): string {
  const own = isObject(entry) ? (entry['event'] ?? entry['to']) : undefined;
  if (typeof own === 'string') return own;
  return /^\d+$/.test(step) ? String(Number(step) + 1) : step;
}

function isKnownName<Names extends object>(names: Names, name: string): name is Extract<keyof Names, string> {
  return Object.hasOwn(names, name);
}
