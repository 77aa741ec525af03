import { observer } from 'mobx-react-lite';
import type { Store } from '../../domain/root-store.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { usePortal } from '../portal-context.ts';
import { PanelLoad } from './panel-load.tsx';
import { Section } from './section.tsx';

export const Applications = observer(function Applications({ store, runner }: { store: Store; runner: FlowRunner }) {
  const { t } = usePortal();
  const { applications } = store;
  return (
    <Section title={t('seguridad.apps')}>
      {applications === null && (
        <PanelLoad store={store} call="getApplications" onRetry={() => void store.perform('getApplications')} />
      )}
      {applications?.length === 0 && <p>{t('seguridad.apps.none')}</p>}
      {applications !== null && applications.length > 0 && (
        <ul className="applications">
          {applications.map(({ id, client, scopes, date_given: given }) => (
            <li key={id}>
              {client.logo !== null && <img src={client.logo} alt="" width={40} height={40} />}
              <div>
                <h3>{client.name}</h3>
                {scopes.length > 0 && (
                  <p>{t('seguridad.apps.scopes', { names: scopes.map(({ name }) => name).join(', ') })}</p>
                )}
                <p>{t('seguridad.apps.since', { date: formatMoment(given) })}</p>
              </div>
              <button
                type="button"
                className="button button-small"
                aria-label={t('seguridad.apps.revokeOf', { name: client.name })}
                onClick={() => void runner.raise('revoke', { id, name: client.name })}
              >
                {t('seguridad.apps.revoke')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
});
