import { useEffect, useState } from 'react';
import type { WidgetContext } from '../../src/engine/react/widget.ts';
import type { Strength } from './strength.ts';

/** Pause in typing before a screen reader announces the hint, in milliseconds. */
const quietMs = 1000;

interface MeterProps extends Pick<WidgetContext, 't'> {
  readonly strength: Strength;
  readonly missing: number;
  /** Whether the field shows its own message, which could contradict the hint. */
  readonly quiet: boolean;
}

/** Strength bar, a hint below it, and a copy of the hint for screen readers, announced when typing pauses. */
export function PasswordMeter({ strength, missing, quiet, t }: MeterProps) {
  const hint = quiet ? '' : formatHint(strength, missing, t);
  const heard = useQuiet(hint);
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
        {heard}
      </span>
    </div>
  );
}

function formatHint(strength: Strength, missing: number, t: WidgetContext['t']): string {
  if (strength.band === 'empty') return '';
  if (missing > 0) return t(missing === 1 ? 'missing.one' : 'missing', { count: missing });
  return strength.band === 'refused' ? '' : t('strength', { band: t(strength.band) });
}

function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}
