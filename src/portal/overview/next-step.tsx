import type { PortalStore } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { OverviewSection, OperationLink } from './overview-section.tsx';
import type { OperationName } from '../../contract/contract.ts';
import type { PortalConfig } from '../../contract/portal-config.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import type { PortalTextKey } from '../portal-texts.ts';
import { portalConstants } from '../../contract/constants.ts';

type User = NonNullable<PortalStore['user']>;

interface NextStep {
  readonly title: PortalTextKey;
  readonly text: PortalTextKey;
  readonly action: PortalTextKey;
  readonly to: string;
  readonly operation: OperationName;
}

const secondFactor: NextStep = {
  title: 'seguridad.first.mfa',
  text: 'seguridad.first.mfa.text',
  action: 'seguridad.first.mfa.action',
  to: pagePaths.secondFactor,
  operation: 'createTotp',
};
const level = { title: 'seguridad.first.level', text: 'seguridad.first.level.text' } as const;
const callStep: NextStep = {
  ...level,
  action: 'seguridad.first.level.byCall',
  to: pagePaths.elevation,
  operation: 'bookElevation',
};
const signatureStep: NextStep = {
  ...level,
  action: 'seguridad.first.level.bySignature',
  to: pagePaths.signature,
  operation: 'requestSignature',
};

/** Returns the most urgent step. Omits the second factor until its status has loaded. */
export function findNextAccountStep(store: PortalStore, user: User, config: PortalConfig): NextStep | undefined {
  if (store.mfa !== null && !store.mfa.estado.activado) return secondFactor;
  return user.level === 'basic' && !user.raisesByCall ? findElevationStep(store, user, config) : undefined;
}

function findElevationStep(store: PortalStore, user: User, config: PortalConfig): NextStep | undefined {
  const ways = listElevationMethods(store, user, config);
  return [...(ways.call ? [callStep] : []), ...(ways.signature ? [signatureStep] : [])].find(
    ({ operation }) => store.explainOperationRefusal(operation, config.flags) === null,
  );
}

interface NextStepProps {
  readonly step: NextStep;
  readonly store: PortalStore;
  readonly look: 'primary' | 'button';
}

export function NextStepSection({ step, store, look }: NextStepProps) {
  const { t } = usePortal();
  return (
    <OverviewSection title={t('home.next')}>
      <div className="row">
        <div>
          <h3>{t(step.title)}</h3>
          <p>{t(step.text)}</p>
        </div>
        <OperationLink to={step.to} store={store} call={step.operation} look={look}>
          {t(step.action)}
        </OperationLink>
      </div>
    </OverviewSection>
  );
}

/**
 * Returns the methods with which the citizen can raise the assurance level: digital signature and video call. A call
 * requires a Uruguayan document, a session as a citizen, a permission, and no pending call. Restricted citizens get the
 * methods too, because their restriction is temporary.
 */
export function listElevationMethods(
  store: PortalStore,
  user: NonNullable<PortalStore['user']>,
  { digitalSignature, flags }: Pick<PortalConfig, 'digitalSignature' | 'flags'>,
) {
  return {
    signature: digitalSignature,
    call:
      user.documento.pais_emisor.codigo === portalConstants.defaultCountry &&
      !user.raisesByCall &&
      !['role', 'permission'].includes(store.explainOperationRefusal('bookElevation', flags) ?? ''),
  };
}
