import { useSyncExternalStore, type ReactNode } from 'react';
import { Crash } from './crash.tsx';
import { usePortal } from './portal-context.ts';
import { PortalLink } from './portal-link.tsx';
import { onSession, seemsSignedIn } from './session-hint.ts';
import { addresses } from './addresses.ts';

/** Header, main and footer around every screen; a screen may ask for none of them. */
export function Shell({ chrome, children }: { chrome: 'full' | 'none'; children: ReactNode }) {
  const portal = usePortal();
  const { problems = [], config } = portal.page;
  const main = (
    <main id="contenido" tabIndex={-1}>
      {problems.length > 0 && (
        <section className="problems" role="alert">
          <h2>{portal.say('problems')}</h2>
          <ul>{problems.map((problem) => <li key={problem}><code>{problem}</code></li>)}</ul>
        </section>
      )}
      <Crash text={portal.say('crashed')} reload={portal.say('reload')}>{children}</Crash>
    </main>
  );
  if (chrome === 'none') return main;
  return (
    <>
      <a className="skip" href="#contenido">{portal.say('skip')}</a>
      {config.flags.cabezal && <Header />}
      {main}
      <footer className="footer" aria-label={portal.say('footer')}>
        <p>{config.brand.product} · {config.brand.country}</p>
      </footer>
    </>
  );
}

function Header() {
  const portal = usePortal();
  const signedIn = useSyncExternalStore(onSession, seemsSignedIn);
  const links = signedIn
    ? [{ to: addresses.security, text: portal.say('security') }, ...(portal.page.config.flags.cierre_de_sesion ? [{ to: addresses.logout, text: portal.say('logout') }] : [])]
    : [{ to: addresses.login, text: portal.say('login') }, { to: addresses.register, text: portal.say('register') }];
  return (
    <header className="header">
      <PortalLink to={addresses.home} className="brand">{portal.page.config.brand.product}</PortalLink>
      <nav aria-label={portal.say('menu')}>
        <ul>{links.map(({ to, text }) => <li key={to}><PortalLink to={to}>{text}</PortalLink></li>)}</ul>
      </nav>
    </header>
  );
}
