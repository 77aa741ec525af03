import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import {
  verifyEmailMethod,
  assertSessionHasStrongFactor,
  removeSecondFactor,
  addSecondFactor,
  activateSecondFactor,
  prepareRecoveryCodes,
} from './add-second-factor.ts';
import { describeDevice } from '../../platform/base/client-device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  generatePasskeyCreationOptions,
  verifyPasskeyRegistration,
  storeWebAuthnChallenge,
  consumeWebAuthnChallenge,
} from '../../trust/credentials/webauthn-ceremonies.ts';
import {
  ensurePasskeyUserHandle,
  maxPasskeys,
  listPasskeys,
  removePasskey,
  renamePasskey,
  addPasskey,
} from '../../trust/credentials/passkeys.ts';
import {
  findActiveSecondFactors,
  hasActiveSecondFactor,
  type SecondFactorKind,
  type ActiveSecondFactors,
  findPendingSecondFactor,
  consumeTotpStep,
  createPendingSecondFactor,
  buildTotpVaultPurpose,
  findTotpStep,
  generateTotpSecret,
  buildTotpUri,
} from '../../trust/credentials/second-factors.ts';
import { formatFullName, findCitizen, type Citizen, maskEmail } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import {
  generateRecoveryCodes,
  countUnusedRecoveryCodes,
  storeRecoveryCodes,
} from '../../trust/credentials/recovery-codes.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { requiresSecondFactor } from '../../trust/identity/assurance-levels.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import {
  createAccountCommandHandler,
  createAccountReadHandler,
  type ResponseBodyHandler,
  type ReplyHandler,
  type AccountCommand,
} from '../handler-context.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { findPendingEmail } from '../../trust/credentials/email-changes.ts';
import { findLiveLinkToken } from '../../trust/credentials/link-tokens.ts';
import { createFactorSetUpCodeBinding } from '../../trust/credentials/mailed-codes.ts';
import { mailVerificationCode } from '../../trust/notices/database-commands.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';

export const serverModule = {
  handlers: () => ({
    getMfaStatus,
    createTotp,
    verifyTotp,
    deleteTotp: createAccountCommandHandler<'deleteTotp'>((command, { params }) =>
      deleteMethod(command, 'totp', params['method']),
    ),
    activateEmailMethod,
    verifyEmailMethod,
    deleteEmailMethod: createAccountCommandHandler<'deleteEmailMethod'>((command, { params }) =>
      deleteMethod(command, 'email', params['method']),
    ),
    createRecoveryCodes,
    createPasskeyOptions,
    createPasskey,
    renamePasskey: changePasskeyName,
    deletePasskey,
  }),
  texts,
} as const satisfies ServerModule;

const createPasskeyOptions = createAccountCommandHandler<'createPasskeyOptions'>(
  async ({ tx, now, citizen, sessionId }, { origin }, { config }) => {
    const active = await findActiveSecondFactors(tx, citizen.id);
    await assertSessionHasStrongFactor(tx, sessionId, active);
    const known = active.passkeys;
    if (known.length >= maxPasskeys) throw new OperationError(409, 'demasiadas_llaves');
    const handle = await ensurePasskeyUserHandle(tx, citizen.id);
    const user = { handle, name: citizen.number, displayName: formatFullName(citizen), known };
    const options = await generatePasskeyCreationOptions(config, user);
    await storeWebAuthnChallenge(tx, { purpose: 'register', owner: sessionId }, options.challenge, now);
    return { options: { ...options }, nombre: describeDevice(origin.userAgent, origin.language) };
  },
);

/** Replaces the recovery codes of a citizen who has a second factor. The response is the only one that contains the new codes. */
const createRecoveryCodes = createAccountReadHandler<'createRecoveryCodes'>(
  async ({ citizen, sessionId }, { origin }, { commands, passwords }) => {
    const codes = await generateRecoveryCodes(passwords, citizen.id);
    return commands.run(origin, async ({ tx, now, audit, notify }) => {
      const active = await findActiveSecondFactors(tx, citizen.id);
      if (!hasActiveSecondFactor(active)) throw new OperationError(409, 'sin_segundo_factor');
      await assertSessionHasStrongFactor(tx, sessionId, active);
      await revokeOtherAccess(tx, citizen.id, now, sessionId);
      await audit('recovery-codes-renewed', citizen.id);
      await notify('recovery-codes-renewed', citizen, { sessionId });
      return { codigos: await storeRecoveryCodes(tx, codes, now) };
    });
  },
);

async function deleteMethod(command: AccountCommand, kind: SecondFactorKind, id: string | undefined): Promise<void> {
  const { tx, citizen, sessionId } = command;
  const factor = (await findActiveSecondFactors(tx, citizen.id))[kind];
  if (factor === null || factor.id !== id) throw new OperationError(404, 'no_encontrado');
  const change = { citizen, sessionId, action: 'second-factor-removed', isMailed: kind === 'email' } as const;
  await removeSecondFactor(command, change, async () => {
    await tx.deleteFrom('second_factors').where('citizen_id', '=', citizen.id).where('kind', '=', kind).execute();
    return { kind };
  });
}

const deletePasskey = createAccountCommandHandler<'deletePasskey'>(async (command, { params }) => {
  const { tx, citizen, sessionId } = command;
  const passkey = params['llave'] ?? '';
  if (!(await listPasskeys(tx, citizen.id)).some(({ id }) => id === passkey))
    throw new OperationError(404, 'no_encontrado');
  await removeSecondFactor(command, { citizen, sessionId, action: 'passkey-removed' }, async () => {
    await removePasskey(tx, citizen.id, passkey);
    return { passkey };
  });
});

const getMfaStatus: ResponseBodyHandler<'getMfaStatus'> = async ({ store }, { params }) => {
  const citizen = await findCitizen(store.db, params['id'] ?? '');
  if (citizen === null) throw new OperationError(404, 'no_encontrado');
  const active = await findActiveSecondFactors(store.db, citizen.id);
  return {
    estado: { activado: hasActiveSecondFactor(active), fecha_activado: findActiveSince(active) },
    methods: {
      totp: active.totp && { id: active.totp.id, secret: null, url: null },
      email: active.email && { id: active.email.id },
    },
    estado_email: citizen.email === null ? 'sin_correo' : citizen.email_verified_at === null ? 'pendiente' : 'validado',
    errors: null,
    obligatorio: requiresSecondFactor(citizen),
    codigos_de_recuperacion: await countUnusedRecoveryCodes(store.db, citizen.id),
    llaves: active.passkeys.map((passkey) => ({
      id: passkey.id,
      nombre: passkey.name,
      creada: passkey.created_at.toISOString(),
      usada: passkey.last_used_at?.toISOString() ?? null,
      sincronizada: passkey.backed_up,
    })),
  };
};

function findActiveSince({ totp, email, passkeys }: ActiveSecondFactors): string | null {
  const times = [
    ...[totp, email].flatMap((factor) => factor?.activated_at?.getTime() ?? []),
    ...passkeys.map(({ created_at }) => created_at.getTime()),
  ];
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}

const changePasskeyName = createAccountCommandHandler<'renamePasskey'>(
  async ({ tx, audit, citizen }, { params, body }) => {
    const passkey = params['llave'] ?? '';
    if (!(await renamePasskey(tx, citizen.id, passkey, (body.nombre ?? '').trim())))
      throw new OperationError(404, 'no_encontrado');
    await audit('passkey-renamed', citizen.id, { passkey });
  },
);

const verifyTotp = createAccountReadHandler<'verifyTotp'>(
  async ({ citizen, sessionId }, { params, body, caller, cookies, origin }, { commands, store, vault, passwords }) => {
    const codes = await prepareRecoveryCodes({ store, passwords }, citizen.id);
    return commands.run(origin, async (command) => {
      const { tx, now } = command;
      const factor = await findPendingSecondFactor(tx, citizen.id, 'totp', params['method'] ?? '');
      if (factor === null) throw new OperationError(404, 'no_encontrado');
      const secret = vault.decrypt(buildTotpVaultPurpose(factor.id), factor.secret ?? '');
      const step = findTotpStep(secret, body.code ?? '', now);
      if (step === null || !(await consumeTotpStep(tx, factor.id, step)))
        throw new OperationError(400, 'codigo_incorrecto', { field: 'code' });
      const request = { caller, cookies };
      return activateSecondFactor(command, codes, { factor, method: challengeNames.totp, citizen, sessionId, request });
    });
  },
);

/** Mails the code that sets up the e-mail method. With the `uuid` of a change of e-mail address, mails it to the new address. */
const activateEmailMethod = createAccountReadHandler<'activateEmailMethod'>(
  async ({ citizen }, { body, origin }, { commands, store, clock, vault }) => {
    const uuid = body.uuid ?? null;
    const email =
      uuid === null ? requireProvenEmail(citizen) : await findEmailOfChange(store.db, citizen, uuid, clock.now());
    const id = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const factor = await createPendingSecondFactor(tx, { citizenId: citizen.id, kind: 'email', now });
      const to = { citizen, recipient: email, cause: uuid === null ? 'trusted' : 'anyone' } as const;
      await mailVerificationCode(command, vault, { ...createFactorSetUpCodeBinding(factor, uuid), ...to });
      return factor;
    });
    return { id, email: maskEmail(email) };
  },
);

function requireProvenEmail({ email, email_verified_at: verifiedAt }: Citizen): string {
  if (email === null || verifiedAt === null) throw new OperationError(409, 'sin_correo');
  return email;
}

/** Returns the new e-mail address of the pending change with this `uuid`. Throws if a later change has replaced it. */
async function findEmailOfChange(db: DatabaseStore['db'], citizen: Citizen, uuid: string, now: Date): Promise<string> {
  const owner = await findLiveLinkToken(db, 'email-code', uuid, now);
  const email = owner?.citizenId === citizen.id ? await findPendingEmail(db, citizen.id) : null;
  if (email === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return email;
}

const createPasskey: ReplyHandler<'createPasskey'> = async (
  { commands, store, clock, config, passwords, vault },
  { body, caller, cookies, origin },
) => {
  const invalid = new OperationError(400, 'llave_invalida', { field: 'credential' });
  const { sessionId } = await readCallerAccount(store.db, caller);
  const isOwn = await consumeWebAuthnChallenge(store, { purpose: 'register', owner: sessionId }, clock.now());
  const verified = isOwn && (await verifyPasskeyRegistration(config, body.credential ?? '', isOwn));
  if (verified === null) throw invalid;
  const codes = await prepareRecoveryCodes({ store, passwords }, caller?.citizenId ?? '');
  return commands.run(origin, async (command) => {
    const { tx, now } = command;
    const { citizen } = await readCallerAccount(tx, caller);
    if ((await listPasskeys(tx, citizen.id)).length >= maxPasskeys) throw new OperationError(409, 'demasiadas_llaves');
    const name = (body.nombre ?? '').trim() || describeDevice(origin.userAgent, origin.language);
    const request = { caller, cookies };
    const change = { citizen, sessionId, method: challengeNames.passkey, action: 'passkey-added', request } as const;
    return addSecondFactor(command, codes, change, async () => {
      const passkey = await addPasskey(tx, vault, { citizenId: citizen.id, passkey: { ...verified, name }, now });
      if (passkey === null) throw invalid;
      return { passkey };
    });
  });
};

/** Starts to set up an authenticator app. An app that is already active stays valid until the citizen enters the first code of the new app. */
const createTotp = createAccountCommandHandler<'createTotp'>(
  async ({ tx, now, citizen, sessionId }, _request, { config, vault }) => {
    const secret = generateTotpSecret();
    await assertSessionHasStrongFactor(tx, sessionId, await findActiveSecondFactors(tx, citizen.id));
    const seal = (factor: string) => vault.encrypt(buildTotpVaultPurpose(factor), secret);
    const id = await createPendingSecondFactor(tx, { citizenId: citizen.id, kind: 'totp', now, seal });
    const url = buildTotpUri({ secret, issuer: config.brand.product, label: formatDocumentId(citizen) });
    return { id, secret, url };
  },
);
