import type { ReactNode } from 'react';
import type { OperationResponse } from '../../contract/contract.ts';
import type { FlowBlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow-runner.ts';
import { formatShortDateTime } from '../../contract/format/dates.ts';
import { RegistryComparison } from '../description-lists.tsx';
import { DescriptionList } from '../../portal/shell/description-list.tsx';
import { formatDocumentId } from '../format-desk-values.ts';
import { DeskPage } from '../desk-page.tsx';
import { getDeskText, findDeskLabel } from '../desk-texts.ts';
import { ActionButton } from '../../portal/shell/block-layout.tsx';

type AccountSearchResult = OperationResponse<'findDeskAccount'>;
type Account = NonNullable<AccountSearchResult['cuenta']>;

export default function DeskAccount({ runner }: FlowBlockProps) {
  const context = useFlowState(runner)?.context ?? {};
  const account = (context['cuenta'] ?? null) as unknown as AccountSearchResult['cuenta']; // the context is untyped; a response of `findDeskAccount` has set these variables
  const records = (context['registros'] ?? []) as unknown as AccountSearchResult['registros'];
  if (account === null && records.length === 0) return null;
  return (
    <DeskPage
      title={account?.nombre ?? getDeskText('foreign.title')}
      documentTitle={getDeskText('cuentas')}
      runner={runner}
      bar={
        <span className="desk-end">
          <ActionButton look="small" text={getDeskText('account.another')} onAct={() => void runner.raise('search')} />
        </span>
      }
    >
      {account && (
        <AccountFacts
          account={account}
          document={String(context['documento'] ?? '')}
          onAction={(act) => void (act === 'correo' ? runner.raise('email') : runner.raise('act', { acto: act }))}
        />
      )}
      <ForeignRecords
        records={records}
        onAction={(act, who) => void runner.raise('actAbroad', { acto: act, quien: who })}
      />
    </DeskPage>
  );
}

interface AccountFactsProps {
  readonly account: Account;
  readonly document: string;
  readonly onAction: (act: string) => void;
}

function AccountFacts({ account, document, onAction }: AccountFactsProps) {
  const { nivel, activa, bloqueada, restringida, propia, correo, correo_validado, ultimo_ingreso, sesiones } = account;
  return (
    <div className="desk-columns">
      <section aria-label={getDeskText('account.data')}>
        <DescriptionList
          className="desk-facts"
          facts={[
            [getDeskText('account.document'), formatDocumentId(document)],
            [getDeskText('account.level'), findDeskLabel('level', nivel)],
            [
              getDeskText('account.state'),
              [
                getDeskText(activa ? 'account.active' : 'account.inactive'),
                ...(bloqueada ? [getDeskText('account.blocked')] : []),
                ...(restringida ? [getDeskText('account.restricted')] : []),
              ].join(', '),
            ],
            [
              getDeskText('call.email'),
              correo === ''
                ? getDeskText('account.noEmail')
                : `${correo} (${getDeskText(correo_validado ? 'account.proven' : 'account.unproven')})`,
            ],
            [
              getDeskText('account.lastSignIn'),
              ultimo_ingreso === null ? getDeskText('account.never') : formatShortDateTime(ultimo_ingreso),
            ],
            [getDeskText('account.sessions'), String(sesiones)],
          ]}
        />
        <RegistryComparison rows={account.comparacion} registry={account.registro} />
      </section>
      <ActionGroup label={getDeskText('account.acts')}>
        {account.esperan.map(({ acto, agente, propio }) => (
          <p key={acto} className="notice" data-intent="warning">
            {getDeskText(propio ? 'account.waitsOwn' : 'account.waits', {
              act: findDeskLabel('act', acto),
              agent: agente,
            })}
          </p>
        ))}
        {propia && (
          <p className="notice" data-intent="warning">
            {getDeskText('account.own')}
          </p>
        )}
        <ActGroups acts={account.actos} onAction={onAction} />
      </ActionGroup>
    </div>
  );
}

function ActionGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="desk-card" aria-label={label}>
      <h2>{getDeskText('account.acts')}</h2>
      {children}
    </section>
  );
}

export const actGroups = {
  contact: ['correo', 'reenviar_activacion', 'enviar_restablecimiento'],
  identity: ['elevar', 'corregir'],
  access: ['cerrar_sesiones', 'quitar_doble_factor'],
  block: ['bloquear', 'desbloquear', 'restringir', 'habilitar', 'cerrar_cuenta'],
} as const;

const harmfulActs: readonly string[] = ['quitar_doble_factor', 'bloquear', 'restringir', 'cerrar_cuenta'];

interface ActGroupsProps {
  readonly acts: readonly string[];
  /** Accessible name of the button for an act's text, if the text is not sufficient. */
  readonly labelOf?: (text: string) => string;
  readonly onAction: (act: string) => void;
}

function ActGroups({ acts, labelOf, onAction }: ActGroupsProps) {
  return (['contact', 'identity', 'access', 'block'] as const).map((group) => {
    const own = actGroups[group].filter((act) => acts.includes(act));
    if (own.length === 0) return null;
    return (
      <section key={group}>
        <h3>{getDeskText(`acts.${group}`)}</h3>
        <div className="desk-actions">
          {own.map((act) => {
            const text = findDeskLabel('act', act);
            return (
              <ActionButton
                key={act}
                {...(harmfulActs.includes(act) && { look: 'danger' })}
                text={text}
                {...(labelOf && { label: labelOf(text) })}
                onAct={() => onAction(act)}
              />
            );
          })}
        </div>
      </section>
    );
  });
}

type Foreigner = OperationResponse<'findDeskAccount'>['registros'][number];

interface ForeignRecordsProps {
  readonly records: readonly Foreigner[];
  readonly onAction: (act: string, who: string) => void;
}

function ForeignRecords({ records, onAction }: ForeignRecordsProps) {
  return records.map((record) => {
    const { quien, proveedor, identificador, pais, documento, nombre, bloqueada, propia, ultimo_uso, sesiones, actos } =
      record;
    return (
      <article key={quien} className="desk-section" aria-label={`${nombre}, ${proveedor} ${identificador}`}>
        <h2>{nombre}</h2>
        <div className="desk-columns">
          <DescriptionList
            className="desk-facts"
            facts={[
              [getDeskText('foreign.provider'), proveedor],
              [getDeskText('foreign.subject'), identificador],
              [getDeskText('foreign.country'), pais],
              [getDeskText('account.document'), formatDocumentId(documento)],
              [getDeskText('account.state'), getDeskText(bloqueada ? 'account.blocked' : 'account.active')],
              [getDeskText('foreign.lastUse'), formatShortDateTime(ultimo_uso)],
              [getDeskText('account.sessions'), String(sesiones)],
            ]}
          />
          <ActionGroup
            label={getDeskText('foreign.act', { act: getDeskText('account.acts'), name: nombre, id: identificador })}
          >
            {propia && (
              <p className="notice" data-intent="warning">
                {getDeskText('foreign.own')}
              </p>
            )}
            <ActGroups
              acts={actos}
              labelOf={(act) => getDeskText('foreign.act', { act, name: nombre, id: identificador })}
              onAction={(act) => onAction(act, quien)}
            />
          </ActionGroup>
        </div>
      </article>
    );
  });
}
