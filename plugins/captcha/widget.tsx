import { Checkbox } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { toWidgetParts, type WidgetContext, type WidgetProps } from '../../src/engine/react/widget.ts';
import type { CaptchaSolution } from './request-solution.ts';
import './captcha.css';

/** Time between the renewal of a solution and its expiry, in milliseconds. */
const renewBeforeMs = 10_000;
/** Minimum delay before a renewal, in milliseconds. It prevents an endless loop if a solution arrives already expired. */
const renewAfterMs = 30_000;

type Phase = 'idle' | 'working' | 'done' | 'failed';

/** Proof-of-work captcha. When the user ticks the box, a worker solves a challenge. The solution is the value of the field. */
const Captcha = observer(function Captcha(props: WidgetProps) {
  const { field, form, control, label, t, load, now } = toWidgetParts(props);
  const { phase, start } = useSolution(
    (payload) => field.set(payload),
    { load, now },
    form.failures,
    field.value !== undefined,
  );
  return (
    <div className="captcha">
      <Checkbox
        id={control.id}
        name={control.name}
        required={control.required}
        aria-required={control['aria-required']}
        disabled={control.disabled || control.readOnly}
        aria-invalid={control['aria-invalid']}
        aria-describedby={control['aria-describedby']}
        aria-busy={phase === 'working'}
        checked={phase === 'working' ? 'mixed' : phase === 'done'}
        label={label}
        onChange={() => {
          if (phase === 'idle' || phase === 'failed') start();
        }}
        onBlur={() => {
          if (phase !== 'working') field.blur();
        }}
      />
      {/* the ticked box already shows the end */}
      <span className={phase === 'done' ? 'visually-hidden' : 'form-state'} role="status">
        {phase === 'idle' ? '' : t(phase)}
      </span>
    </div>
  );
});

export const options = { labelled: { const: 'self' } } as const;

export default Captcha;

/** Renews the solution before it expires, after a failed submit, and once online again. Also renews one from before mounting, whose expiry is unknown. */
function useSolution(
  store: (payload: string | undefined) => void,
  { load, now }: Pick<WidgetContext, 'load' | 'now'>,
  failures: number,
  held: boolean,
) {
  const [phase, setPhase] = useState<Phase>('idle');
  const [solved, setSolved] = useState<CaptchaSolution | null>(null);
  const running = useRef<AbortController>(undefined);
  const failuresBefore = useRef(failures);
  const inherited = useRef(held);

  const start = async () => {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    store(undefined);
    setSolved(null);
    setPhase('working');
    const result = await solveOnce(load, run.signal);
    if (run.signal.aborted) return;
    store(result?.payload);
    setSolved(result);
    setPhase(result ? 'done' : 'failed');
  };
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });

  useEffect(() => {
    if (inherited.current) void latest.current();
    return () => running.current?.abort();
  }, []);
  useEffect(() => {
    if (failures > failuresBefore.current && solved) void latest.current();
    failuresBefore.current = failures;
  }, [failures, solved]);
  useEffect(() => {
    if (phase !== 'failed') return undefined;
    const again = () => void latest.current();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [phase]);
  useEffect(() => {
    if (solved?.expiresAt == null) return undefined;
    const delay = Math.max(renewAfterMs, solved.expiresAt - now().getTime() - renewBeforeMs);
    const timer = setTimeout(() => void latest.current(), delay);
    return () => clearTimeout(timer);
  }, [solved, now]);

  return { phase, start: () => void start() };
}

// Requests and solves a challenge. Loads the solver and the worker on first use, so that the form does not wait for them.
async function solveOnce(load: WidgetContext['load'], signal: AbortSignal): Promise<CaptchaSolution | null> {
  try {
    const [{ requestCaptchaSolution: requestSolution }, { startCaptchaWorker: startWorker }] = await Promise.all([
      import('./request-solution.ts'),
      import('./start-worker.ts'),
    ]);
    return await requestSolution(() => load('getCaptcha'), startWorker, signal);
  } catch {
    return null; // ignores the cause, because the user can retry after any error
  }
}
