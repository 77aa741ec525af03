import { observer } from 'mobx-react-lite';
import type { Store } from '../../domain/root-store.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { usePortal } from '../portal-context.ts';
import { Section } from './section.tsx';

export const LinkedProviders = observer(function LinkedProviders({
  store,
  runner,
}: {
  store: Store;
  runner: FlowRunner;
}) {
  const { t } = usePortal();
  if (store.linked === null || store.linked.length === 0) return null;
  return (
    <Section title={t('seguridad.linked')}>
      <ul className="applications">
        {store.linked.map(({ identificador, nombre, desde }) => (
          <li key={identificador}>
            <div>
              <h3>{nombre}</h3>
              <p>{t('seguridad.apps.since', { date: formatMoment(desde) })}</p>
            </div>
            <button
              type="button"
              className="button button-small"
              aria-label={t('seguridad.linked.unlinkOf', { name: nombre })}
              onClick={() => void runner.raise('unlink', { id: identificador, name: nombre })}
            >
              {t('seguridad.linked.unlink')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
});
