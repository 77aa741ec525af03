import { enableStaticRendering } from 'mobx-react-lite';
import { Fragment, type ComponentType, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { buildHref } from '../../contract/build-href.ts';
import { type PrerenderPage, noncePlaceholder } from '../../contract/prerendered-page.ts';
import type { StateStorage } from '../../domain/stored-state.ts';
import type { Flow, ScreenSection, ScreenUi } from '../../engine/core/flow-and-screen-types.ts';
import {
  fillPlaceholders,
  hasPlaceholderValues,
  preventLineBreaks,
  preventLineBreaksInProse,
} from '../../engine/core/messages.ts';
import type { ValuesByName } from '../../engine/core/json.ts';
import type { PageRoute } from '../../engine/core/definitions-manifest.ts';
import type { CompiledScreen } from '../../engine/core/compiled-screen.ts';
import { isRuleTrue } from '../../engine/core/json-logic.ts';
import { resolveIntroParagraphs, resolveHeadingText } from '../../engine/core/screen-ui-queries.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import type { FlowServices } from '../../engine/runtime/flow-services.ts';
import { isRenderedAfterOperation } from '../../engine/runtime/flow-state.ts';
import { LoadingPlaceholder, loadingScreenClass } from '../../engine/react/flow/loading-placeholder.tsx';
import FaqDetail from '../blocks/faq-detail.tsx';
import FaqList from '../blocks/faq-list.tsx';
import { createFaqSearch } from '../blocks/faq-search.ts';
import LandingPage from '../blocks/landing.tsx';
import StaticPage from '../blocks/static-page.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import { Portal } from '../portal.ts';
import { PortalProviders } from '../portal-providers.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { PageShell } from '../shell/page-shell.tsx';
import { loadPortalTexts } from '../portal-texts.ts';
import { isSignedInRoute } from '../../domain/is-signed-in-route.ts';
import { findPageRedirect } from '../navigation/page-redirect.ts';
import { usePageChrome } from '../navigation/use-flow-runner.ts';
import { loadJourneyStepsFactory, openScreenModule } from '../navigation/load-screen.ts';
import { renderStaticScreen } from './render-static-screen.tsx';
import { createFluentScreen } from '../../engine/fluent/fluent-screen.tsx';
import { createStyleCollector } from '../../engine/fluent/fluent-root.tsx';

interface PrerenderedForm {
  readonly html: string;
  /** `<style>` elements, with `noncePlaceholder` instead of the nonce. */
  readonly styles: string;
}

const prerenderedForms = new Map<string, PrerenderedForm>();
const maxPrerenderedForms = 200;

/**
 * Prerenders the form of a flow's current state exactly as the browser will render it. Returns `null` for a state
 * without a form, or if its texts depend on values that only the browser has. Caches forms separately from pages,
 * because the query of each authorization request is unique but rarely changes the form.
 */
function prerenderForm(runner: FlowRunner, portal: Portal, path: string): PrerenderedForm | null {
  const { view, context } = runner.state;
  if (!view?.screen || !view.form || view.pending) return null;
  const { name, screen, form } = view;
  const facts = portal.flows.facts();
  const scope = { ...facts, context };
  const { ui } = screen.validator.screen;
  const texts = [resolveHeadingText(ui, scope), ...resolveIntroParagraphs(ui, scope).map(({ text }) => text)];
  if (!texts.every((text) => hasPlaceholderValues(text, { ...facts, ...context }))) return null;
  const bar = runner.steps?.buildBar(view);
  const { manifest, language, data } = portal.page;
  const definition = JSON.stringify([screen.validator.screen, bar]);
  const read = Object.entries(context).filter(([variable]) => definition.includes(variable)); // keeps only the variables that a text or rule reads, because no others affect the form
  const key = JSON.stringify([manifest.version, language, path, name, read, form.values, facts, data]);
  const before = prerenderedForms.get(key);
  if (before) return before;
  const collected = createStyleCollector(noncePlaceholder);
  const Screen = createFluentScreen(collected.styles);
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal}>
      <StaticRouter location={path}>
        <Screen mode="static" screen={screen} form={form} context={context} facts={facts} bar={bar} />
      </StaticRouter>
    </PortalProviders>,
    { identifierPrefix: 'form' },
  );
  const page = { html: disableForm(html), styles: renderToStaticMarkup(collected.elements()) };
  prerenderedForms.set(key, page);
  const [oldest] = prerenderedForms.keys();
  if (prerenderedForms.size > maxPrerenderedForms && oldest !== undefined) prerenderedForms.delete(oldest);
  return page;
}

/**
 * Disables a form until its scripts have loaded, because the browser would submit the input in the URL. Disables
 * autocomplete, because browsers would restore the input after Back, which the form does itself.
 */
function disableForm(html: string): string {
  return html
    .replaceAll('<form ', '<form inert="" autocomplete="off" ')
    .replaceAll(/ autoComplete="[^"]*"/gi, ' autocomplete="off"');
}

enableStaticRendering(true);

const noStorage: StateStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** Blocks whose content is public and embedded in the page. */
const prerenderedBlocks: Readonly<Record<string, ComponentType<FlowBlockProps>>> = {
  landing: LandingPage,
  'faq-list': (props) => <FaqList {...props} openSearch={createFaqSearch} />,
  'faq-detail': FaqDetail,
  'static-page': StaticPage,
};

/**
 * Prerenders a page. Information and error pages are complete. Forms have their fields, which accept input. A form that
 * waits for an operation has a heading and placeholders, and a page for signed-in users has only placeholders. Calls no
 * operations, because the browser renders the page again.
 */
export const prerender: PrerenderPage = async ({ page, path, search, flow, screen }) => {
  const portal = new Portal(page, await loadPortalTexts(page.language), noStorage);
  const route = portal.definitions.resolveRoute(path) ?? portal.definitions.notFoundRoute;
  if (!route) return { html: '', styles: '', title: null, isWhole: false };
  let heading: string | null = null;
  let requestedScreen: string | undefined;
  const runner = new FlowRunner(
    flow,
    createServerServices(portal, async (id) => {
      requestedScreen = id;
      if (isSignedInRoute(route.access) || isShownAfterOperation(flow, id)) return refuseOperation();
      return openScreenModule(screen(id));
    }),
    flow.progress && (await loadJourneyStepsFactory(flow, portal.flows)),
  );
  await runner
    .arrive({ state: route.state, search, history: null, params: portal.definitions.paramsAt(path) })
    .catch(() => undefined);
  const { view, context } = runner.state;
  const Block = route.access === 'anyone' ? prerenderedBlocks[view?.state.block ?? ''] : undefined;
  const texts =
    requestedScreen === undefined || isShownAfterOperation(flow, requestedScreen) ? null : screen(requestedScreen);
  const shown = texts && describeScreen(texts.screen, { ...portal.flows.facts(), context });
  const staticScreen =
    view?.screen && texts?.screen.fields.length === 0 && route.access === 'anyone'
      ? renderStaticScreen({ flow, state: route.state, screen: view.screen, context }, portal)
      : null;
  const early = prerenderForm(runner, portal, buildHref(path));
  const { links, places, ...waiting } = shown ?? { links: [], places: null };
  const content = Block ? (
    <Block runner={runner} />
  ) : (
    (staticScreen ?? (
      <>
        <noscript>
          <p className="problems" role="alert">
            {portal.t(places ? 'needsScript' : 'needsScript.page')}
          </p>
        </noscript>
        {early ? (
          formPlaceholder
        ) : (
          <LoadingPlaceholder text={portal.t('loading')} fields={places ? 0 : undefined} {...waiting}>
            {places && <ScreenPlaceholder places={places} />}
            {links.length > 0 && <Links links={links} />}
          </LoadingPlaceholder>
        )}
        <p className="stalled">
          {portal.t('stalled')} <a href={buildHref(path) + search}>{portal.t('reload')}</a>{' '}
          <PortalLink to={pagePaths.contact}>{portal.t('contact')}</PortalLink>
        </p>
      </>
    ))
  );
  const engine = { titled: (title: string) => (heading = portal.engine.titled(title)) };
  const html = renderToStaticMarkup(
    <PortalProviders portal={portal} engine={engine}>
      <StaticRouter location={buildHref(path) + search}>
        <Chrome route={route} runner={runner}>
          {content}
        </Chrome>
      </StaticRouter>
    </PortalProviders>,
  );
  return {
    html: early ? html.replace(formPlaceholder, () => early.html) : html,
    styles: early?.styles ?? '',
    title: heading ?? (shown?.title == null ? null : portal.engine.titled(shown.title)),
    isWhole:
      !early &&
      !html.includes(loadingScreenClass) &&
      findPageRedirect(route, { pathname: buildHref(path), search }, false, portal) === null,
  };
};

const formPlaceholder = '__FORM__';

/** The operation may select another state, so that the prerendered heading could be wrong. */
function isShownAfterOperation({ states }: Flow, screen: string): boolean {
  return Object.values(states).some((state) => state.screen === screen && isRenderedAfterOperation(state));
}

function Chrome({ route, runner, children }: { route: PageRoute; runner: FlowRunner; children: ReactNode }) {
  return <PageShell chrome={usePageChrome(route, runner)}>{children}</PageShell>;
}

/** Number of field placeholders of a section, and its title if it has one. */
interface FieldPlaceholders {
  readonly title: string | null;
  readonly fields: number;
}

function ScreenPlaceholder({ places }: { places: readonly FieldPlaceholders[] }) {
  return places.map(({ title, fields }) => (
    <Fragment key={title}>
      {title !== null && <p className="section-place">{title}</p>}
      {Array.from({ length: fields }, (_, index) => (
        <div key={index} className="skeleton skeleton-field" />
      ))}
    </Fragment>
  ));
}

function Links({ links }: Pick<ReturnType<typeof describeScreen>, 'links'>) {
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

/** Returns the texts and links of a screen that do not depend on values of the browser. `to` is `null` for a link that requires the script. */
function describeScreen({ ui, fields }: CompiledScreen, scope: ValuesByName) {
  const isKnownText = (text: string): boolean => hasPlaceholderValues(text, scope);
  const fillText = (text: string): string => preventLineBreaks(fillPlaceholders(text, scope));
  const isShown = ({ title: name, visible }: ScreenSection): boolean =>
    isKnownText(name) && isRuleTrue(visible, { ...scope, form: {} });
  const title = resolveHeadingText(ui, scope);
  return {
    title: isKnownText(title) ? fillText(title) : null,
    intro: resolveIntroParagraphs(ui, scope)
      .map(({ text }) => text)
      .filter(isKnownText)
      .map((text) => preventLineBreaksInProse(fillText(text))),
    places: fields.length === 0 ? null : listSections(ui, fields.length, isShown),
    links: (ui.links ?? [])
      .filter(({ visible, text }) => isRuleTrue(visible, scope) && isKnownText(text))
      .map(({ text, to = '', event }) => ({
        text: fillText(text),
        to: event === undefined && to.startsWith('/') && isKnownText(to) ? fillText(to) : null,
      })),
  };
}

/** Maximum number of field placeholders. More would push the footer down. */
const maxFieldPlaceholders = 5;

function listSections(
  { sections = [] }: ScreenUi,
  fields: number,
  isShown: (section: ScreenSection) => boolean,
): readonly FieldPlaceholders[] {
  const within = sections.filter(isShown).map(({ title, fields: { length } }) => ({ title, fields: length }));
  const loose = fields - sections.flatMap((section) => section.fields).length;
  let remainingFields = maxFieldPlaceholders;
  return [...within, { title: null, fields: loose }].flatMap((place) => {
    const shown = Math.min(place.fields, remainingFields);
    remainingFields -= shown;
    return shown > 0 ? [{ ...place, fields: shown }] : [];
  });
}

/** Guards are evaluated, operations fail, and side effects are ignored. */
function createServerServices({ flows }: Portal, loadScreen: FlowServices['loadScreen']): FlowServices {
  const nothing = (): void => undefined;
  return {
    ...flows,
    loadScreen,
    refresh: refuseOperation,
    invoke: refuseOperation,
    remember: nothing,
    navigate: nothing,
    goBack: nothing,
    leave: nothing,
  };
}

function refuseOperation(): Promise<never> {
  return Promise.reject(new Error('The server only prerenders.'));
}
