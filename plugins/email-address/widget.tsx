import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Input } from '../../src/engine/fluent/controls.ts';
import { runAfterPointerPress, toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

/** Domain labels shorter than this, in UTF-16 units, must match exactly, because one edit often results in another word. */
const minCorrectableLabel = 5;
/** Maximum length of a domain to compare, in UTF-16 units. */
const maxDomainLength = 40;

/** Corrects a mistyped domain to a common one. Its name and its ending (after the first dot) may each differ by one edit. */
export function suggestEmailCorrection(email: string, domains: readonly string[]): string | null {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (at < 2 || domain.length > maxDomainLength || domains.includes(domain)) return null;
  const nearest = domains
    .map((common) => ({ common, edits: countEdits(domain, common) }))
    .filter(({ edits }) => edits <= 2)
    .sort((one, other) => one.edits - other.edits)[0];
  return nearest === undefined ? null : email.slice(0, at) + nearest.common;
}

function countEdits(domain: string, common: string): number {
  const [name, ending] = splitAtFirstDot(domain);
  const [commonName, commonEnding] = splitAtFirstDot(common);
  const ofName =
    commonName.length < minCorrectableLabel && name !== commonName ? Infinity : countLimitedEdits(name, commonName);
  return ofName + countLimitedEdits(ending, commonEnding);
}

function splitAtFirstDot(domain: string): readonly [name: string, ending: string] {
  const dot = domain.indexOf('.');
  return dot === -1 ? [domain, ''] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** Returns 0 for equal texts, 1 for texts one edit apart, otherwise `Infinity`. */
function countLimitedEdits(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const left = one.slice(start, one.length - end);
  const right = other.slice(start, other.length - end);
  const isSwap = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  return isSwap || (left.length <= 1 && right.length <= 1) ? 1 : Infinity;
}

/** Suggests a correction of a mistyped domain on blur. Not `type="email"`, because browsers would change its value. */
const EmailAddress = observer(function EmailAddress(props: WidgetProps) {
  const { field, control, options, t } = toWidgetParts(props);
  const [left, setLeft] = useState<unknown>(null);
  const value = typeof field.value === 'string' ? field.value : '';
  const isAsked = left === value && !control.readOnly && !control.disabled;
  const suggestion = isAsked ? suggestEmailCorrection(value, readDomains(options.domains)) : null;
  return (
    <>
      <Input
        {...control}
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        value={typeof field.typed === 'string' ? field.typed : ''}
        onChange={(_, { value: typed }) => field.set(typed)}
        onBlur={() => {
          field.blur();
          runAfterPointerPress(() => setLeft(field.value));
        }}
      />
      <span className="form-state" role="status">
        {suggestion !== null && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              field.set(suggestion);
              document.getElementById(control.id)?.focus(); // moves the focus, because the pressed button is removed
            }}
          >
            {t('meant', { email: suggestion })}
          </button>
        )}
      </span>
    </>
  );
});

export const types = ['string'] as const;

export const options = { domains: { type: 'array', items: { type: 'string' } } } as const;

export default EmailAddress;

function readDomains(option: unknown): readonly string[] {
  return Array.isArray(option) ? option.filter((domain): domain is string => typeof domain === 'string') : [];
}
