import type { Answer } from '../contract/contract.ts';
import { formatMoment } from '../contract/written/dates.ts';
import { Facts } from './facts.tsx';
import { deskText, deskName } from './texts.ts';
import { writtenDocument } from './written.ts';

type Foreigner = Answer<'findAccount'>['registros'][number];

interface ForeignRecordsProps {
  readonly records: readonly Foreigner[];
  readonly onAct: (act: string, who: string) => void;
}

export function ForeignRecords({ records, onAct }: ForeignRecordsProps) {
  return records.map((record) => {
    const { quien, proveedor, identificador, pais, documento, nombre, bloqueada, propia, ultimo_uso, sesiones, actos } =
      record;
    return (
      <article key={quien} className="desk-section" aria-label={`${nombre}, ${proveedor} ${identificador}`}>
        <h2>{nombre}</h2>
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
        {propia && <p className="desk-late">{deskText('foreign.own')}</p>}
        {actos.length > 0 && (
          <div className="screen-actions">
            {actos.map((act) => (
              <button
                key={act}
                type="button"
                className="button"
                aria-label={deskText('foreign.act', { act: deskName('act', act), name: nombre, id: identificador })}
                onClick={() => onAct(act, quien)}
              >
                {deskName('act', act)}
              </button>
            ))}
          </div>
        )}
      </article>
    );
  });
}
