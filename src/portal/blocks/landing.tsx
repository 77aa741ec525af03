import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../portal-link.tsx';
import { addresses } from '../addresses.ts';
import { useTitle } from '../use-title.ts';

/** The first page of the portal. */
export function Block() {
  const { say } = usePortal();
  useTitle(say('landing.title'));
  return (
    <section className="landing">
      <h1>{say('landing.title')}</h1>
      <p className="landing-intro">{say('landing.intro')}</p>
      <p className="landing-actions">
        <PortalLink className="button button-primary" to={addresses.login}>{say('landing.login')}</PortalLink>
        <PortalLink className="button" to={addresses.register}>{say('landing.register')}</PortalLink>
      </p>
      <h2>{say('landing.benefits')}</h2>
      <ul className="landing-benefits">
        {(['landing.benefit.one', 'landing.benefit.two', 'landing.benefit.three'] as const).map((key) => <li key={key}>{say(key)}</li>)}
      </ul>
    </section>
  );
}
