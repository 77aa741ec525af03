import { isNationalIdentityDocument } from '../../platform/base/identity-document.ts';
import { findCitizen, findCitizenByDocument, type Citizen } from '../../trust/identity/citizens.ts';
import { getIdentityLevel } from '../../trust/identity/assurance-levels.ts';
import {
  type IdentityCardHolder,
  type IdentityRegistry,
  RegistryUnreachableError,
} from '../../trust/identity/registry/identity-registry.ts';
import { toCallResponse } from '../video-calls/call-records.ts';
import { createCallRoomAccess, type CallRoomAccess } from '../video-calls/call-access.ts';
import { findRequestingAgent, toAgentChangeOrigin } from './desk-agent.ts';
import {
  listCallDecisions,
  getDeskCallById,
  listDeskCallsOfDocument,
  toDeskCallListItem,
  type DeskCall,
} from './desk-calls.ts';
import { foldAccentsAndCase } from '../../../contract/fold-text.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';

export type RegistryLookupResult =
  | { readonly registro: 'hallado'; readonly holder: IdentityCardHolder }
  | { readonly registro: 'desconocido' | 'inaccesible' | 'otro'; readonly holder: null };

export const getDeskCall: ResponseBodyHandler<'getDeskCall'> = async (
  { commands, clock, config, registry },
  { params, caller, origin },
) => {
  const { agent, call, citizen, before } = await commands.run(toAgentChangeOrigin(origin), async ({ tx, audit }) => {
    const agent = await findRequestingAgent(tx, caller);
    const call = await getDeskCallById(tx, params['id'] ?? '');
    const citizen =
      call.citizenId === null ? await findCitizenByDocument(tx, call.document) : await findCitizen(tx, call.citizenId);
    const before = (await listDeskCallsOfDocument(tx, call.document)).filter(({ id }) => id !== call.id);
    await audit('call-shown', citizen?.id ?? null, { call: call.id, agent: agent.signature });
    return { agent, call, citizen, before };
  });
  const found = await lookUpDocumentHolder(registry, call.document);
  const mine = call.agent?.id === agent.id;
  return {
    ...toDeskCallListItem(call, agent, clock),
    correo: call.email,
    telefono: call.phone,
    mensaje: call.message,
    agregado: [...call.extra],
    entrada:
      config.jitsi === null
        ? null
        : buildRoomUrl(mine ? await createCallRoomAccess(call, config, clock.now(), agent.name) : null),
    decisiones: [...listCallDecisions(call, config)],
    comparacion: compareWithRegistry(listAccountFacts(call, citizen), found.holder).filter(
      ({ campo }) => call.citizenId !== null || !cardFields.includes(campo),
    ),
    registro: found.registro,
    control: call.checklist,
    anteriores: before.map((other) => ({ ...toCallResponse(other), tipo: other.kind, motivo: other.reason })),
  };
};

/**
 * Returns the URL of the room, with the agent's token if the room needs one. Returns an empty string if the room is closed or the call is not
 * assigned to the agent.
 */
function buildRoomUrl(entry: CallRoomAccess | null): string {
  if (!entry?.link) return '';
  const address = new URL(entry.link);
  if (entry.jwt !== null) address.searchParams.set('jwt', entry.jwt);
  return address.href;
}

/**
 * Looks up the holder of a document in the registry. Returns `inaccesible` if the registry is unreachable, so that the agent can still open the call.
 */
export async function lookUpDocumentHolder(
  registry: IdentityRegistry,
  document: DeskCall['document'],
): Promise<RegistryLookupResult> {
  if (!isNationalIdentityDocument(document)) return { registro: 'otro', holder: null };
  try {
    const holder = await registry.findHolder(document.number);
    return holder === null ? { registro: 'desconocido', holder } : { registro: 'hallado', holder };
  } catch (error) {
    if (error instanceof RegistryUnreachableError) return { registro: 'inaccesible', holder: null };
    throw error;
  }
}

/** Agents see these fields only for calls of signed-in citizens, because anybody can enter another person's document. */
const cardFields: readonly string[] = ['fecha_nacimiento', 'numero_serie'];

/** Compares an account with the registry, field by field. Ignores accents, case and punctuation. A missing value is not a difference. */
export function compareWithRegistry(
  account: readonly (readonly [string, string])[],
  holder: IdentityCardHolder | null,
) {
  const registered: Readonly<Record<string, string>> =
    holder === null
      ? {}
      : {
          primer_nombre: holder.firstName,
          segundo_nombre: holder.secondName,
          primer_apellido: holder.firstSurname,
          segundo_apellido: holder.secondSurname,
          fecha_nacimiento: holder.birthDate,
          numero_serie: holder.serial,
        };
  const own = Object.fromEntries(account);
  return [...new Set([...Object.keys(own), ...Object.keys(registered)])].map((campo) => {
    const cuenta = own[campo] ?? '';
    const registro = registered[campo] ?? null;
    const difiere = cuenta !== '' && registro !== null && foldText(cuenta) !== foldText(registro);
    return { campo, cuenta, registro, difiere };
  });
}

function listAccountFacts(call: DeskCall, citizen: Citizen | null): readonly (readonly [string, string])[] {
  if (citizen === null)
    return [
      ['nombre_completo', call.name],
      ['documento', call.document.number],
    ];
  return [...listCitizenNames(citizen), ['documento', citizen.number], ['nivel', getIdentityLevel(citizen).rid]];
}

export function listCitizenNames(citizen: Citizen): readonly (readonly [string, string])[] {
  return [
    ['primer_nombre', citizen.first_name],
    ['segundo_nombre', citizen.second_name],
    ['primer_apellido', citizen.first_surname],
    ['segundo_apellido', citizen.second_surname],
  ];
}

function foldText(text: string): string {
  return foldAccentsAndCase(text).replace(/[^\p{L}\p{N}]/gu, '');
}
