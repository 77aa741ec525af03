import { observer } from 'mobx-react-lite';
import type { OperationName } from '../../contract/contract.ts';
import type { Store } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import { formatMoment } from '../shell/dates.ts';
import { usePortal } from '../portal-context.ts';
import { PanelLoad } from './panel-load.tsx';
import { Fact, Section, Way } from './section.tsx';

/** Document, password, e-mail and phone, each with its change. */
export function Credentials({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const {
    t,
    page: {
      config: { flags },
    },
  } = usePortal();
  const { ultimo_cambio_contrasena: changed } = user;
  const change = (to: string, name: string, call: OperationName) => (
    <Way to={to} name={name} store={store} call={call}>
      {t('seguridad.change')}
    </Way>
  );
  return (
    <Section title={t('seguridad.account')}>
      <dl>
        <Fact term={t('seguridad.document')}>
          {user.documento.tipo_documento.nombre} {user.numero_documento}, {user.documento.pais_emisor.nombre}
        </Fact>
        {flags.contrasena && (
          <Fact
            term={t('seguridad.password')}
            action={change(pages.changePassword, t('seguridad.password'), 'updatePassword')}
          >
            {changed === null
              ? t('seguridad.passwordNever')
              : t('seguridad.passwordSince', { date: formatMoment(changed) })}
          </Fact>
        )}
        <Fact term={t('seguridad.email')} action={change(pages.changeEmail, t('seguridad.email'), 'updateEmail')}>
          {user.user.email ?? t('seguridad.none')}
        </Fact>
        {flags.telefono_autogestion && (
          <Fact term={t('seguridad.phone')} action={change(pages.changePhone, t('seguridad.phone'), 'updatePhone')}>
            {user.numero_telefono ?? t('seguridad.none')}
          </Fact>
        )}
      </dl>
    </Section>
  );
}

/** Whether there is a second factor, by which methods, and the way to manage them. */
export const SecondFactor = observer(function SecondFactor({ store }: { store: Store }) {
  const { t } = usePortal();
  const { mfa } = store;
  const linked = (method: unknown) => t(method ? 'seguridad.mfa.linked' : 'seguridad.mfa.unlinked');
  return (
    <Section title={t('seguridad.mfa')}>
      {mfa === null ? (
        <PanelLoad store={store} call="getMfaStatus" onRetry={() => void store.loadOverview()} />
      ) : (
        <>
          <p className="level" data-level={mfa.estado.activado ? 'on' : 'off'}>
            {t(mfa.estado.activado ? 'seguridad.mfa.on' : 'seguridad.mfa.off')}
          </p>
          <dl>
            <Fact term={t('seguridad.mfa.email')}>{linked(mfa.methods.email)}</Fact>
            <Fact term={t('seguridad.mfa.app')}>{linked(mfa.methods.totp)}</Fact>
          </dl>
        </>
      )}
      <Way to={pages.secondFactor} store={store} call="createTotp">
        {t('seguridad.mfa.manage')}
      </Way>
    </Section>
  );
});
