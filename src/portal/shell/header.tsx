import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import mark from '../../brand/mark.svg';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from './portal-link.tsx';
import { useSignedIn } from '../session/use-store.ts';

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
          <Menu text={t('menu.open')}>
            {links.map(({ to, text }) => (
              <li key={to}>
                <PortalLink to={to}>{text}</PortalLink>
              </li>
            ))}
          </Menu>
        </nav>
      </div>
    </header>
  );
}

/** A popover, which works before any script has loaded. Navigation closes it. */
function Menu({ text, children }: { text: string; children: ReactNode }) {
  const list = useRef<HTMLUListElement>(null);
  const { key } = useLocation();
  useEffect(() => {
    // A supported browser may lack popovers. There the selector throws, and the list is always open.
    if ('popover' in HTMLElement.prototype && list.current?.matches(':popover-open')) list.current.hidePopover();
  }, [key]);
  return (
    <>
      <button type="button" className="menu-button" popoverTarget="menu">
        {text}
      </button>
      <ul ref={list} id="menu" className="menu" popover="auto">
        {children}
      </ul>
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
  if (brand.domain === '') return null;
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
