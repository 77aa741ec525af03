import { OperationError } from '../../platform/base/errors.ts';
import { createAccountReadHandler, createAccountCommandHandler, createCommandHandler } from '../handler-context.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import { formatFullName, type Citizen, toPersonNames } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import {
  toCallResponse,
  findVideoCall,
  findNewestCallsOfCitizen,
  applyCallTransition,
} from '../video-calls/call-records.ts';
import { bookVideoCall } from '../video-calls/book-call.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import { requiresSecondFactor, raiseIdentityLevel } from '../../trust/identity/assurance-levels.ts';
import { raiseSessionLevel } from '../../trust/sessions/raise-session-level.ts';
import { selectCallTransitionName } from '../video-calls/call-states.ts';
import type { OperationResponse } from '../../../contract/contract.ts';
import { toUruguayIsoDate, addToDate } from '../../../contract/format/dates.ts';
import { queryIdentityRegistry } from '../../trust/identity/verify-identity.ts';
import { comparePersonNames } from '../../trust/identity/registry/compare-names.ts';
import type { IdentityRegistry } from '../../trust/identity/registry/identity-registry.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { portalConstants } from '../../../contract/constants.ts';

export const serverModule = {
  handlers: () => ({ checkCard, bookElevation, cancelElevation, acceptElevation }),
  texts,
  limits: defineAttemptLimits({
    checkCard: { address: allowAttemptsPerHour(60), document: allowAttemptsPerDay(10) },
  }),
  tables: {
    card_checks: {
      data: 'Sessions that passed the check of the identity card',
      why: 'Raising the level',
      readers: [],
      retention: 'until its session is deleted',
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    card_checks: { session_id: string; passed_at: Date };
  }
}

/** Cancels an elevation call. Throws a 404 if the call belongs to somebody else or is over. */
const cancelElevation = createCommandHandler<'cancelElevation'>(async (command, { params, caller }, { callMails }) => {
  const call = await findVideoCall(command.tx, 'elevation', params['id'] ?? '');
  if (call === null || caller === null || call.citizenId !== caller.citizenId)
    throw new OperationError(404, 'no_encontrado');
  const act = selectCallTransitionName(call.state, 'cancel');
  const cancelled = await applyCallTransition(command, call, act);
  if (cancelled === null) throw new OperationError(404, 'no_encontrado');
  await callMails.sendTransitionMail(command, cancelled, act);
});

const acceptElevation = createAccountCommandHandler<'acceptElevation'>(async (command, { caller, cookies, origin }) => {
  const { tx, now, audit, notify, citizen, sessionId } = command;
  if (requiresSecondFactor(citizen)) throw new OperationError(404, 'accion_ya_realizada'); // true from level 2 on: another method has already raised the level
  const { elevation: call } = await findNewestCallsOfCitizen(tx, citizen.id);
  const accepted = call === undefined ? null : await applyCallTransition(command, call, 'accept');
  if (accepted === null) throw new OperationError(404, 'accion_ya_realizada');
  const raised = await raiseIdentityLevel(tx, citizen);
  const renewed = await raiseSessionLevel(tx, { caller, cookies }, { citizen: raised, now });
  await audit('level-raised', citizen.id, { by: 'video-call', level: raised.level, call: accepted.id });
  await notify('level-raised', citizen, {
    sessionId,
    values: { means: createCatalogueLookup(texts)('medio_videollamada', origin.language) },
  });
  return {
    body: { falta_segundo_factor: !(await hasSecondFactor(tx, citizen.id)) },
    ...renewed,
  };
});

/** Books an elevation call. Checks surname and age again. Requires the card's serial number unless this session passed the card check. */
const bookElevation = createAccountReadHandler<'bookElevation'>(
  async (
    { citizen: known, sessionId },
    { body, extra = [], caller, origin },
    { commands, store, config, registry, clock, callMails },
  ) => {
    assertCanBookElevation(known);
    const { numero_serie: serial } = body;
    const now = clock.now();
    if (serial === undefined && !(await hasPassedCardCheck(store, sessionId, now)))
      throw new OperationError(400, 'identidad_sin_comprobar', { field: 'numero_serie' });
    const result = await checkCitizenCard(registry, known, { serial: serial ?? '', now });
    const errorCode =
      (serial !== undefined && !result.numero_serie && 'serie_no_coincide') ||
      (!result.primer_apellido && 'apellido_no_coincide') ||
      (!result.mayor_de_edad && 'menor_de_edad');
    if (errorCode) throw new OperationError(400, errorCode, { field: 'numero_serie' });
    const call = await commands.run(origin, async (command) => {
      const { citizen } = await readCallerAccount(command.tx, caller);
      assertCanBookElevation(citizen);
      const booked = await bookVideoCall(
        command,
        config,
        {
          kind: 'elevation',
          date: body.fecha ?? '',
          time: body.hora ?? '',
          citizenId: citizen.id,
          document: { country: citizen.country, type: citizen.type, number: citizen.number },
          name: formatFullName(citizen),
          email: citizen.email_verified_at === null ? '' : (citizen.email ?? ''),
          phone: citizen.phone ?? (body.numero_telefono ?? '').trim(),
          subject: '',
          message: '',
          extra,
        },
        'Agendado',
      );
      await callMails.sendBookingMail(command, 'call-booked', booked);
      return booked;
    });
    return toCallResponse(call);
  },
);

/** Time after a passed card check in which the session can book without the serial number, in seconds. */
const cardCheckLifeS = 30 * 60;

async function hasPassedCardCheck({ db }: DatabaseStore, sessionId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('card_checks')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('passed_at', '>', addSeconds(now, -cardCheckLifeS))
    .executeTakeFirst();
  return row !== undefined;
}

const ageOfMajority = 18;

type CardCheckResult = OperationResponse<'checkCard'>;

/**
 * Compares surname, serial number and age with the registry. The account's own surname must match too, because the check would otherwise reveal whether
 * a guessed surname is right.
 */
async function checkCitizenCard(
  registry: IdentityRegistry,
  citizen: Citizen,
  { serial, surname = citizen.first_surname, now }: { serial: string; surname?: string | undefined; now: Date },
): Promise<CardCheckResult> {
  const holder = await queryIdentityRegistry(registry, citizen.number);
  if (holder === null) return { primer_apellido: false, numero_serie: false, mayor_de_edad: false };
  const person = toPersonNames(citizen);
  return {
    primer_apellido: [person, { ...person, firstSurname: surname, secondSurname: '' }].every(
      (given) => comparePersonNames(given, holder) !== 'surname-differs',
    ),
    numero_serie: holder.serial !== '' && holder.serial.toUpperCase() === serial.trim().toUpperCase(),
    mayor_de_edad:
      holder.birthDate !== '' && addToDate(holder.birthDate, { months: 12 * ageOfMajority }) <= toUruguayIsoDate(now),
  };
}

/** Throws unless the level is below Intermedio, the document is Uruguayan and the account is active. */
function assertCanBookElevation(citizen: Pick<Citizen, 'country' | 'level' | 'active_at'>): void {
  if (citizen.country !== portalConstants.defaultCountry) throw new OperationError(403, 'sin_permiso');
  if (requiresSecondFactor(citizen)) throw new OperationError(409, 'nivel_ya_alcanzado');
  if (citizen.active_at === null) throw new OperationError(403, 'sin_permiso');
}

/** Records a passed check (specification, section 8.5). Another person's document gets the same response as an unknown one. */
export const checkCard = createAccountReadHandler<'checkCard'>(
  async ({ citizen, sessionId }, { query }, { store, registry, clock }) => {
    assertCanBookElevation(citizen);
    const { cedula = citizen.number, numero_serie: serial = '', primer_apellido: surname } = query;
    if (cedula !== citizen.number) throw new OperationError(404, 'no_encontrado');
    const now = clock.now();
    const result = await checkCitizenCard(registry, citizen, { serial, surname, now });
    if (Object.values(result).every(Boolean))
      await store.db
        .insertInto('card_checks')
        .values({ session_id: sessionId, passed_at: now })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ passed_at: now }))
        .execute();
    return result;
  },
);
