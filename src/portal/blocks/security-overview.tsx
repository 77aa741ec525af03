import { observer } from 'mobx-react-lite';
import type { Store } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../portal-link.tsx';
import { formatMoment } from '../dates.ts';
import { addresses } from '../addresses.ts';
import { useStore } from '../use-store.ts';
import { useTitle } from '../use-title.ts';

/** /seguridad: who is signed in, at what level. The guard around it has loaded the record. */
export function Block() {
  const store = useStore();
  useTitle(usePortal().say('seguridad.title'));
  return store && <Overview store={store} />;
}

const Overview = observer(function Overview({ store }: { store: Store }) {
  const { say } = usePortal();
  const { user } = store;
  if (!user) return <p role="alert" className="screen">{say('seguridad.failed')}</p>;
  const facts = [
    [say('seguridad.level'), say(user.level === 'intermediate' ? 'seguridad.intermediate' : 'seguridad.basic')],
    [say('seguridad.document'), `${user.documento.tipo_documento.nombre} ${user.numero_documento}, ${user.documento.pais_emisor.nombre}`],
    ...(user.user.email === null ? [] : [[say('seguridad.email'), user.user.email]]),
    ...(user.ultimo_login === null ? [] : [[say('seguridad.lastLogin'), formatMoment(user.ultimo_login)]]),
  ];
  return (
    <section className="screen overview" aria-labelledby="overview-title">
      <h1 id="overview-title" tabIndex={-1}>{say('seguridad.title')}</h1>
      <p className="overview-hello">{say('seguridad.hello', { name: user.nombre_completo })}</p>
      {user.bloqueado && <p className="notice" data-intent="error" role="alert">{say('seguridad.blocked')}</p>}
      {user.restricted && <p className="notice" data-intent="warning" role="status">{say('seguridad.restricted')}</p>}
      {user.user.email === null && (
        <p className="notice" data-intent="warning" role="status">{say('seguridad.pending')} <PortalLink to={addresses.register}>{say('seguridad.complete')}</PortalLink></p>
      )}
      <dl>{facts.map(([term, detail]) => <div key={term}><dt>{term}</dt><dd>{detail}</dd></div>)}</dl>
    </section>
  );
});
