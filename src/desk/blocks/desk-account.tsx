import type { ReactNode } from 'react';
import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { formatMoment } from '../../contract/written/dates.ts';
import { RegistryComparison, Facts, writtenDocument } from '../facts.tsx';
import { DeskPage } from '../desk-page.tsx';
import { deskText, deskName } from '../texts.ts';
import { Act } from '../../portal/shell/block-page.tsx';

type Found = Answer<'findAccount'>;
type Account = NonNullable<Found['cuenta']>;

export default function DeskAccount({ runner }: BlockProps) {
  const context = useFlowState(runner)?.context ?? {};
  const account = (context['cuenta'] ?? null) as unknown as Found['cuenta']; // set by the operation's response
  const records = (context['registros'] ?? []) as unknown as Found['registros'];
  if (account === null && records.length === 0) return null;
  return (
    <DeskPage
      title={account?.nombre ?? deskText('foreign.title')}
      documentTitle={deskText('cuentas')}
      runner={runner}
      bar={
        <span className="desk-end">
          <Act look="small" text={deskText('account.another')} onAct={() => void runner.raise('search')} />
        </span>
      }
    >
      {account && (
        <AccountFacts
          account={account}
          document={String(context['documento'] ?? '')}
          onAct={(act) => void (act === 'correo' ? runner.raise('email') : runner.raise('act', { acto: act }))}
        />
      )}
      <ForeignRecords
        records={records}
        onAct={(act, who) => void runner.raise('actAbroad', { acto: act, quien: who })}
      />
    </DeskPage>
  );
}

interface AccountFactsProps {
  readonly account: Account;
  readonly document: string;
  readonly onAct: (act: string) => void;
}

function AccountFacts({ account, document, onAct }: AccountFactsProps) {
  const { nivel, activa, bloqueada, restringida, propia, correo, correo_validado, ultimo_ingreso, sesiones } = account;
  return (
    <div className="desk-columns">
      <section aria-label={deskText('account.data')}>
        <Facts
          facts={[
            [deskText('account.document'), writtenDocument(document)],
            [deskText('account.level'), deskName('level', nivel)],
            [
              deskText('account.state'),
              [
                deskText(activa ? 'account.active' : 'account.inactive'),
                ...(bloqueada ? [deskText('account.blocked')] : []),
                ...(restringida ? [deskText('account.restricted')] : []),
              ].join(', '),
            ],
            [
              deskText('call.email'),
              correo === ''
                ? deskText('account.noEmail')
                : `${correo} (${deskText(correo_validado ? 'account.proven' : 'account.unproven')})`,
            ],
            [
              deskText('account.lastSignIn'),
              ultimo_ingreso === null ? deskText('account.never') : formatMoment(ultimo_ingreso),
            ],
            [deskText('account.sessions'), String(sesiones)],
          ]}
        />
        <RegistryComparison rows={account.comparacion} registry={account.registro} />
      </section>
      <Acts label={deskText('account.acts')}>
        {account.esperan.map(({ acto, agente, propio }) => (
          <p key={acto} className="desk-late">
            {deskText(propio ? 'account.waitsOwn' : 'account.waits', { act: deskName('act', acto), agent: agente })}
          </p>
        ))}
        {propia && <p className="desk-late">{deskText('account.own')}</p>}
        {account.actos.map((act) => (
          <Act key={act} text={deskName('act', act)} onAct={() => onAct(act)} />
        ))}
      </Acts>
    </div>
  );
}

function Acts({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="desk-card" aria-label={label}>
      <h2>{deskText('account.acts')}</h2>
      {children}
    </section>
  );
}

type Foreigner = Answer<'findAccount'>['registros'][number];

interface ForeignRecordsProps {
  readonly records: readonly Foreigner[];
  readonly onAct: (act: string, who: string) => void;
}

function ForeignRecords({ records, onAct }: ForeignRecordsProps) {
  return records.map((record) => {
    const { quien, proveedor, identificador, pais, documento, nombre, bloqueada, propia, ultimo_uso, sesiones, actos } =
      record;
    return (
      <article key={quien} className="desk-section" aria-label={`${nombre}, ${proveedor} ${identificador}`}>
        <h2>{nombre}</h2>
        <div className="desk-columns">
          <Facts
            facts={[
              [deskText('foreign.provider'), proveedor],
              [deskText('foreign.subject'), identificador],
              [deskText('foreign.country'), pais],
              [deskText('account.document'), writtenDocument(documento)],
              [deskText('account.state'), deskText(bloqueada ? 'account.blocked' : 'account.active')],
              [deskText('foreign.lastUse'), formatMoment(ultimo_uso)],
              [deskText('account.sessions'), String(sesiones)],
            ]}
          />
          <Acts label={deskText('foreign.act', { act: deskText('account.acts'), name: nombre, id: identificador })}>
            {propia && <p className="desk-late">{deskText('foreign.own')}</p>}
            {actos.map((act) => (
              <Act
                key={act}
                text={deskName('act', act)}
                label={deskText('foreign.act', { act: deskName('act', act), name: nombre, id: identificador })}
                onAct={() => onAct(act, quien)}
              />
            ))}
          </Acts>
        </div>
      </article>
    );
  });
}
