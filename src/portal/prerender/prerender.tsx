import { enableStaticRendering } from 'mobx-react-lite';
import { Fragment, type ComponentType, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { href } from '../../contract/href.ts';
import { type Prerender, nonceMark } from '../../contract/prerender.ts';
import type { StateStorage } from '../../domain/stored-state.ts';
import type { Flow, Section, Ui } from '../../engine/core/definition.ts';
import { fill, isKnown, unbroken, unbrokenProse } from '../../engine/core/messages.ts';
import type { Values } from '../../engine/core/json.ts';
import type { Route } from '../../engine/core/manifest.ts';
import type { ScreenData } from '../../engine/core/screen.ts';
import { holds } from '../../engine/core/logic.ts';
import { resolveIntro, resolveTitle } from '../../engine/core/ui.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import { waitsForOperation } from '../../engine/runtime/flow-state.ts';
import { Waiting, waitingClass } from '../../engine/react/flow/waiting.tsx';
import FaqDetail from '../blocks/faq-detail.tsx';
import FaqList from '../blocks/faq-list.tsx';
import { openFaqSearch } from '../blocks/open-faq-search.ts';
import Landing from '../blocks/landing.tsx';
import StaticPage from '../blocks/static-page.tsx';
import { pages } from '../../contract/pages.ts';
import { Portal } from '../portal.ts';
import { PortalProviders } from '../portal-providers.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { Shell } from '../shell/shell.tsx';
import { loadTexts } from '../texts.ts';
import { isSignedInRoute } from '../../domain/signed-in-route.ts';
import { awayFrom } from '../navigation/away-from.ts';
import { useChrome } from '../navigation/use-flow.ts';
import { loadSteps, openModule } from '../navigation/load-screen.ts';
import { stillScreen } from './still-screen.tsx';
import { fluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { keptStyles } from '../../engine/fluent/fluent-root.tsx';

interface EarlyForm {
  readonly html: string;
  /** `<style>` elements, with `nonceMark` in place of the nonce. */
  readonly styles: string;
}

const drawn = new Map<string, EarlyForm>();
const maxRendered = 200;

/**
 * Prerenders the form of a flow's current state as the browser will render it. Returns `null` for a state without a form, or if its texts depend on
 * values that only the browser has. Each authorization request has its own query, which rarely affects the form. So this cache complements the
 * server's cache of pages.
 */
function earlyForm(runner: FlowRunner, portal: Portal, path: string): EarlyForm | null {
  const { view, context } = runner.state;
  if (!view?.screen || !view.form || view.pending) return null;
  const { name, screen, form } = view;
  const facts = portal.flows.facts();
  const scope = { ...facts, context };
  const { ui } = screen.validator.screen;
  const texts = [resolveTitle(ui, scope), ...resolveIntro(ui, scope).map(({ text }) => text)];
  if (!texts.every((text) => isKnown(text, { ...facts, ...context }))) return null;
  const bar = runner.steps?.bar(view);
  const { manifest, language, data } = portal.page;
  const definition = JSON.stringify([screen.validator.screen, bar]);
  const read = Object.entries(context).filter(([variable]) => definition.includes(variable)); // variables that no text or rule reads have no effect
  const key = JSON.stringify([manifest.version, language, path, name, read, form.values, facts, data]);
  const before = drawn.get(key);
  if (before) return before;
  const kept = keptStyles(nonceMark);
  const Screen = fluentScreen(kept.styles);
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal}>
      <StaticRouter location={path}>
        <Screen mode="static" screen={screen} form={form} context={context} facts={facts} bar={bar} />
      </StaticRouter>
    </PortalProviders>,
    { identifierPrefix: 'form' },
  );
  const page = { html: closed(html), styles: renderToStaticMarkup(kept.elements()) };
  drawn.set(key, page);
  const [oldest] = drawn.keys();
  if (drawn.size > maxRendered && oldest !== undefined) drawn.delete(oldest);
  return page;
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

enableStaticRendering(true);

const noStorage: StateStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** Blocks whose content is the same for everyone and included in the page. */
const open: Readonly<Record<string, ComponentType<BlockProps>>> = {
  landing: Landing,
  'faq-list': (props) => <FaqList {...props} openSearch={openFaqSearch} />,
  'faq-detail': FaqDetail,
  'static-page': StaticPage,
};

/**
 * Prerenders a page. Information and error pages are complete. Forms have their fields, which take input. A form that waits for an operation has its
 * heading and placeholders. Pages for signed-in users have only placeholders. Nothing here needs to wait for data, because the browser renders the
 * page again.
 */
export const prerender: Prerender = async ({ page, path, search, flow, screen }) => {
  const portal = new Portal(page, await loadTexts(page.language), noStorage);
  const route = portal.definitions.routeAt(path) ?? portal.definitions.notFoundRoute;
  if (!route) return { html: '', styles: '', title: null, isWhole: false };
  let heading: string | null = null;
  let wanted: string | undefined;
  const runner = new FlowRunner(
    flow,
    silent(portal, async (id) => {
      wanted = id;
      if (isSignedInRoute(route.access) || waits(flow, id)) return refuse();
      return openModule(screen(id));
    }),
    flow.progress && (await loadSteps(flow, portal.flows)),
  );
  await runner
    .arrive({ state: route.state, search, history: null, params: portal.definitions.paramsAt(path) })
    .catch(() => undefined);
  const { view, context } = runner.state;
  const Block = route.access === 'anyone' ? open[view?.state.block ?? ''] : undefined;
  const texts = wanted === undefined || waits(flow, wanted) ? null : screen(wanted);
  const shown = texts && describe(texts.screen, { ...portal.flows.facts(), context });
  const still =
    view?.screen && texts?.screen.fields.length === 0 && route.access === 'anyone'
      ? stillScreen({ flow, state: route.state, screen: view.screen, context }, portal)
      : null;
  const early = earlyForm(runner, portal, href(path));
  const { links, places, ...waiting } = shown ?? { links: [], places: null };
  const content = Block ? (
    <Block runner={runner} />
  ) : (
    (still ?? (
      <>
        <noscript>
          <p className="problems" role="alert">
            {portal.t(places ? 'needsScript' : 'needsScript.page')}
          </p>
        </noscript>
        {early ? (
          formMark
        ) : (
          <Waiting text={portal.t('loading')} fields={places ? 0 : undefined} {...waiting}>
            {places && <Places places={places} />}
            {links.length > 0 && <Links links={links} />}
          </Waiting>
        )}
        <p className="stalled">
          {portal.t('stalled')} <a href={href(path) + search}>{portal.t('reload')}</a>{' '}
          <PortalLink to={pages.contact}>{portal.t('contact')}</PortalLink>
        </p>
      </>
    ))
  );
  const engine = { titled: (title: string) => (heading = portal.engine.titled(title)) };
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal} engine={engine}>
      <StaticRouter location={href(path) + search}>
        <Chrome route={route} runner={runner}>
          {content}
        </Chrome>
      </StaticRouter>
    </PortalProviders>,
  );
  return {
    html: early ? html.replace(formMark, () => early.html) : html,
    styles: early?.styles ?? '',
    title: heading ?? (shown?.title == null ? null : portal.engine.titled(shown.title)),
    isWhole:
      !early &&
      !html.includes(waitingClass) &&
      awayFrom(route, { pathname: href(path), search }, false, portal) === null,
  };
};

const formMark = '__FORM__';

/** Whether a screen appears only after an operation, which may lead elsewhere. Its heading would then be wrong. */
function waits({ states }: Flow, screen: string): boolean {
  return Object.values(states).some((state) => state.screen === screen && waitsForOperation(state));
}

function Chrome({ route, runner, children }: { route: Route; runner: FlowRunner; children: ReactNode }) {
  return <Shell chrome={useChrome(route, runner)}>{children}</Shell>;
}

/** Placeholders of fields, under the title of their section if they have one. */
interface Place {
  readonly title: string | null;
  readonly fields: number;
}

function Places({ places }: { places: readonly Place[] }) {
  return places.map(({ title, fields }) => (
    <Fragment key={title}>
      {title !== null && <p className="section-place">{title}</p>}
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className="skeleton skeleton-field" />
      ))}
    </Fragment>
  ));
}

function Links({ links }: Pick<ReturnType<typeof describe>, 'links'>) {
  return (
    <ul className="screen-links">
      {links.map(({ text, to }) => (
        <li key={text}>
          {to === null ? <span className="link-place">{text}</span> : <PortalLink to={to}>{text}</PortalLink>}
        </li>
      ))}
    </ul>
  );
}

/** Returns the content of a screen that does not depend on values of the browser. `to` is `null` for a link that needs the script. */
function describe({ ui, fields }: ScreenData, scope: Values) {
  const known = (text: string): boolean => isKnown(text, scope);
  const filled = (text: string): string => unbroken(fill(text, scope));
  const isShown = ({ title: name, visible }: Section): boolean => known(name) && holds(visible, { ...scope, form: {} });
  const title = resolveTitle(ui, scope);
  return {
    title: known(title) ? filled(title) : null,
    intro: resolveIntro(ui, scope)
      .map(({ text }) => text)
      .filter(known)
      .map((text) => unbrokenProse(filled(text))),
    places: fields.length === 0 ? null : listSections(ui, fields.length, isShown),
    links: (ui.links ?? [])
      .filter(({ visible, text }) => holds(visible, scope) && known(text))
      .map(({ text, to = '', event }) => ({
        text: filled(text),
        to: event === undefined && to.startsWith('/') && known(to) ? filled(to) : null,
      })),
  };
}

/** More placeholders would push the footer down. */
const maxFields = 5;

function listSections({ sections = [] }: Ui, fields: number, isShown: (section: Section) => boolean): readonly Place[] {
  const within = sections.filter(isShown).map(({ title, fields: { length } }) => ({ title, fields: length }));
  const loose = fields - sections.flatMap((section) => section.fields).length;
  let left = maxFields;
  return [...within, { title: null, fields: loose }].flatMap((place) => {
    const shown = Math.min(place.fields, left);
    left -= shown;
    return shown > 0 ? [{ ...place, fields: shown }] : [];
  });
}

/** Returns services for a flow on the server: guards are evaluated, operations are refused, and side effects are ignored. */
function silent({ flows }: Portal, loadScreen: FlowServices['loadScreen']): FlowServices {
  const nothing = (): void => undefined;
  return {
    ...flows,
    loadScreen,
    refresh: refuse,
    invoke: refuse,
    remember: nothing,
    navigate: nothing,
    goBack: nothing,
    leave: nothing,
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('The server only prerenders.'));
}
