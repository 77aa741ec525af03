import { observer } from 'mobx-react-lite';
import { useEffect, useId, type ReactNode } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { useEngine } from '../../engine/react/engine-context.ts';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { ActionButton } from '../shell/block-layout.tsx';

interface PanelLoadProps {
  readonly store: PortalStore;
  readonly call: OperationName;
  readonly onRetry: () => void;
}

export const PanelLoadStatus = observer(function PanelLoad({ store, call, onRetry }: PanelLoadProps) {
  const { t } = usePortal();
  if (store.log.operations.get(call)?.state !== 'error')
    return (
      <>
        <p role="status" className="visually-hidden">
          {t('loading')}
        </p>
        <div className="skeleton skeleton-field" />
      </>
    );
  return (
    <div role="alert">
      <p>{t('seguridad.failed')}</p>
      <ActionButton look="small" text={t('retry')} onAct={onRetry} />
    </div>
  );
});

/** Whether a feature protects the account. `plain`: the feature has no effect on the protection. */
type ProtectionState = 'on' | 'off' | 'plain';

/** Anchor of the section with the applications that have access to the citizen's data. */
export const applicationsAnchor = 'aplicaciones';

interface SectionProps {
  /** Anchor of the heading in links. */
  readonly anchor?: string;
  readonly title: string;
  readonly state?: readonly [ProtectionState, string] | undefined;
  readonly children?: ReactNode;
}

export function OverviewSection({ anchor, title, state, children }: SectionProps) {
  const ownId = useId();
  const id = anchor ?? ownId;
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} tabIndex={anchor === undefined ? undefined : -1}>
          {title}
        </h2>
        {state && (
          <p className="badge" data-level={state[0]}>
            {state[1]}
          </p>
        )}
      </div>
      {children}
    </section>
  );
}

/** Renders no panel until all data has loaded, because a panel might disappear or grow. */
export function PanelPlaceholders({ panels }: { panels: number }) {
  const engine = useEngine();
  const text = engine.t('loading');
  useEffect(() => engine.wait(text), [engine, text]);
  return (
    <div className="panels panels-waiting">
      {Array.from({ length: panels }, (_, index) => (
        <div key={index} className="panel">
          <div className="skeleton skeleton-title" />
          {index === 0 && <p className="waiting-text">{text}</p>}
          <div className="skeleton skeleton-field" />
        </div>
      ))}
    </div>
  );
}

export function OverviewFact({ term, children, action }: { term: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
      {action && <dd className="fact-action">{action}</dd>}
    </div>
  );
}

interface OperationLinkProps {
  readonly to: string;
  /** Name of the setting. Needed if the link text does not contain the name. */
  readonly name?: string;
  readonly store: PortalStore;
  readonly call: OperationName;
  /** `primary`: main action of the page. `row`: the link fills a list row if the operation is allowed. */
  readonly look?: 'button' | 'primary' | 'row';
  readonly children: string;
}

const looks = { button: 'button button-small', primary: 'button button-small button-primary', row: '' } as const;

/** Disabled with the reason if the server would refuse the operation (section 6 of the specification). */
export const OperationLink = observer(function OperationLink({
  to,
  name,
  store,
  call,
  look = 'button',
  children,
}: OperationLinkProps) {
  const { t, config } = usePortal();
  const { flags } = config;
  const explanation = useId();
  const label = name === undefined ? undefined : t('seguridad.actionOf', { action: children, name });
  if (store.explainOperationRefusal(call, flags) === null)
    return (
      <PortalLink to={to} className={looks[look]} label={label}>
        {children}
      </PortalLink>
    );
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-disabled="true"
        aria-label={label}
        aria-describedby={explanation}
      >
        {children}
      </button>
      <span id={explanation} className="visually-hidden">
        {t('seguridad.disabled')}
      </span>
    </>
  );
});
