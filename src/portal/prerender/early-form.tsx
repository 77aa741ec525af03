import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Values } from '../../engine/core/json.ts';
import { placeholders } from '../../engine/core/messages.ts';
import { introOf, titleOf } from '../../engine/core/ui.ts';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { keptStyles } from '../../engine/fluent/kept-styles.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { Portal } from '../portal.ts';

/** A form as it is drawn before anybody has typed, and the elements of its styles. */
export interface EarlyForm {
  readonly form: ReactNode;
  /** Once the form is drawn. */
  readonly styles: () => string;
}

/**
 * The form that a flow shows at its address, drawn as the browser will draw it; null where it shows none, or where its texts wait for a value
 * that only the browser knows.
 */
export function earlyForm(runner: FlowRunner, portal: Portal, nonce: string): EarlyForm | null {
  const { view, context } = runner.state;
  if (!view?.screen || !view.draft || view.pending) return null;
  const facts = portal.flows.facts();
  const { ui } = view.screen.validator.screen;
  const known: Values = { ...facts, ...context };
  const texts = [titleOf(ui, { ...facts, context }), ...introOf(ui, { ...facts, context }).map(({ text }) => text)];
  if (!texts.every((text) => placeholders(text).every((name) => typeof known[name] === 'string'))) return null;
  const kept = keptStyles(nonce);
  const Screen = fluentScreen(kept.styles);
  return {
    form: (
      <Screen
        screen={view.screen}
        draft={view.draft}
        context={context}
        facts={facts}
        notice={null}
        busy={false}
        direction="none"
        bar={runner.steps?.bar(view)}
        onEvent={nothing}
        onDismiss={nothing}
      />
    ),
    styles: () => renderToStaticMarkup(kept.elements()),
  };
}

/**
 * Closes a form for as long as no script answers it: a browser would send what is typed with the address. Browsers also keep what is typed into
 * a document, and enter it again for whoever comes Back: a form of the portal decides on that itself.
 */
export function closedForms(html: string): string {
  return html
    .replaceAll('<form ', '<form inert="" autocomplete="off" ')
    .replaceAll(/ autoComplete="[^"]*"/gi, ' autocomplete="off"');
}

function nothing(): void {}
