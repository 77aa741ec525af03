import type { Answer } from '../../../contract/contract.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Passkey } from '../../trust/credentials/passkeys.ts';
import { countRecoveryCodes } from '../../trust/credentials/recovery-codes.ts';
import { activeFactors, isActive, type ActiveFactors } from '../../trust/credentials/second-factors.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';

export function getMfaStatus({ store }: { store: Store }): Handler<'getMfaStatus'> {
  return async ({ params }) => {
    const citizen = await findCitizen(store.db, params['id'] ?? '');
    if (citizen === null) throw new OperationError(404, 'no_encontrado');
    const active = await activeFactors(store.db, citizen.id);
    return {
      body: {
        estado: { activado: isActive(active), fecha_activado: activeSince(active) },
        methods: {
          totp: active.totp && { id: active.totp.id, secret: null, url: null },
          email: active.email && { id: active.email.id },
        },
        estado_email: emailState(citizen),
        errors: null,
        obligatorio: demandsSecondFactor(citizen),
        codigos_de_recuperacion: await countRecoveryCodes(store.db, citizen.id),
        llaves: active.passkeys.map(passkeyAnswer),
      },
    };
  };
}

function passkeyAnswer({
  id,
  name,
  created_at,
  last_used_at,
  backed_up,
}: Passkey): Answer<'getMfaStatus'>['llaves'][number] {
  return {
    id,
    nombre: name,
    creada: created_at.toISOString(),
    usada: last_used_at?.toISOString() ?? null,
    sincronizada: backed_up,
  };
}

function activeSince({ totp, email, passkeys }: ActiveFactors): string | null {
  const times = [
    ...[totp, email].flatMap((factor) => factor?.activated_at?.getTime() ?? []),
    ...passkeys.map(({ created_at }) => created_at.getTime()),
  ];
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

function emailState({ email, email_verified_at }: Citizen): Answer<'getMfaStatus'>['estado_email'] {
  if (email === null) return 'sin_correo';
  return email_verified_at === null ? 'pendiente' : 'validado';
}
