import { answers } from '../../contract/answers.ts';
import { isObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import { sampleAccount, sampleCitizens, type SampleCitizen } from '../../server/app/sample/sample-citizens.ts';
import { citizenAnswer } from '../../server/trust/identity/citizen-answer.ts';
import { fullName } from '../../server/trust/identity/citizens.ts';
import { demandsSecondFactor, levelOf } from '../../server/trust/identity/levels.ts';
import type { Persona, PersonaLevel } from '../dev-data.ts';
import lifelike from './lifelike.json' with { type: 'json' };
import { sampleOf } from './sample-of.ts';

const now = new Date('2026-11-26T12:00:00Z');

/** The sample citizens with an account, as the portal knows them once they have signed in. */
export const personas: readonly Persona[] = sampleCitizens.flatMap((citizen) =>
  citizen.password === null ? [] : [personaOf(citizen)],
);

/** What a level changes of who has it, by its name in the specification (4.1). */
export const personaLevels: readonly PersonaLevel[] = ['Autoregistrado', 'Verificado', 'Certificado'].map((level) => {
  const { code, trust, rid } = levelOf({ level });
  return {
    name: level,
    user: { nivel: code, nivel_de_confianza: { value: trust }, rid },
    demandsFactor: demandsSecondFactor({ level }),
  };
});

function personaOf(sample: SampleCitizen): Persona {
  const account = sampleAccount(sample, now);
  const citizen = {
    ...account,
    id: `sample-${sample.kind}`,
    country_name: lifelike['pais_emisor.nombre'],
    type_name: lifelike['tipo_documento.nombre'],
    features: true,
    closing_at: null,
    idp: null,
    password_changed_at: now,
  };
  const user = citizenAnswer(citizen, {
    pendingEmail: null,
    proven: false,
    factorDue: demandsSecondFactor(citizen),
    sessionNid: 1,
    permissions: account.permissions,
    call: null,
    supportCall: null,
  });
  const called = sample.kind === 'called' ? { info_tramite_videollamada_pendiente: sampleCall() } : {};
  return { kind: sample.kind, name: fullName(citizen), user: { ...user, ...called } };
}

/** A call as the record of a citizen has it. */
function sampleCall(): Json {
  const record = sampleOf(answers.citizen as unknown as JsonObject, 'citizen'); // schemas of the contract are JSON
  return isObject(record) ? ((record as JsonObject)['info_tramite_videollamada_pendiente'] ?? null) : null;
}
