import type { ReactNode } from 'react';
import type { PortalStore } from '../../domain/root-store.ts';
import { now } from '../session/clock.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';

type User = NonNullable<PortalStore['user']>;

export function Alerts({ user, foreign }: { user: User; foreign: boolean }) {
  const { t } = usePortal();
  const waiting = user.email_por_validar?.email ?? '';
  return (
    <>
      {user.bloqueado && (
        <Alert intent="error">
          {t('seguridad.alert.blocked')} <PortalLink to={pages.contact}>{t('contact')}</PortalLink>
        </Alert>
      )}
      {user.restricted && !user.segundo_factor_pendiente && (
        <Alert intent="warning">{t('seguridad.alert.restricted')}</Alert>
      )}
      {user.restricted && user.segundo_factor_pendiente && (
        <Alert intent="warning">
          {t('seguridad.alert.proofing')} <PortalLink to={pages.bookSupport}>{t('home.support')}</PortalLink>
        </Alert>
      )}
      {user.user.email === null && waiting === '' && (
        <Alert intent="warning">
          {t(foreign ? 'seguridad.alert.noAccount' : 'seguridad.alert.incomplete')}{' '}
          <PortalLink to={pages.register}>{t('seguridad.complete')}</PortalLink>
        </Alert>
      )}
      {waiting !== '' && (
        <Alert intent="warning">
          {t(user.email_validado ? 'seguridad.alert.pending' : 'seguridad.alert.inactive', { email: waiting })}{' '}
          <PortalLink to={pages.resendValidation}>{t('seguridad.alert.validate')}</PortalLink>
        </Alert>
      )}
      {user.info_tramite_videollamada_pendiente?.warns(now()) && (
        <Alert intent="warning">{t('seguridad.alert.rejected')}</Alert>
      )}
    </>
  );
}

function Alert({ intent, children }: { intent: 'error' | 'warning'; children: ReactNode }) {
  return (
    <div className="notice" data-intent={intent} role={intent === 'error' ? 'alert' : 'status'}>
      <p>{children}</p>
    </div>
  );
}
