import { makeStyles, mergeClasses, tokens } from '../../src/engine/fluent/controls.ts';
import { useEffect, useState } from 'react';
import type { WidgetContext } from '../../src/engine/react/widget.ts';
import type { Strength } from './strength.ts';

/** A pause in typing, in milliseconds, before a screen reader hears the hint. */
const quietMs = 1000;

const useStyles = makeStyles({
  track: {
    height: '8px',
    marginTop: '6px',
    borderRadius: '4px',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    backgroundColor: tokens.colorNeutralBackground3,
    overflow: 'hidden',
  },
  bar: {
    height: '100%',
    borderRadius: '3px',
    '@media (forced-colors: active)': { backgroundColor: 'Highlight', forcedColorAdjust: 'none' },
  },
  empty: { width: '0' },
  refused: { width: '10%', backgroundColor: tokens.colorStatusDangerBackground3 },
  weak: { width: '40%', backgroundColor: tokens.colorStatusWarningBackground3 },
  medium: { width: '70%', backgroundColor: tokens.colorBrandBackground },
  strong: { width: '100%', backgroundColor: tokens.colorStatusSuccessBackground3 },
  hint: { display: 'block', minHeight: '1.4em', fontSize: tokens.fontSizeBase200 },
  heard: {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
});

interface MeterProps extends Pick<WidgetContext, 't'> {
  readonly strength: Strength;
  readonly missing: number;
  /** The field's own message stands: two sentences could contradict each other. */
  readonly quiet: boolean;
}

/** The strength bar, the hint below it, and the hint as a screen reader hears it: once the typing pauses. */
export function PasswordMeter({ strength, missing, quiet, t }: MeterProps) {
  const styles = useStyles();
  const hint = quiet ? '' : hintOf(strength, missing, t);
  const heard = useQuiet(hint);
  return (
    <div>
      <div
        className={styles.track}
        role="meter"
        aria-label={t('meter')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={strength.percent}
        aria-valuetext={t(strength.band)}
      >
        <div className={mergeClasses(styles.bar, styles[strength.band])} />
      </div>
      <span className={styles.hint} aria-hidden="true">
        {hint}
      </span>
      <span className={styles.heard} aria-live="polite">
        {heard}
      </span>
    </div>
  );
}

function hintOf(strength: Strength, missing: number, t: WidgetContext['t']): string {
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
