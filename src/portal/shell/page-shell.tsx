import { useEffect, useMemo, useState, type ReactNode, type MouseEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { EngineProvider, useEngine } from '../../engine/react/engine-context.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import { SearchForm } from './search-form.tsx';
import { lazyComponent } from '../../engine/react/lazy-component.tsx';
import { CrashBoundary, DefinitionProblems } from './crash-boundary.tsx';
import { loadModuleWithRetry } from '../navigation/load-module.ts';
import { usePortal } from '../portal-context.ts';
import { subscribeToSessionChanges, isProbablySignedIn } from '../session/session-hint.ts';
import { languages, type Language } from '../../contract/portal-config.ts';
import { decodeUrlPath, buildHref } from '../../contract/build-href.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import { PortalLink } from './portal-link.tsx';
import mark from '../../brand/mark.svg';
import { useIsSignedIn } from '../session/use-portal-store.ts';

const switchId = 'languages';

function Footer() {
  const { t, config } = usePortal();
  const { pathname } = useLocation();
  const sendFeedback = (useful: 'si' | 'no') =>
    buildHref(pagePaths.feedback, { util: useful, pagina: decodeUrlPath(pathname) });
  const links = [
    ...(config.flags.ayuda
      ? [
          { to: pagePaths.contact, text: t('contact') },
          { to: pagePaths.help, text: t('help') },
        ]
      : []),
    { to: pagePaths.about, text: t('about') },
    { to: pagePaths.terms, text: t('terms') },
    { to: pagePaths.privacy, text: t('privacy') },
    { to: pagePaths.accessibility, text: t('accessibility') },
    { to: pagePaths.authentic, text: t('authentic') },
  ];
  return (
    <footer className="footer" aria-label={t('footer')}>
      <Popover id="footer-more" text={t('footerMenu')} className="footer-more">
        {pathname !== pagePaths.feedback && (
          <div className="footer-question">
            <p id="useful">{t('useful')}</p>
            <div className="footer-answers">
              <PortalLink to={sendFeedback('si')} describedBy="useful">
                {t('yes')}
              </PortalLink>
              <PortalLink to={sendFeedback('no')} describedBy="useful">
                {t('no')}
              </PortalLink>
            </div>
          </div>
        )}
        <nav aria-label={t('footerMenu')}>
          <ul>
            {links.map(({ to, text }) => (
              <li key={to} className={to === pagePaths.authentic ? 'footer-extra' : undefined}>
                <PortalLink to={to}>{text}</PortalLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="footer-end">
          <SiteOwner />
          <LanguageSwitch />
        </div>
      </Popover>
    </footer>
  );
}

function SiteOwner() {
  const { product, country, institution } = usePortal().config.brand;
  const { name, url } = institution;
  return (
    <p className={name === '' ? 'footer-extra' : undefined}>
      <span className="footer-extra">
        {product} · {country}
        {name !== '' && ' · '}
      </span>
      {url === '' ? name : <a href={url}>{name}</a>}
    </p>
  );
}

/** Keeps the input. Without scripts or after a failure, the link loads the page in the other language. */
function LanguageSwitch() {
  const portal = usePortal();
  const { t, page } = portal;
  const { pathname, search } = useLocation();
  const others = languages.filter((language) => language !== page.language);
  const choose = (event: MouseEvent<HTMLAnchorElement>, language: Language) => {
    event.preventDefault();
    const address = event.currentTarget.href;
    portal.changeLanguage(language).then(focusSwitch, () => window.location.assign(address));
  };
  return (
    <nav id={switchId} aria-label={t('language')}>
      <ul>
        {others.map((language) => (
          <li key={language}>
            <a
              href={pathname + buildLanguageQuery(search, language)}
              lang={language}
              hrefLang={language}
              onClick={(event) => choose(event, language)}
            >
              {t(`language.${language}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function buildLanguageQuery(search: string, language: Language): string {
  const query = new URLSearchParams(search);
  query.set('lang', language);
  return `?${query}`;
}

/** Focuses the language switch again, because the change of language re-rendered the page. */
function focusSwitch(): void {
  setTimeout(() => document.querySelector<HTMLElement>(`#${switchId} a`)?.focus());
}

const SessionNotices = lazyComponent(async () => {
  const part = await loadModuleWithRetry(() => import('../session/idle-warning.tsx')).catch(() => null);
  return part?.SessionNotices ?? (() => null); // renders nothing if the module fails to load: the page works, and the session ends without a warning
});

export function PageShell({ chrome, children }: { chrome: 'full' | 'none'; children: ReactNode }) {
  const portal = usePortal();
  const { problems = [], config } = portal.page;
  const { key } = useLocation();
  const engine = useEngine();
  const services = useMemo(() => ({ ...engine, ErrorHelp }), [engine]);
  const main = (
    <main id="contenido" tabIndex={-1}>
      <EngineProvider value={services}>
        <DefinitionProblems title={portal.t('problems')} problems={problems} />
        <SessionWarning />
        <CrashBoundary at={key} fallback={<LoadError text={portal.t('crashed')} />}>
          {children}
        </CrashBoundary>
      </EngineProvider>
    </main>
  );
  if (chrome === 'none') return main;
  return (
    <>
      <a className="skip" href="#contenido">
        {portal.t('skip')}
      </a>
      {config.flags.cabezal && <PageHeader />}
      {main}
      <Footer />
    </>
  );
}

/** Help below an error message: a search of the help pages and, if `links` is set, links to the main pages. */
function ErrorHelp({ links = false }: { readonly links?: boolean }) {
  const { t, config } = usePortal();
  const signedIn = useIsSignedIn();
  const hasHelp = config.flags.ayuda;
  const main = [
    { to: pagePaths.home, text: t('home') },
    signedIn ? { to: pagePaths.security, text: t('security') } : { to: pagePaths.login, text: t('login') },
    ...(hasHelp ? [{ to: pagePaths.contact, text: t('contact') }] : []),
  ];
  if (!hasHelp && !links) return null;
  return (
    <>
      {hasHelp && (
        <SearchForm to={pagePaths.help} name="busqueda" label={t('help.search')} example={t('faq.example')} />
      )}
      {links && (
        <ul className="screen-links">
          {main.map(({ to, text }) => (
            <li key={to}>
              <PortalLink to={to}>{text}</PortalLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

// Warning before the session ends. Mounts with the first session and stays mounted, because the session may end while
// the warning is shown.
function SessionWarning() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const look = () => {
      if (isProbablySignedIn()) setNeeded(true);
    };
    look();
    return subscribeToSessionChanges(look);
  }, []);
  return needed && <SessionNotices />;
}

export function PageHeader() {
  const { t, isPrerendering: prerendering, config } = usePortal();
  const signedIn = useIsSignedIn();
  const { pathname } = useLocation();
  const links = signedIn
    ? [
        { to: pagePaths.security, text: t('security') },
        ...(config.flags.cierre_de_sesion ? [{ to: pagePaths.logout, text: t('logout') }] : []),
      ]
    : [
        { to: pagePaths.login, text: t('login') },
        { to: pagePaths.register, text: t('register') },
      ];
  return (
    <header>
      <OfficialStrip />
      <div className="header">
        <PortalLink to={pagePaths.home} className="brand">
          <img src={mark} alt="" width={32} height={32} />
          {config.brand.product}
        </PortalLink>
        <nav aria-label={t('menu')} className={prerendering ? 'header-unknown' : undefined}>
          <Popover id="menu" text={t('menu.open')} className="menu">
            <ul>
              {links.map(({ to, text }) => (
                <li key={to}>
                  <PortalLink to={to} current={to === decodeUrlPath(pathname)}>
                    {text}
                  </PortalLink>
                </li>
              ))}
            </ul>
          </Popover>
        </nav>
      </div>
    </header>
  );
}

interface PopoverProps {
  readonly id: string;
  /** Text of the button that opens the popover. */
  readonly text: string;
  readonly className: string;
  readonly children: ReactNode;
}

/** Popover on phones, which works before scripts have loaded. Closes after a navigation. On wide pages, CSS shows its content in place. */
function Popover({ id, text, className, children }: PopoverProps) {
  const own = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    // Closes the popover. A browser without popovers, which the portal supports, would throw for the selector
    // `:popover-open`; its content is always visible.
    if ('popover' in HTMLElement.prototype && own.current?.matches(':popover-open')) own.current.hidePopover();
  }, [key]);
  return (
    <>
      <button type="button" className="menu-button" popoverTarget={id}>
        {text}
      </button>
      <div ref={own} id={id} className={className} popover="auto">
        {children}
      </div>
    </>
  );
}

function OfficialStrip() {
  const { t, config } = usePortal();
  const { brand } = config;
  return (
    <details className="strip">
      <summary>
        {t('strip.official', { country: brand.country })} <span className="strip-how">{t('strip.how')}</span>
      </summary>
      <p>
        {t('strip.text', { domain: brand.domain, product: brand.product })}{' '}
        <PortalLink to={pagePaths.authentic}>{t('strip.more')}</PortalLink>
      </p>
    </details>
  );
}
