import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import mark from '../brand/mark.svg';
import type { DeskAction } from '../contract/desk.ts';
import type { Answer } from '../contract/contract.ts';
import { deskPages, pages } from '../contract/pages.ts';
import { LoadError } from '../engine/react/flow/failed.tsx';
import { usePortal } from '../portal/portal-context.ts';
import { SessionNotices } from '../portal/session/idle-warning.tsx';
import { Crash } from '../portal/shell/crash.tsx';
import { PortalLink } from '../portal/shell/portal-link.tsx';
import { deskText } from './texts.ts';

const parts: readonly (readonly [action: DeskAction, path: string])[] = [
  ['videollamadas', deskPages.day],
  ['cuentas', deskPages.accounts],
  ['horarios', deskPages.hours],
  ['mensajes', deskPages.messages],
  ['cifras', deskPages.figures],
];

export function DeskShell({ desk, children }: { desk: Answer<'getDesk'> | null; children: ReactNode }) {
  const { t, page } = usePortal();
  const { key, pathname } = useLocation();
  const mine = parts.filter(([action]) => desk?.permisos.includes(action));
  const here = [...mine].reverse().find(([, path]) => pathname === path || pathname.startsWith(`${path}/`));
  return (
    <>
      <a className="skip" href="#contenido">
        {t('skip')}
      </a>
      <header className="desk-header">
        <PortalLink to={deskPages.day} className="brand">
          <img src={mark} alt="" width={32} height={32} />
          {page.config.brand.product} · {deskText('desk')}
        </PortalLink>
        <nav aria-label={deskText('menu')}>
          <ul className="desk-menu">
            {mine.map((part) => (
              <li key={part[1]}>
                <Link to={part[1]} aria-current={part === here ? 'page' : undefined}>
                  {deskText(part[0])}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className="desk-who">
          {desk?.nombre}
          <a href={pages.logout}>{deskText('exit')}</a>
        </p>
      </header>
      <main id="contenido" tabIndex={-1} className="desk-main">
        <SessionNotices />
        <Crash at={key} fallback={<LoadError text={t('crashed')} />}>
          {children}
        </Crash>
      </main>
    </>
  );
}
