import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { Store } from '../../domain/root-store.ts';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { PanelLoad } from './panel-load.tsx';
import { Section } from './section.tsx';

export const Activity = observer(function Activity({ store, runner }: { store: Store; runner: FlowRunner }) {
  const { t } = usePortal();
  const [open, setOpen] = useState(false);
  const { user, actions } = store;
  const toggle = () => {
    if (!open) void runner.raise('actions');
    setOpen(!open);
  };
  return (
    <Section
      title={t('seguridad.activity')}
      action={
        <button type="button" className="button button-small" aria-expanded={open} onClick={toggle}>
          {t(open ? 'seguridad.actions.hide' : 'seguridad.actions.show')}
        </button>
      }
    >
      {user?.ultimo_login != null && (
        <p>
          {t('seguridad.lastLogin')}: {formatMoment(user.ultimo_login)}
        </p>
      )}
      {open && actions === null && (
        <PanelLoad store={store} call="getActions" onRetry={() => void runner.raise('actions')} />
      )}
      {open &&
        actions !== null &&
        (actions.length === 0 ? (
          <p>{t('seguridad.actions.none')}</p>
        ) : (
          <ul className="actions-list">
            {actions.map(({ id, timestamp_access: when, descripcion, responsable, dispositivo, red }) => (
              <li key={id}>
                <strong>{descripcion}</strong>
                <span>
                  {[formatMoment(when), responsable, dispositivo, red].filter((part) => part !== null).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        ))}
      <ul className="rows">
        <li>
          <PortalLink to={pages.sessions}>{t('seguridad.more.sessions')}</PortalLink>
        </li>
      </ul>
    </Section>
  );
});
