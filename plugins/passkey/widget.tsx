import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { widgetParts, type WidgetContext, type WidgetProps } from '../../src/engine/react/widget.ts';
import { abort, perform, type Ceremony, type Refusal } from './ceremony.ts';

type Phase = 'idle' | 'waiting' | Refusal;

/**
 * Has the browser make or use a passkey when its form is sent, and sends the form with the authenticator's answer. It draws what the
 * citizen has to do or what went wrong; the button is the form's own.
 */
const Passkey = observer(function Passkey(props: WidgetProps) {
  const { field, form, control, options, text } = widgetParts(props);
  const box = useRef<HTMLDivElement>(null);
  const ceremony = options.ceremony === 'create' ? 'create' : 'use';
  const phase = useCeremony(box, { ceremony, publicKey: options.publicKey, auto: options.auto === true }, field);
  const { failures } = form;
  const failuresBefore = useRef(failures);
  useEffect(() => {
    if (failures > failuresBefore.current) field.set(undefined); // an answer serves one submit
    failuresBefore.current = failures;
  }, [failures, field]);
  const refused = phase !== 'idle' && phase !== 'waiting';
  return (
    <div ref={box} id={control.id} tabIndex={-1} aria-describedby={control['aria-describedby']}>
      <span role="status">{phase === 'waiting' ? text('waiting') : ''}</span>
      {refused && (
        <p role="alert" className="form-error">
          {text(phase)}
        </p>
      )}
    </div>
  );
});

export default Passkey;

interface Plan {
  readonly ceremony: Ceremony;
  readonly publicKey: unknown;
  /** Begins at once: the citizen asked for it on the page before. */
  readonly auto: boolean;
}

/** Takes the place of each submit that has no answer yet: the ceremony comes first. */
function useCeremony(
  box: React.RefObject<HTMLDivElement | null>,
  { ceremony, publicKey, auto }: Plan,
  field: WidgetContext['field'],
): Phase {
  const [phase, setPhase] = useState<Phase>('idle');
  useEffect(() => {
    const form = box.current?.closest('form');
    if (!form) return undefined;
    let waiting = false;
    let gone = false;
    const run = async () => {
      if (waiting) return;
      waiting = true;
      setPhase('waiting');
      const outcome = await perform(ceremony, publicKey);
      waiting = false;
      if (gone || outcome === null) return;
      if ('refusal' in outcome) return setPhase(outcome.refusal);
      setPhase('idle');
      field.set(outcome.answer);
      form.requestSubmit();
    };
    const onSubmit = (event: Event) => {
      if (field.value !== undefined) return;
      event.preventDefault();
      event.stopPropagation();
      void run();
    };
    form.addEventListener('submit', onSubmit);
    if (auto) void run();
    return () => {
      gone = true;
      form.removeEventListener('submit', onSubmit);
      if (waiting) void abort();
    };
  }, [box, ceremony, publicKey, auto, field]);
  return phase;
}
