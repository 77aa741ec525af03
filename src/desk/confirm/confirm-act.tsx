import { useEffect, useState } from 'react';
import type { OperationResult } from '../../engine/core/operation.ts';
import { Dialog } from '../../engine/react/flow/dialog.tsx';
import { usePortal } from '../../portal/portal-context.ts';
import { deskText } from '../texts.ts';
import { ByPasskey } from './by-passkey.tsx';
import { ByPassword } from './by-password.tsx';
import type { Unconfirmed } from './unconfirmed.ts';

const means = { confirmacion_requerida: ByPasskey, verificacion_requerida: ByPassword } as const;

export function ConfirmAct() {
  const portal = usePortal();
  const [waiting, setWaiting] = useState<Unconfirmed | null>(null);
  useEffect(
    () =>
      portal.confirmBy((failure, repeat) =>
        isConfirmable(failure.code)
          ? new Promise((resolve) => {
              const onEnd = (result: OperationResult): void => {
                setWaiting(null);
                resolve(result);
              };
              const refused = { ...failure, code: 'confirmacion_cancelada', error: deskText('confirm.notDone') };
              setWaiting({ failure, repeat, onEnd, onCancel: () => onEnd({ ok: false, failure: refused }) });
            })
          : null,
      ),
    [portal],
  );
  if (waiting === null || !isConfirmable(waiting.failure.code)) return null;
  const Means = means[waiting.failure.code];
  return (
    <Dialog labelledBy="confirm-title" describedBy="confirm-why" onClose={waiting.onCancel}>
      <Means {...waiting} />
    </Dialog>
  );
}

function isConfirmable(code: string | undefined): code is keyof typeof means {
  return code !== undefined && Object.hasOwn(means, code);
}
