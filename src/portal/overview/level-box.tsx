import type { Store } from '../../domain/root-store.ts';
import { addresses } from '../addresses.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../portal-link.tsx';
import { Section, Way } from './section.tsx';

/** The level of the account with its source, or the ways to the next one (sections 4.1 and 6). */
export function LevelBox({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const { say, page: { config } } = usePortal();
  return (
    <Section title={say('seguridad.level')}>
      <p className="level" data-level={user.level}>{say(`seguridad.${user.level}`)}</p>
      {user.level === 'intermediate' ? (
        <p>
          {say('seguridad.level.source', { source: say(`seguridad.level.${user.levelSource}`) })}
          {user.firma_validada && <> · <PortalLink to={user.firma_validada}>{say('seguridad.level.signed')}</PortalLink></>}
        </p>
      ) : (
        <>
          <p>{say('seguridad.level.raise')}</p>
          <ul className="ways">
            {config.digitalSignature && <li><Way to={addresses.signature} store={store} call="requestSignature">{say('seguridad.level.bySignature')}</Way></li>}
            <li>{say('seguridad.level.inPerson')}</li>
          </ul>
        </>
      )}
    </Section>
  );
}
