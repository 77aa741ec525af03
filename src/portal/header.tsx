import { addresses } from './addresses.ts';
import { usePortal } from './portal-context.ts';
import { PortalLink } from './portal-link.tsx';
import { useSignedIn } from './use-signed-in.ts';

/** The product's name, and the ways in or, once signed in, to the account and out. */
export function Header() {
  const { say, painting, page: { config } } = usePortal();
  const signedIn = useSignedIn();
  const links = signedIn
    ? [{ to: addresses.security, text: say('security') }, ...(config.flags.cierre_de_sesion ? [{ to: addresses.logout, text: say('logout') }] : [])]
    : [{ to: addresses.login, text: say('login') }, { to: addresses.register, text: say('register') }];
  return (
    <header className="header">
      <PortalLink to={addresses.home} className="brand">{config.brand.product}</PortalLink>
      <nav aria-label={say('menu')} className={painting ? 'header-unknown' : undefined}>
        <ul>{links.map(({ to, text }) => <li key={to}><PortalLink to={to}>{text}</PortalLink></li>)}</ul>
      </nav>
    </header>
  );
}
