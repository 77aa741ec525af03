import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { nonceMark } from '../../contract/prerender.ts';
import { isKnown } from '../../engine/core/messages.ts';
import { introOf, titleOf } from '../../engine/core/ui.ts';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { keptStyles } from '../../engine/fluent/fluent-root.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { Portal } from '../portal.ts';
import { PortalProviders } from '../portal-providers.tsx';

/** A form as it is drawn before anybody has typed. */
export interface EarlyForm {
  readonly html: string;
  /** The elements of its styles, with `nonceMark` for the nonce. */
  readonly styles: string;
}

/** Forms that were drawn, by what they were drawn from; the oldest goes. */
const drawn = new Map<string, EarlyForm>();
const mostDrawn = 200;

/**
 * The form that a flow shows at its address, drawn as the browser will draw it; null where it shows none, or where its texts wait for a value
 * that only the browser knows. A sign-in of an application has a query of its own, which rarely changes what is drawn: so forms are kept here
 * beside the pages that the server keeps.
 */
export function earlyForm(runner: FlowRunner, portal: Portal, path: string): EarlyForm | null {
  const { view, context } = runner.state;
  if (!view?.screen || !view.draft || view.pending) return null;
  const { name, screen, draft } = view;
  const facts = portal.flows.facts();
  const scope = { ...facts, context };
  const { ui } = screen.validator.screen;
  const texts = [titleOf(ui, scope), ...introOf(ui, scope).map(({ text }) => text)];
  if (!texts.every((text) => isKnown(text, { ...facts, ...context }))) return null;
  const bar = runner.steps?.bar(view);
  const { manifest, language, data } = portal.page;
  const definition = JSON.stringify([screen.validator.screen, bar]);
  const read = Object.entries(context).filter(([variable]) => definition.includes(variable)); // what no text or rule names changes nothing
  const key = JSON.stringify([manifest.version, language, path, name, read, draft.values, facts, data]);
  const before = drawn.get(key);
  if (before) return before;
  const kept = keptStyles(nonceMark);
  const Screen = fluentScreen(kept.styles);
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal}>
      <StaticRouter location={path}>
        <Screen
          screen={screen}
          draft={draft}
          context={context}
          facts={facts}
          notice={null}
          busy={false}
          direction="none"
          bar={bar}
          onEvent={nothing}
          onDismiss={nothing}
        />
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
 * Closes a form for as long as no script answers it: a browser would send what is typed with the address. Browsers also keep what is typed into
 * a document, and enter it again for whoever comes Back: a form of the portal decides on that itself.
 */
function closed(html: string): string {
  return html
    .replaceAll('<form ', '<form inert="" autocomplete="off" ')
    .replaceAll(/ autoComplete="[^"]*"/gi, ' autocomplete="off"');
}

function nothing(): void {}
