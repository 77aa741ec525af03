import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { toWidgetParts, type WidgetContext, type WidgetProps } from '../../src/engine/react/widget.ts';
import { abortPasskeyCeremony, performPasskeyCeremony, type PasskeyCeremonyKind } from './ceremony.ts';

/** Runs a passkey ceremony on submit and stores its response in the field. The form renders the button and the errors. */
const Passkey = observer(function Passkey(props: WidgetProps) {
  const { field, form, control, options, t } = toWidgetParts(props);
  const waiting = useCeremony(
    {
      ceremony: options.ceremony === 'create' ? 'create' : 'use',
      publicKey: options.publicKey,
      auto: options.auto === true,
    },
    { field, form, t },
  );
  const { failures } = form;
  const failuresBefore = useRef(failures);
  useEffect(() => {
    if (failures > failuresBefore.current) field.set(undefined); // discards the response, because the server accepts each authenticator response only once
    failuresBefore.current = failures;
  }, [failures, field]);
  return (
    <div id={control.id} tabIndex={-1} aria-describedby={control['aria-describedby']}>
      <span role="status">{waiting ? t('waiting') : ''}</span>
    </div>
  );
});

export const options = {
  ceremony: { enum: ['create', 'use'] },
  publicKey: { type: 'object' },
  auto: { type: 'boolean' },
  labelled: { const: 'self' },
} as const;

export default Passkey;

interface CeremonyPlan {
  readonly ceremony: PasskeyCeremonyKind;
  readonly publicKey: unknown;
  /** Whether to start on mount, because the user requested it on the previous page. */
  readonly auto: boolean;
}

/** Before each submit, runs the ceremony if the field has no response yet. Returns whether the authenticator is waiting for the user. */
function useCeremony(
  { ceremony, publicKey, auto }: CeremonyPlan,
  { field, form, t }: Pick<WidgetContext, 'field' | 'form' | 't'>,
): boolean {
  const [waiting, setWaiting] = useState(false);
  useEffect(() => {
    let running = false;
    let isUnmounted = false;
    const stop = field.beforeSubmit(async () => {
      if (field.value !== undefined) return undefined;
      running = true;
      setWaiting(true);
      const outcome = await performPasskeyCeremony(ceremony, publicKey);
      running = false;
      if (isUnmounted || outcome === null) return { refused: null };
      setWaiting(false);
      if ('refusal' in outcome) return { refused: t(outcome.refusal) };
      field.set(outcome.answer);
      return undefined;
    });
    if (auto) form.send();
    return () => {
      isUnmounted = true;
      stop();
      if (running) void abortPasskeyCeremony();
    };
  }, [ceremony, publicKey, auto, field, form, t]);
  return waiting;
}
