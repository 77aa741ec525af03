import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { PasswordMeter } from './meter.tsx';
import './password.css';
import { defaultMinLength, missingCharacters, rateStrength } from './strength.ts';

/** Delay before a blur counts, in milliseconds: clicking the show button must not trigger validation. */
const blurDelayMs = 150;

/** A password with a show button (unless `options.show` is false) and a strength bar (with `options.meter`). Allows pasting and password managers. */
const Password = observer(function Password(props: WidgetProps) {
  const { field, control, options, schema, t } = widgetParts(props);
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const capsLockId = `${control.id}-caps-lock`;
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const leaving = useDelayed(() => field.blur());
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
              {/* inside the field, so that nothing below it moves */}
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
          strength={rateStrength(value, field.invalid)}
          missing={missingCharacters(value, minLength)}
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

export default Password;

function useDelayed(act: () => void): { start: () => void; cancel: () => void } {
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
