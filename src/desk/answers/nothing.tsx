import { deskPages } from '../../contract/pages.ts';
import { PortalLink } from '../../portal/shell/portal-link.tsx';
import { useTitle } from '../../portal/shell/use-title.ts';
import { deskText } from '../texts.ts';

export function Nothing() {
  const title = deskText('nothing.title');
  useTitle(title);
  return (
    <section className="screen" aria-labelledby="desk-nothing">
      <h1 id="desk-nothing" tabIndex={-1}>
        {title}
      </h1>
      <p>{deskText('nothing')}</p>
      <div className="screen-actions">
        <PortalLink to={deskPages.day} className="button button-primary">
          {deskText('call.day')}
        </PortalLink>
      </div>
    </section>
  );
}
