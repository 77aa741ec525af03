import { performAccountAct as act, findDocumentsInCommand, canRaiseLevel } from '../account/account-acts.ts';
import { isHelpDue, findHelpActObstacle, type HelpAct } from '../account/close-account.ts';
import { isAgent, type AgentActionName } from '../account/agent-mailbox.ts';
import { findActiveFactors, hasAnyActiveFactor } from '../../trust/credentials/second-factors.ts';
import { listPendingActs, admitDualControlAct, type PendingAct } from '../../trust/identity/four-eyes.ts';
import {
  listAuditDetails,
  formatForeignSubject,
  listForeignRecords,
  readForeignSubject,
  performForeignRecordAct,
  type ForeignAct,
  type ForeignRecord,
} from '../account/foreign-records.ts';
import { formatDocumentId, parseDocument, type Document } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { changeEmailInPerson } from '../contact-data/index.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import { findCitizenByDocument, formatFullName, type Citizen, maskEmail } from '../../trust/identity/citizens.ts';
import { toLevel, secondFactorNid } from '../../trust/identity/levels.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';
import { countSessions } from '../../trust/sessions/sessions.ts';
import {
  findAgent,
  toAgentOrigin,
  createAgentActor,
  type Agent,
  type DeskActor,
  createRefusal,
  throwRefusal,
} from './agent.ts';
import { lookUpHolder, compareWithRegistry, listNames, type RegistryResult } from './get-call.ts';
import type { HandlerContext, AnswerHandler } from '../handler-context.ts';
import type { Answer } from '../../../contract/contract.ts';

/** Actions of the desk on foreign records, by their form values. */
const foreignActsByFormValue = {
  bloquear: 'block',
  desbloquear: 'unblock',
  cerrar_sesiones: 'end-sessions',
} as const satisfies Readonly<Record<string, ForeignAct>>;

export const actOnForeignRecord: AnswerHandler<'actOnForeignRecord'> = async (
  { commands, store },
  { body, caller, origin },
) => {
  const name = readForeignSubject(body.quien ?? '');
  const act = body.acto ?? '';
  if (!isForeignAct(act)) throw new OperationError(400, 'acto_invalido', { field: 'acto' });
  if (name === null) throw createRefusal('unknown');
  const { document, signature } = await findAgent(store.db, caller);
  const outcome = await performForeignRecordAct(
    { commands },
    {
      act: foreignActsByFormValue[act],
      name,
      reason: (body.motivo ?? '').trim(),
      operator: signature,
      seat: { document, origin: toAgentOrigin(origin) },
    },
  );
  throwRefusal(outcome);
  return { hecho: outcome === 'done' };
};

async function toForeignRecordAnswers(
  { config, store }: Pick<HandlerContext, 'config' | 'store'>,
  records: readonly ForeignRecord[],
  agent: Agent,
): Promise<Answer<'findAccount'>['registros']> {
  if (records.length === 0) return [];
  const countries = await store.db.selectFrom('countries').select(['code', 'name']).execute();
  return records.map((record) => {
    const { provider, subject, country, blocked_at, used_at, sessions } = record;
    const isOwn = formatDocumentId(record) === agent.document;
    const possible = { bloquear: blocked_at === null, desbloquear: blocked_at !== null, cerrar_sesiones: sessions > 0 };
    return {
      quien: formatForeignSubject(record),
      proveedor: config.identityProviders.find(({ identificador }) => identificador === provider)?.nombre ?? provider,
      identificador: subject,
      pais: countries.find(({ code }) => code === country)?.name ?? country,
      documento: formatDocumentId(record),
      nombre: formatFullName(record),
      bloqueada: blocked_at !== null,
      propia: isOwn,
      ultimo_uso: used_at.toISOString(),
      sesiones: sessions,
      actos: isOwn ? [] : Object.entries(possible).flatMap(([name, may]) => (may ? name : [])),
    };
  });
}

function isForeignAct(name: string): name is keyof typeof foreignActsByFormValue {
  return Object.hasOwn(foreignActsByFormValue, name);
}

const actsByFormValue = {
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

/** Actions that require the person to appear with the document. */
const inPersonActs: readonly string[] = ['elevar', 'quitar_doble_factor', 'habilitar', 'cerrar_cuenta'];

/**
 * Finds an account by identity document or e-mail address, and the records of foreign providers with the same document. Also finds a foreign
 * record by its subject identifier. Audits each lookup.
 */
export const findAccount: AnswerHandler<'findAccount'> = async (
  { commands, config, registry, store },
  { body, caller, origin },
) => {
  const documentOfEmail = async (email: string): Promise<string | null> => {
    const found = await commands.run(toAgentOrigin(origin), async (command) =>
      findDocumentsInCommand(command, email, (await findAgent(command.tx, caller)).signature),
    );
    if (found.length > 1)
      throw new OperationError(409, 'correo_de_varias', { values: { documentos: found.join(', ') } });
    return found[0] ?? null;
  };
  const typed = body.documento ?? '';
  const subject = readForeignSubject(typed);
  const document = typed.includes('@') && subject === null ? await documentOfEmail(typed) : typed;
  if (document === null) return { documento: typed, cuenta: null, registros: [] };
  const name = subject ?? { document: parseDocument(document) };
  const found = 'document' in name ? await lookUpHolder(registry, name.document) : null;
  const looked = await commands.run(toAgentOrigin(origin), async (command) => {
    const { tx, now, audit } = command;
    const agent = await findAgent(tx, caller);
    const citizen = 'document' in name ? await findCitizenByDocument(tx, name.document) : null;
    const records = await listForeignRecords(command, name, agent.signature);
    if (citizen !== null || records.length === 0)
      await audit('account-shown', citizen?.id ?? null, { operator: agent.signature, ...listAuditDetails(name) });
    const sessions = citizen === null ? 0 : await countSessions(tx, citizen.id, now);
    const waiting = citizen === null ? [] : await listPendingActs(tx, citizen.id, now);
    const hasFactor = citizen !== null && hasAnyActiveFactor(await findActiveFactors(tx, citizen.id));
    return { agent, citizen, sessions, hasFactor, waiting, records };
  });
  const { agent, citizen, sessions, hasFactor, waiting, records } = looked;
  return {
    documento: 'document' in name ? formatDocumentId(name.document) : formatForeignSubject(name),
    cuenta:
      citizen === null || found === null
        ? null
        : toAccountAnswer(citizen, found, { sessions, hasFactor, waiting, agent, config }),
    registros: await toForeignRecordAnswers({ config, store }, records, agent),
  };
};

export const actOnAccount: AnswerHandler<'actOnAccount'> = async (
  { commands, config, registry, store, callMails },
  { body, caller, origin },
) => {
  const document = parseDocument(body.documento ?? '');
  const name = body.acto ?? '';
  if (!isAct(name)) throw new OperationError(400, 'acto_invalido', { field: 'acto' });
  if (inPersonActs.includes(name) && body.visto !== true) throw createNotSeenError();
  const agent = await findAgent(store.db, caller);
  const registered = name === 'corregir' ? await findHolder(registry, document) : null;
  const outcome = await act(
    { commands, config, callMails },
    {
      act: actsByFormValue[name],
      document,
      reason: (body.motivo ?? '').trim(),
      operator: agent.signature,
      registryHolder: registered,
      seat: { id: agent.id, name: agent.name, origin: toAgentOrigin(origin) },
    },
  );
  throwRefusal(outcome);
  return { hecho: outcome === 'done', espera: outcome === 'waits' };
};

/**
 * Starts a change of e-mail address for a citizen who lost access to the mailbox. A mailed link confirms the new address, and the previous address
 * gets a notice.
 */
export const startEmailChange: AnswerHandler<'startEmailChange'> = async (dependencies, { body, caller, origin }) => {
  const document = parseDocument(body.documento ?? '');
  const email = readEmail(body.email);
  if (body.visto !== true) throw createNotSeenError();
  const reason = (body.motivo ?? '').trim();
  return await startEmailChangeInPerson(dependencies, { document, email, reason }, createAgentActor(caller, origin));
};

/** Starts a change of e-mail address that a citizen requested in person from an agent, or from an operator on the command line. */
export async function startEmailChangeInPerson(
  { commands, config }: Pick<HandlerContext, 'commands' | 'config'>,
  { document, email, reason }: { document: Document; email: string; reason: string },
  { origin, by }: DeskActor,
): Promise<{ hecho: boolean; espera: boolean }> {
  const outcome = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const agent = await by(tx);
    const citizen = await findCitizenByDocument(tx, document);
    const refuse = async (error: OperationError) => {
      const about = { operator: agent.signature, act: 'email', document: formatDocumentId(document) };
      await audit('account-act-refused', citizen?.id ?? null, { ...about, outcome: error.code });
      return error;
    };
    if (citizen === null) return refuse(createRefusal('unknown'));
    if (citizen.id === agent.id) return refuse(createRefusal('own'));
    if (citizen.blocked_at !== null) return refuse(createRefusal('inactive'));
    if (email === citizen.email) return refuse(new OperationError(400, 'correo_igual', { field: 'email' }));
    const eyes = { agent: agent.id, name: agent.name };
    const weighed = await admitDualControlAct(
      tx,
      config,
      { citizenId: citizen.id, act: 'email', detail: email, ...eyes },
      now,
    );
    if (weighed === 'refused') return refuse(createRefusal('other-agent'));
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
  found: RegistryResult,
  {
    sessions,
    hasFactor,
    waiting,
    agent,
    config,
  }: { sessions: number; hasFactor: boolean; waiting: readonly PendingAct[]; agent: Agent; config: Config },
) {
  const isOwn = citizen.id === agent.id;
  const { nid, rid } = toLevel(citizen);
  const blocked = citizen.blocked_at !== null;
  const comparacion = compareWithRegistry([...listNames(citizen), ['documento', citizen.number]], found.holder);
  const canHelp = (name: HelpAct) => findHelpActObstacle(name, citizen, config) === null && isHelpDue(name, citizen);
  const possible = {
    bloquear: !blocked,
    desbloquear: blocked,
    restringir: citizen.features,
    habilitar: !citizen.features,
    cerrar_sesiones: sessions > 0,
    elevar: nid < secondFactorNid && canRaiseLevel(citizen),
    quitar_doble_factor: hasFactor && !isAgent(citizen.permissions),
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

/** Form values of the actions that wait for a second agent. */
const pendingActNames = {
  level: 'elevar',
  email: 'correo',
  factors: 'quitar_doble_factor',
  closure: 'cerrar_cuenta',
  proofing: 'habilitar',
} as const;

async function findHolder(registry: Registry, document: Document) {
  const { holder } = await lookUpHolder(registry, document);
  if (holder === null) throw new OperationError(409, 'registro_sin_datos');
  return holder;
}

function isAct(name: string): name is keyof typeof actsByFormValue {
  return Object.hasOwn(actsByFormValue, name);
}

function createNotSeenError(): OperationError {
  return new OperationError(400, 'documento_no_visto', { field: 'visto' });
}
