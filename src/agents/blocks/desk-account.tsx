import type { Answer } from '../../contract/contract.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { useFlowState } from '../../portal/navigation/use-flow.ts';
import { formatMoment } from '../../portal/shell/dates.ts';
import { FlowNotice } from '../../portal/shell/flow-notice.tsx';
import { useTitle } from '../../portal/shell/use-title.ts';
import { Compared } from '../compared.tsx';
import { deskText, deskName } from '../texts.ts';

type Account = NonNullable<Answer<'findAccount'>['cuenta']>;

/** An account that was found by its document, and what can be done to it. */
export function Block({ runner }: BlockProps) {
  const context = useFlowState(runner)?.context ?? {};
  const account = context['cuenta'] as unknown as Account | null; // what the call answered
  useTitle(deskText('cuentas'));
  if (!account) return null;
  const { nombre, nivel, activa, bloqueada, restringida, propia, correo, correo_validado, ultimo_ingreso, sesiones } =
    account;
  const facts = [
    [deskText('account.document'), String(context['documento'] ?? '')],
    [deskText('account.level'), nivel],
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
  ];
  return (
    <section className="desk-section" aria-labelledby="desk-account">
      <h1 id="desk-account" tabIndex={-1}>
        {nombre}
      </h1>
      <FlowNotice runner={runner} />
      <dl className="desk-facts">
        {facts.map(([term, detail]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
      </dl>
      <Compared rows={account.comparacion} registry={account.registro} />
      {propia && <p className="desk-late">{deskText('account.own')}</p>}
      <div className="screen-actions">
        {account.actos.map((act) => (
          <button
            key={act}
            type="button"
            className="button"
            onClick={() => void (act === 'correo' ? runner.raise('email') : runner.raise('act', { acto: act }))}
          >
            {deskName('act', act)}
          </button>
        ))}
        <button type="button" className="button" onClick={() => void runner.raise('search')}>
          {deskText('account.another')}
        </button>
      </div>
    </section>
  );
}
