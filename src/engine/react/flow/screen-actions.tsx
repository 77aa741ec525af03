import { observer } from 'mobx-react-lite';
import { useCallback, useId, useLayoutEffect, useRef } from 'react';
import type { ScreenAction, ScreenUi } from '../../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../core/json.ts';
import { isRuleTrue } from '../../core/json-logic.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import { useEngine } from '../engine-context.ts';
import type { ButtonProps, Theme } from '../theme.ts';

interface ActionsProps {
  readonly ui: ScreenUi;
  readonly form: FormModel | null;
  readonly theme: Theme;
  readonly scope: ValuesByName;
  readonly busy: boolean;
  readonly text: (template: string) => string;
  readonly hrefs: Readonly<Record<string, string>> | undefined;
  readonly onEvent: (event: string) => void;
}

/** The button "back" is left of a single other button, but below several. If the focused button disappears, another one takes the focus. */
export function ScreenActions({ ui, form, theme: { Busy, Button }, scope, busy, text, hrefs, onEvent }: ActionsProps) {
  const engine = useEngine();
  const bar = useRef<HTMLDivElement>(null);
  const lost = useRef(false);
  const lose = useCallback(() => void (lost.current = true), []);
  useLayoutEffect(() => {
    const find = (selector: string) => bar.current?.querySelector<HTMLElement>(selector);
    if (lost.current) (find('.button:not(.button-quiet)') ?? find('button'))?.focus();
    lost.current = false;
  });
  const missing = useId();
  const shown = (ui.actions ?? []).filter(({ visible }) => isRuleTrue(visible, scope));
  const back = shown.filter(({ event }) => event === 'back');
  const others = shown.filter(({ event }) => event !== 'back');
  const actions = others.length > 1 ? [...others, ...back] : [...back, ...others];
  if (actions.length === 0) return busy ? <Busy text={ui.busy ?? engine.t('busy')} /> : null;
  if (hrefs)
    return (
      <div className="screen-actions">
        {actions.map(({ event, text: label, primary, quiet }) => (
          <a key={label} className={selectButtonClass({ event, primary, quiet })} href={hrefs[event]}>
            {text(label)}
          </a>
        ))}
      </div>
    );
  return (
    <div className="screen-actions" ref={bar}>
      {actions.map((item) => (
        <ActionButton
          key={ui.actions?.indexOf(item)} // the index is unique, while two buttons may have the same text
          item={item}
          form={form}
          busy={busy}
          text={text}
          missing={missing}
          Button={Button}
          onEvent={onEvent}
          onLost={lose}
        />
      ))}
      <span role="status" className="screen-busy">
        {busy && <Busy small text={ui.busy ?? engine.t('busy')} />}
      </span>
      {form !== null && actions.some(({ event }) => event === 'submit') && <MissingCount id={missing} form={form} />}
    </div>
  );
}

/** Number of missing and invalid values. Shown after the first submit, while no message names them. */
const MissingCount = observer(function Missing({ id, form }: { id: string; form: FormModel }) {
  const engine = useEngine();
  const isNamed = form.formError !== null || form.errors.length > 0;
  const count = form.attempted && !isNamed ? form.incomplete : 0;
  return (
    <p id={id} className="screen-missing">
      {count > 0 && engine.t(count === 1 ? 'missing.one' : 'missing', { count })}
    </p>
  );
});

function selectButtonClass({ event, primary, danger, quiet }: Omit<ScreenAction, 'text'>): string {
  if (primary) return 'button button-primary';
  if (danger) return 'button button-danger';
  return quiet || event === 'back' ? 'button button-quiet' : 'button';
}

interface ActionButtonProps extends Pick<ActionsProps, 'form' | 'busy' | 'text' | 'onEvent'> {
  readonly item: ScreenAction;
  readonly missing: string;
  readonly Button: Theme['Button'];
  /** Called when the focused button is removed. Must be a stable function. */
  readonly onLost: () => void;
}

/** `aria-disabled` keeps the focus, and a press shows the missing fields; Fluent's Button would ignore it. Safari does not focus pressed buttons. */
const ActionButton = observer(function ActionButton({
  item,
  form,
  busy,
  text,
  missing,
  Button,
  onEvent,
  onLost,
}: ActionButtonProps) {
  const button = useRef<HTMLSpanElement & HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own?.contains(document.activeElement)) onLost(); // runs before the button is removed from the page
    };
  }, [onLost]);
  const submits = item.event === 'submit' && form !== null;
  const unready = submits && !form.ready;
  const kind = selectButtonClass(item);
  const attributes: ButtonProps['attributes'] = {
    type: submits ? 'submit' : 'button',
    className: unready && !busy ? `${kind} button-unready` : kind,
    'aria-disabled': busy || unready || undefined,
    'aria-describedby': unready ? missing : undefined,
    onClick: ({ detail, currentTarget }) => {
      if (detail > 0) currentTarget.focus();
      if (!submits) onEvent(item.event);
    },
  };
  return Button ? (
    <span ref={button}>
      <Button text={text(item.text)} primary={item.primary === true} attributes={attributes} />
    </span>
  ) : (
    <button ref={button} {...attributes}>
      {text(item.text)}
    </button>
  );
});
