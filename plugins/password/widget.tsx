import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { toWidgetParts, type WidgetProps, type WidgetContext } from '../../src/engine/react/widget.ts';
import './password.css';

/** Strength of a password (section 5.2 of the specification), and the filled percentage of the strength bar. */
type Strength =
  | { readonly percent: 0; readonly band: 'empty' }
  | { readonly percent: 10; readonly band: 'refused' }
  | { readonly percent: 40; readonly band: 'weak' }
  | { readonly percent: 70; readonly band: 'medium' }
  | { readonly percent: 100; readonly band: 'strong' };

/** Minimum password length, in characters, if the schema has no `minLength`. */
const defaultMinLength = 8;
const mediumLength = 9;
const strongLength = 16;

export function ratePasswordStrength(password: string, refused: boolean): Strength {
  const length = countCharacters(password);
  if (length === 0) return { percent: 0, band: 'empty' };
  if (refused) return { percent: 10, band: 'refused' };
  if (length >= strongLength) return { percent: 100, band: 'strong' };
  return length >= mediumLength ? { percent: 70, band: 'medium' } : { percent: 40, band: 'weak' };
}

export function countMissingCharacters(password: string, minLength: number): number {
  const length = countCharacters(password);
  return length === 0 ? 0 : Math.max(0, minLength - length);
}

/** Counts code points, as JSON Schema does. */
function countCharacters(password: string): number {
  return [...password].length;
}

/** Pause in typing before a screen reader announces the hint, in milliseconds. */
const announceAfterMs = 1000;

interface MeterProps extends Pick<WidgetContext, 't'> {
  readonly strength: Strength;
  readonly missing: number;
  /** Whether to hide the hint, because it could contradict the error that the field shows. */
  readonly quiet: boolean;
}

function PasswordMeter({ strength, missing, quiet, t }: MeterProps) {
  const hint = quiet ? '' : formatHint(strength, missing, t);
  const announcedHint = useSettledValue(hint);
  return (
    <div>
      <div
        className="password-meter"
        role="meter"
        aria-label={t('meter')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={strength.percent}
        aria-valuetext={t(strength.band)}
      >
        <div data-band={strength.band} />
      </div>
      <span className="form-state password-hint" aria-hidden="true">
        {hint}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {announcedHint}
      </span>
    </div>
  );
}

function formatHint(strength: Strength, missing: number, t: WidgetContext['t']): string {
  if (strength.band === 'empty') return '';
  if (missing > 0) return t(missing === 1 ? 'missing.one' : 'missing', { count: missing });
  return strength.band === 'refused' ? '' : t('strength', { band: t(strength.band) });
}

function useSettledValue(value: string): string {
  const [quiet, setQuiet] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), announceAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}

/** Delay before a blur is handled, in milliseconds, so that a click on the show button does not trigger validation. */
const blurDelayMs = 150;

/** Has a show button unless `show` is false, and a strength bar if `meter` is set. Allows pasting. */
const Password = observer(function Password(props: WidgetProps) {
  const { field, control, options, schema, t } = toWidgetParts(props);
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const capsLockId = `${control.id}-caps-lock`;
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const leaving = useDelayedAction(() => field.blur());
  const value = typeof field.value === 'string' ? field.value : '';
  const minLength = typeof schema.minLength === 'number' ? schema.minLength : defaultMinLength;
  return (
    <div onFocus={leaving.cancel} onBlur={leaving.start}>
      <Input
        {...control}
        aria-describedby={[control['aria-describedby'], capsLock && capsLockId].filter(Boolean).join(' ') || undefined}
        type={shown ? 'text' : 'password'}
        value={typeof field.typed === 'string' ? field.typed : ''}
        onChange={(_, { value: typed }) => field.set(typed)}
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
        onBlur={() => setCapsLock(false)}
        autoCapitalize="none"
        spellCheck={false}
        contentAfter={
          options.show === false && !capsLock ? undefined : (
            <>
              {/* inside the field, so that the layout does not shift when Caps Lock is pressed */}
              {capsLock && (
                <span className="password-caps-lock" aria-hidden="true">
                  {t('capsLock.short')}
                </span>
              )}
              {options.show !== false && (
                <button
                  type="button"
                  className="password-show"
                  aria-label={t(shown ? 'hide' : 'show')}
                  aria-controls={control.id}
                  disabled={control.disabled}
                  onClick={() => setShown(!shown)}
                >
                  {t(shown ? 'hide.short' : 'show.short')}
                </button>
              )}
            </>
          )
        }
      />
      {options.meter === true && (
        <PasswordMeter
          strength={ratePasswordStrength(value, field.invalid)}
          missing={countMissingCharacters(value, minLength)}
          quiet={field.error !== null}
          t={t}
        />
      )}
      <span id={capsLockId} className="visually-hidden" aria-live="polite">
        {capsLock && t('capsLock')}
      </span>
    </div>
  );
});

export const types = ['string'] as const;

export const options = {
  meter: { type: 'boolean' },
  show: { type: 'boolean' },
} as const;

export default Password;

function useDelayedAction(act: () => void): { start: () => void; cancel: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    start: () => {
      cancel();
      timer.current = setTimeout(act, blurDelayMs);
    },
    cancel,
  };
}
