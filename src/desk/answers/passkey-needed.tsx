import { pages } from '../../contract/pages.ts';
import { usePortal } from '../../portal/portal-context.ts';
import { useTitle } from '../../portal/shell/use-title.ts';
import { deskText } from '../texts.ts';

export function PasskeyNeeded({ text }: { text: string }) {
  const { page } = usePortal();
  const title = deskText('passkey.title');
  useTitle(title);
  return (
    <section className="screen" aria-labelledby="desk-passkey">
      <h1 id="desk-passkey" tabIndex={-1}>
        {title}
      </h1>
      <p>{text}</p>
      <div className="screen-actions">
        <a href={pages.logout} className="button button-primary">
          {deskText('passkey.exit')}
        </a>
        {page.config.agentsHost === '' && (
          <a href={pages.passkeys} className="button">
            {deskText('passkey.account')}
          </a>
        )}
      </div>
    </section>
  );
}
