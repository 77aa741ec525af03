import type { ReactNode } from 'react';
import type { PortalStore } from '../../domain/root-store.ts';
import { getServerTime } from '../session/server-clock.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';

type User = NonNullable<PortalStore['user']>;

export function AccountAlerts({ user, foreign }: { user: User; foreign: boolean }) {
  const { t } = usePortal();
  const waiting = user.email_por_validar?.email ?? '';
  return (
    <>
      {user.bloqueado && (
        <Alert intent="error">
          {t('seguridad.alert.blocked')} <PortalLink to={pagePaths.contact}>{t('contact')}</PortalLink>
        </Alert>
      )}
      {user.restricted && !user.segundo_factor_pendiente && (
        <Alert intent="warning">{t('seguridad.alert.restricted')}</Alert>
      )}
      {user.restricted && user.segundo_factor_pendiente && (
        <Alert intent="warning">
          {t('seguridad.alert.proofing')} <PortalLink to={pagePaths.bookSupport}>{t('home.support')}</PortalLink>
        </Alert>
      )}
      {user.user.email === null && waiting === '' && (
        <Alert intent="warning">
          {t(foreign ? 'seguridad.alert.noAccount' : 'seguridad.alert.incomplete')}{' '}
          <PortalLink to={pagePaths.register}>{t('seguridad.complete')}</PortalLink>
        </Alert>
      )}
      {waiting !== '' && (
        <Alert intent="warning">
          {t(user.email_validado ? 'seguridad.alert.pending' : 'seguridad.alert.inactive', { email: waiting })}{' '}
          <PortalLink to={pagePaths.resendValidation}>{t('seguridad.alert.validate')}</PortalLink>
        </Alert>
      )}
      {user.info_tramite_videollamada_pendiente?.warns(getServerTime()) && (
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
