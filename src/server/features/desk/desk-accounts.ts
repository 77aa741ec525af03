import {
  performAccountAction,
  findIdentityDocumentsByEmail,
  canRaiseAssuranceLevel,
} from '../account/account-actions.ts';
import {
  isAssistedActionNeeded,
  findAssistedActionObstacle,
  type AssistedAction,
} from '../account/assisted-actions.ts';
import { hasDeskPermission, type AgentActionName } from '../account/agent-mailbox.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import {
  listPendingDualControlActions,
  admitDualControlAction,
  type PendingDualControlAction,
} from '../../trust/identity/dual-control.ts';
import {
  buildForeignCitizenAuditDetails,
  formatForeignSubject,
  listForeignCitizenRecords,
  parseForeignSubject,
} from '../account/foreign-citizen-records.ts';
import {
  formatDocumentId,
  parseEnteredDocument,
  type IdentityDocument,
} from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { changeEmailInPerson } from '../contact-data/index.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import { findCitizenByDocument, formatFullName, type Citizen, maskEmail } from '../../trust/identity/citizens.ts';
import { getIdentityLevel, minSecondFactorLevel } from '../../trust/identity/assurance-levels.ts';
import { countLiveSessions } from '../../trust/sessions/broker-sessions.ts';
import {
  findRequestingAgent,
  toAgentChangeOrigin,
  createAgentActor,
  type DeskAgent,
  type DeskActor,
  createDeskActionError,
  isKeyOf,
  throwIfDeskActionRefused,
} from './desk-agent.ts';
import {
  lookUpDocumentHolder,
  compareWithRegistry,
  listCitizenNames,
  type RegistryLookupResult,
} from './get-desk-call.ts';
import { toForeignCitizenResponses } from './desk-foreign-citizens.ts';
import type { HandlerContext, ResponseBodyHandler } from '../handler-context.ts';

const actionsByFormValue = {
  bloquear: 'block',
  desbloquear: 'unblock',
  restringir: 'restrict',
  habilitar: 'unrestrict',
  cerrar_sesiones: 'end-sessions',
  elevar: 'elevate',
  quitar_doble_factor: 'remove-factors',
  corregir: 'correct',
  reenviar_activacion: 'send-activation',
  enviar_restablecimiento: 'send-reset',
  cerrar_cuenta: 'close',
} as const satisfies Readonly<Record<string, AgentActionName>>;

const inPersonActionNames: readonly string[] = ['elevar', 'quitar_doble_factor', 'habilitar', 'cerrar_cuenta'];

/** Finds an account by document or e-mail address, and the records of foreign providers by document or subject identifier. Audits each lookup. */
export const findDeskAccount: ResponseBodyHandler<'findDeskAccount'> = async (
  { commands, config, registry, store },
  { body, caller, origin },
) => {
  const documentOfEmail = async (email: string): Promise<string | null> => {
    const found = await commands.run(toAgentChangeOrigin(origin), async (command) =>
      findIdentityDocumentsByEmail(command, email, (await findRequestingAgent(command.tx, caller)).signature),
    );
    if (found.length > 1)
      throw new OperationError(409, 'correo_de_varias', { values: { documentos: found.join(', ') } });
    return found[0] ?? null;
  };
  const typed = body.documento ?? '';
  const subject = parseForeignSubject(typed);
  const document = typed.includes('@') && subject === null ? await documentOfEmail(typed) : typed;
  if (document === null) return { documento: typed, cuenta: null, registros: [] };
  const name = subject ?? { document: parseEnteredDocument(document) };
  const found = 'document' in name ? await lookUpDocumentHolder(registry, name.document) : null;
  const looked = await commands.run(toAgentChangeOrigin(origin), async (command) => {
    const { tx, now, audit } = command;
    const agent = await findRequestingAgent(tx, caller);
    const citizen = 'document' in name ? await findCitizenByDocument(tx, name.document) : null;
    const records = await listForeignCitizenRecords(command, name, agent.signature);
    if (citizen !== null || records.length === 0)
      await audit('account-shown', citizen?.id ?? null, {
        operator: agent.signature,
        ...buildForeignCitizenAuditDetails(name),
      });
    const sessions = citizen === null ? 0 : await countLiveSessions(tx, citizen.id, now);
    const waiting = citizen === null ? [] : await listPendingDualControlActions(tx, citizen.id, now);
    const hasFactor = citizen !== null && (await hasSecondFactor(tx, citizen.id));
    return { agent, citizen, sessions, hasFactor, waiting, records };
  });
  const { agent, citizen, records } = looked;
  return {
    documento: 'document' in name ? formatDocumentId(name.document) : formatForeignSubject(name),
    cuenta: citizen === null || found === null ? null : toAccountAnswer(citizen, found, looked, config),
    registros: await toForeignCitizenResponses({ config, store }, records, agent),
  };
};

export const actOnAccount: ResponseBodyHandler<'actOnAccount'> = async (
  { commands, config, registry, store, callMails },
  { body, caller, origin },
) => {
  const document = parseEnteredDocument(body.documento ?? '');
  const name = body.acto ?? '';
  if (!isKeyOf(actionsByFormValue, name)) throw new OperationError(400, 'acto_invalido', { field: 'acto' });
  if (inPersonActionNames.includes(name) && body.visto !== true) throw createNotSeenError();
  const agent = await findRequestingAgent(store.db, caller);
  const registryHolder = name === 'corregir' ? (await lookUpDocumentHolder(registry, document)).holder : null;
  if (name === 'corregir' && registryHolder === null) throw new OperationError(409, 'registro_sin_datos');
  const outcome = await performAccountAction(
    { commands, config, callMails },
    {
      act: actionsByFormValue[name],
      document,
      reason: (body.motivo ?? '').trim(),
      operator: agent.signature,
      registryHolder,
      seat: { id: agent.id, name: agent.name, origin: toAgentChangeOrigin(origin) },
    },
  );
  throwIfDeskActionRefused(outcome);
  return { hecho: outcome === 'done', espera: outcome === 'waits' };
};

/** Starts the change of a lost mailbox. A mailed link confirms the new address, and the previous address gets a notice. */
export const startEmailChange: ResponseBodyHandler<'startEmailChange'> = async (
  dependencies,
  { body, caller, origin },
) => {
  const document = parseEnteredDocument(body.documento ?? '');
  const email = normalizeEmail(body.email);
  if (body.visto !== true) throw createNotSeenError();
  const change = { document, email, reason: (body.motivo ?? '').trim() };
  return startEmailChangeInPerson(dependencies, change, createAgentActor(caller, origin));
};

export async function startEmailChangeInPerson(
  { commands, config }: Pick<HandlerContext, 'commands' | 'config'>,
  { document, email, reason }: { document: IdentityDocument; email: string; reason: string },
  { origin, findActor }: DeskActor,
): Promise<{ hecho: boolean; espera: boolean }> {
  const outcome = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const agent = await findActor(tx);
    const citizen = await findCitizenByDocument(tx, document);
    const refuse = async (error: OperationError) => {
      const about = { operator: agent.signature, act: 'email', document: formatDocumentId(document) };
      await audit('account-act-refused', citizen?.id ?? null, { ...about, outcome: error.code });
      return error;
    };
    if (citizen === null) return refuse(createDeskActionError('unknown'));
    if (citizen.id === agent.id) return refuse(createDeskActionError('own'));
    if (citizen.blocked_at !== null) return refuse(createDeskActionError('inactive'));
    if (email === citizen.email) return refuse(new OperationError(400, 'correo_igual', { field: 'email' }));
    const asked = { citizenId: citizen.id, act: 'email', detail: email, agent: agent.id, name: agent.name } as const;
    const weighed = await admitDualControlAction(tx, config, asked, now);
    if (weighed === 'refused') return refuse(createDeskActionError('other-agent'));
    if (weighed === 'waits') {
      await audit('account-act-proposed', citizen.id, { operator: agent.signature, act: 'email', reason });
      return 'waits';
    }
    await changeEmailInPerson(command, config, { citizen, email });
    await audit('email-change-requested', citizen.id, { operator: agent.signature, reason });
    return 'done';
  });
  if (outcome instanceof OperationError) throw outcome; // thrown after the commit, so that the audit entry of the refusal is stored
  return { hecho: outcome === 'done', espera: outcome === 'waits' };
}

function toAccountAnswer(
  citizen: Citizen,
  found: RegistryLookupResult,
  looked: { sessions: number; hasFactor: boolean; waiting: readonly PendingDualControlAction[]; agent: DeskAgent },
  config: Config,
) {
  const { sessions, hasFactor, waiting, agent } = looked;
  const isOwn = citizen.id === agent.id;
  const { nid, rid } = getIdentityLevel(citizen);
  const blocked = citizen.blocked_at !== null;
  const comparacion = compareWithRegistry([...listCitizenNames(citizen), ['documento', citizen.number]], found.holder);
  const canHelp = (name: AssistedAction) =>
    findAssistedActionObstacle(name, citizen, config) === null && isAssistedActionNeeded(name, citizen);
  const possible = {
    bloquear: !blocked,
    desbloquear: blocked,
    restringir: citizen.features,
    habilitar: !citizen.features,
    cerrar_sesiones: sessions > 0,
    elevar: nid < minSecondFactorLevel && canRaiseAssuranceLevel(citizen),
    quitar_doble_factor: hasFactor && !hasDeskPermission(citizen.permissions),
    corregir: comparacion.some(({ difiere }) => difiere),
    correo: !blocked,
    reenviar_activacion: canHelp('send-activation'),
    enviar_restablecimiento: canHelp('send-reset'),
    cerrar_cuenta: canHelp('close'),
  };
  return {
    nombre: formatFullName(citizen),
    nivel: rid,
    activa: citizen.active_at !== null,
    bloqueada: blocked,
    restringida: !citizen.features,
    propia: isOwn,
    correo: citizen.email === null ? '' : maskEmail(citizen.email),
    correo_validado: citizen.email_verified_at !== null,
    ultimo_ingreso: citizen.last_login_at?.toISOString() ?? null,
    sesiones: sessions,
    comparacion,
    registro: found.registro,
    esperan: waiting.map(({ act, agent: by, name }) => ({
      acto: pendingActNames[act],
      agente: name,
      propio: by === agent.id,
    })),
    actos: isOwn ? [] : Object.entries(possible).flatMap(([name, may]) => (may ? name : [])),
  };
}

const pendingActNames = {
  level: 'elevar',
  email: 'correo',
  factors: 'quitar_doble_factor',
  closure: 'cerrar_cuenta',
  proofing: 'habilitar',
} as const;

function createNotSeenError(): OperationError {
  return new OperationError(400, 'documento_no_visto', { field: 'visto' });
}
