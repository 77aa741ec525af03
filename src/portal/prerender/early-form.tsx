import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { nonceMark } from '../../contract/prerender.ts';
import { isKnown } from '../../engine/core/messages.ts';
import { resolveIntro, resolveTitle } from '../../engine/core/ui.ts';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { keptStyles } from '../../engine/fluent/fluent-root.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { Portal } from '../portal.ts';
import { PortalProviders } from '../portal-providers.tsx';

export interface EarlyForm {
  readonly html: string;
  /** `<style>` elements, with `nonceMark` in place of the nonce. */
  readonly styles: string;
}

const drawn = new Map<string, EarlyForm>();
const mostDrawn = 200;

/**
 * Prerenders the form of a flow's current state as the browser will render it. Returns `null` for a state without a form, or if its texts depend on
 * values that only the browser has. Each authorization request has its own query, which rarely affects the form. So this cache complements the
 * server's cache of pages.
 */
export function earlyForm(runner: FlowRunner, portal: Portal, path: string): EarlyForm | null {
  const { view, context } = runner.state;
  if (!view?.screen || !view.draft || view.pending) return null;
  const { name, screen, draft } = view;
  const facts = portal.flows.facts();
  const scope = { ...facts, context };
  const { ui } = screen.validator.screen;
  const texts = [resolveTitle(ui, scope), ...resolveIntro(ui, scope).map(({ text }) => text)];
  if (!texts.every((text) => isKnown(text, { ...facts, ...context }))) return null;
  const bar = runner.steps?.bar(view);
  const { manifest, language, data } = portal.page;
  const definition = JSON.stringify([screen.validator.screen, bar]);
  const read = Object.entries(context).filter(([variable]) => definition.includes(variable)); // variables that no text or rule reads have no effect
  const key = JSON.stringify([manifest.version, language, path, name, read, draft.values, facts, data]);
  const before = drawn.get(key);
  if (before) return before;
  const kept = keptStyles(nonceMark);
  const Screen = fluentScreen(kept.styles);
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal}>
      <StaticRouter location={path}>
        <Screen mode="static" screen={screen} draft={draft} context={context} facts={facts} bar={bar} />
      </StaticRouter>
    </PortalProviders>,
    { identifierPrefix: 'form' },
  );
  const form = { html: closed(html), styles: renderToStaticMarkup(kept.elements()) };
  drawn.set(key, form);
  const [oldest] = drawn.keys();
  if (drawn.size > mostDrawn && oldest !== undefined) drawn.delete(oldest);
  return form;
}

/**
 * Disables a form until scripts handle it, because a browser would send the input in the URL. Also turns off autocomplete: browsers restore the input
 * of a document when the user goes back, but the form itself decides about that.
 */
function closed(html: string): string {
  return html
    .replaceAll('<form ', '<form inert="" autocomplete="off" ')
    .replaceAll(/ autoComplete="[^"]*"/gi, ' autocomplete="off"');
}
