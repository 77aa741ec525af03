import { useEffect, useMemo, useState, type ReactNode, type MouseEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { EngineProvider, useEngine } from '../../engine/react/engine-context.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import { SearchForm } from '../../engine/react/flow/search-form.tsx';
import { lazyComponent } from '../../engine/react/lazy-component.tsx';
import { CrashBoundary, DefinitionProblems } from './crash-boundary.tsx';
import { loadModule } from '../navigation/load-module.ts';
import { usePortal } from '../portal-context.ts';
import { subscribeToSession, isProbablySignedIn } from '../session/session-hint.ts';
import { languages, type Language } from '../../contract/portal-config.ts';
import { decodePath, href } from '../../contract/href.ts';
import { pages } from '../../contract/pages.ts';
import { PortalLink } from './portal-link.tsx';
import mark from '../../brand/mark.svg';
import { useSignedIn } from '../session/use-store.ts';

const switchId = 'languages';

function Footer() {
  const {
    t,
    page: { config },
  } = usePortal();
  const { pathname } = useLocation();
  const sendFeedback = (useful: 'si' | 'no') => href(pages.feedback, { util: useful, pagina: decodePath(pathname) });
  const links = [
    ...(config.flags.ayuda
      ? [
          { to: pages.contact, text: t('contact') },
          { to: pages.help, text: t('help') },
        ]
      : []),
    { to: pages.about, text: t('about') },
    { to: pages.terms, text: t('terms') },
    { to: pages.privacy, text: t('privacy') },
    { to: pages.accessibility, text: t('accessibility') },
    { to: pages.authentic, text: t('authentic') },
  ];
  return (
    <footer className="footer" aria-label={t('footer')}>
      <Popover id="footer-more" text={t('footerMenu')} className="footer-more">
        {pathname !== pages.feedback && (
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
              <li key={to} className={to === pages.authentic ? 'footer-extra' : undefined}>
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
  const {
    page: {
      config: {
        brand: {
          product,
          country,
          institution: { name, url },
        },
      },
    },
  } = usePortal();
  return (
    <p>
      <span className="footer-extra">
        {product} · {country}
        {name !== '' && ' · '}
      </span>
      {url === '' ? name : <a href={url}>{name}</a>}
    </p>
  );
}

/**
 * Switches the language without a reload, so that the input remains. Without scripts or after a failure, the link loads
 * the page in the other language.
 */
function LanguageSwitch() {
  const portal = usePortal();
  const { t, page } = portal;
  const { pathname, search } = useLocation();
  const others = languages.filter((language) => language !== page.language);
  const choose = (event: MouseEvent<HTMLAnchorElement>, language: Language) => {
    event.preventDefault();
    const address = event.currentTarget.href;
    portal.speak(language).then(focusSwitch, () => window.location.assign(address));
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
  const part = await loadModule(() => import('../session/idle-warning.tsx')).catch(() => null);
  return part?.SessionNotices ?? (() => null); // without the module, the page works, and the session ends without a warning
});

export function Shell({ chrome, children }: { chrome: 'full' | 'none'; children: ReactNode }) {
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
      {config.flags.cabezal && <Header />}
      {main}
      <Footer />
    </>
  );
}

/** Help below an error message: a search of the help pages and, if `links` is set, links to the main pages. */
function ErrorHelp({ links = false }: { readonly links?: boolean }) {
  const { t, page } = usePortal();
  const signedIn = useSignedIn();
  const hasHelp = page.config.flags.ayuda;
  const main = [
    { to: pages.home, text: t('home') },
    signedIn ? { to: pages.security, text: t('security') } : { to: pages.login, text: t('login') },
    ...(hasHelp ? [{ to: pages.contact, text: t('contact') }] : []),
  ];
  if (!hasHelp && !links) return null;
  return (
    <>
      {hasHelp && <SearchForm to={pages.help} name="busqueda" label={t('help.search')} />}
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
    return subscribeToSession(look);
  }, []);
  return needed && <SessionNotices />;
}

export function Header() {
  const {
    t,
    prerendering,
    page: { config },
  } = usePortal();
  const signedIn = useSignedIn();
  const links = signedIn
    ? [
        { to: pages.security, text: t('security') },
        ...(config.flags.cierre_de_sesion ? [{ to: pages.logout, text: t('logout') }] : []),
      ]
    : [
        { to: pages.login, text: t('login') },
        { to: pages.register, text: t('register') },
      ];
  return (
    <header>
      <OfficialStrip />
      <div className="header">
        <PortalLink to={pages.home} className="brand">
          <img src={mark} alt="" width={32} height={32} />
          {config.brand.product}
        </PortalLink>
        <nav aria-label={t('menu')} className={prerendering ? 'header-unknown' : undefined}>
          <Popover id="menu" text={t('menu.open')} className="menu">
            <ul>
              {links.map(({ to, text }) => (
                <li key={to}>
                  <PortalLink to={to}>{text}</PortalLink>
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

/**
 * Popover on phones, which works before scripts have loaded. Closes after a navigation. On wide pages, CSS shows its
 * content in place.
 */
function Popover({ id, text, className, children }: PopoverProps) {
  const own = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    // A supported browser may lack popovers. The `:popover-open` selector would throw there, and the content is always
    // visible.
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
  const {
    t,
    page: {
      config: { brand },
    },
  } = usePortal();
  return (
    <details className="strip">
      <summary>
        {t('strip.official', { country: brand.country })} <span className="strip-how">{t('strip.how')}</span>
      </summary>
      <p>
        {t('strip.text', { domain: brand.domain, product: brand.product })}{' '}
        <PortalLink to={pages.authentic}>{t('strip.more')}</PortalLink>
      </p>
    </details>
  );
}
