import { observer } from 'mobx-react-lite';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { Action, Ui } from '../../core/definition.ts';
import type { Values } from '../../core/json.ts';
import { holds } from '../../core/logic.ts';
import type { Draft } from '../../runtime/draft.ts';
import { useEngine } from '../engine-context.ts';
import type { Theme } from '../theme.ts';

interface ActionsProps {
  readonly ui: Ui;
  readonly draft: Draft | null;
  readonly theme: Theme;
  readonly scope: Values;
  readonly busy: boolean;
  readonly text: (template: string) => string;
  readonly onEvent: (event: string) => void;
}

/** The buttons of a screen. Where the one that has the focus goes, the first of what is left takes it, as what stands in its place. */
export function Actions({ ui, draft, theme: { Busy }, scope, busy, text, onEvent }: ActionsProps) {
  const engine = useEngine();
  const bar = useRef<HTMLDivElement>(null);
  const lost = useRef(false);
  const lose = useCallback(() => void (lost.current = true), []);
  useLayoutEffect(() => {
    if (lost.current) bar.current?.querySelector('button')?.focus();
    lost.current = false;
  });
  const actions = (ui.actions ?? []).filter(({ visible }) => holds(visible, scope));
  if (actions.length === 0) return busy ? <Busy text={ui.busy ?? engine.t('busy')} /> : null;
  return (
    <div className="screen-actions" ref={bar}>
      {actions.map((item) => (
        <ActionButton
          key={`${item.event} ${item.text}`} // one event may have a button for each of two conditions
          item={item}
          draft={draft}
          busy={busy}
          text={text}
          onEvent={onEvent}
          onLost={lose}
        />
      ))}
      <span role="status" className="screen-busy">
        {busy && <Busy small text={ui.busy ?? engine.t('busy')} />}
      </span>
    </div>
  );
}

interface ActionButtonProps extends Pick<ActionsProps, 'draft' | 'busy' | 'text' | 'onEvent'> {
  readonly item: Action;
  /** The button goes, and has the focus; always the same function. */
  readonly onLost: () => void;
}

// Disabled by aria-disabled alone: the button keeps the focus, and pressing it says what is missing. (Fluent's Button
// swallows the click of an aria-disabled one.) It takes the focus with the click, not with the press: the message of the field that is
// left would push it from under the pointer before there is a click.
const ActionButton = observer(function ActionButton({ item, draft, busy, text, onEvent, onLost }: ActionButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (own === document.activeElement) onLost(); // runs before the button is taken out of the page
    };
  }, [onLost]);
  const submits = item.event === 'submit' && draft !== null;
  const disabled = busy || (submits && !draft.ready);
  return (
    <button
      ref={button}
      type={submits ? 'submit' : 'button'}
      className={item.primary ? 'button button-primary' : 'button'}
      aria-disabled={disabled || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail, currentTarget }) => {
        if (detail > 0) currentTarget.focus();
        if (!submits) onEvent(item.event);
      }}
    >
      {text(item.text)}
    </button>
  );
});
