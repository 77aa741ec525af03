import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import { formatShortDateTime } from '../../contract/format/dates.ts';
import { preventLineBreaks } from '../../engine/core/messages.ts';
import { usePortal } from '../portal-context.ts';
import { PanelLoadStatus, OverviewFact, OverviewSection, OperationLink } from './overview-section.tsx';

export function CredentialsSection({ store, user }: { store: PortalStore; user: NonNullable<PortalStore['user']> }) {
  const { t, config } = usePortal();
  const { flags } = config;
  const { ultimo_cambio_contrasena: changed } = user;
  const change = (to: string, name: string, call: OperationName, isThere = true) => (
    <OperationLink to={to} name={name} store={store} call={call}>
      {t(isThere ? 'seguridad.change' : 'seguridad.add')}
    </OperationLink>
  );
  const { email } = user.user;
  const confirmed = Boolean(email) && user.email_validado && user.email_por_validar === null;
  const phone = user.numero_telefono;
  return (
    <OverviewSection
      title={t('seguridad.account')}
      state={confirmed ? ['on', t('seguridad.account.on')] : ['off', t('seguridad.account.off')]}
    >
      <dl>
        {flags.contrasena && (
          <OverviewFact
            term={t('seguridad.password')}
            action={change(pagePaths.changePassword, t('seguridad.password'), 'updatePassword')}
          >
            {changed === null
              ? t('seguridad.passwordNever')
              : t('seguridad.passwordSince', { date: formatShortDateTime(changed) })}
          </OverviewFact>
        )}
        <OverviewFact
          term={t('seguridad.email')}
          action={change(pagePaths.changeEmail, t('seguridad.email'), 'updateEmail', Boolean(email))}
        >
          {email || t('seguridad.none')}
        </OverviewFact>
        {flags.telefono_autogestion && (
          <OverviewFact
            term={t('seguridad.phone')}
            action={change(pagePaths.changePhone, t('seguridad.phone'), 'updatePhone', Boolean(phone))}
          >
            {phone ? <Phone number={phone} /> : t('seguridad.none')}
          </OverviewFact>
        )}
      </dl>
    </OverviewSection>
  );
}

/** Phone number. Shown unformatted until the numbering plans have loaded, because they are large. */
function Phone({ number }: { number: string }) {
  const [written, setWritten] = useState(number);
  useEffect(() => {
    let isCurrent = true;
    import('../../contract/format/phone.ts').then(
      ({ formatPhone }) => isCurrent && setWritten(formatPhone(number)),
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [number]);
  return preventLineBreaks(written);
}

export const SecondFactorSection = observer(function SecondFactor({ store }: { store: PortalStore }) {
  const { t } = usePortal();
  const { mfa } = store;
  const on = mfa?.estado.activado === true;
  const linked = (method: unknown) => t(method ? 'seguridad.mfa.linked' : 'seguridad.mfa.unlinked');
  const title = t('seguridad.mfa');
  return (
    <OverviewSection
      title={title}
      state={mfa ? [on ? 'on' : 'off', t(on ? 'seguridad.mfa.on' : 'seguridad.mfa.off')] : undefined}
    >
      {mfa === null ? (
        <PanelLoadStatus store={store} call="getMfaStatus" onRetry={() => void store.loadOverview()} />
      ) : (
        <dl>
          <OverviewFact term={t('seguridad.mfa.email')}>{linked(mfa.methods.email)}</OverviewFact>
          <OverviewFact term={t('seguridad.mfa.app')}>{linked(mfa.methods.totp)}</OverviewFact>
        </dl>
      )}
      <ul className="rows">
        {mfa !== null && (
          <li>
            <OperationLink look="row" to={pagePaths.secondFactor} name={title} store={store} call="createTotp">
              {t('seguridad.manage')}
            </OperationLink>
          </li>
        )}
        <li>
          <OperationLink look="row" to={pagePaths.passkeys} store={store} call="createPasskey">
            {t('seguridad.more.passkeys')}
          </OperationLink>
        </li>
      </ul>
    </OverviewSection>
  );
});
