import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { render } from '../../src/engine/core/logic.ts';
import { citizenAnswer, levelOf } from '../../src/server/identity/citizen-answer.ts';
import { consentFacts } from '../../src/server/federation/consents/consent-facts.ts';
import type { Citizen } from '../../src/server/identity/citizens.ts';

const flow = JSON.parse(await readFile('flows/autorizacion.json', 'utf8'));
const { input } = flow.states.pedido.on.decide;

const citizen: Citizen = {
  id: 'c',
  country: 'uy',
  type: 'ci',
  number: '1',
  first_name: 'A',
  second_name: '',
  first_surname: 'B',
  second_surname: '',
  email: null,
  email_verified_at: null,
  phone: null,
  origin: 'WEB',
  level: '',
  signature: null,
  permissions: {},
  features: true,
  active_at: null,
  blocked_at: null,
  closing_at: null,
  last_login_at: null,
  created_at: new Date(0),
  country_name: 'U',
  type_name: 'C',
  password_changed_at: null,
};

const high = ['Verificado', 'Certificado'];
const cases = ['uy', 'ar', 'br'].flatMap((country) =>
  ['', 'Autoregistrado', 'Autoregistro con CI', ...high].flatMap((level) =>
    [0, 1, 2, 3].map((nid) => ({
      country,
      level,
      nid,
      es_extranjero: country !== 'uy',
      rid_alto_sin_2do_factor: high.includes(level) && nid < 2,
    })),
  ),
);

test.each(cases)('[CONS-03 ENT-01] $country, level $level, session nid $nid', ({ country, level, nid, ...facts }) => {
  const record = { ...citizen, country, level };
  expect(consentFacts(record, nid)).toEqual(facts);
  const user = citizenAnswer(record, { pendingEmail: null, proven: false, sessionNid: nid });
  expect(user).toMatchObject({ rid: levelOf(record).rid, acr: `urn:iduruguay:nid:${nid}` });
  expect(render(input, { user, context: {}, form: { allow: true } }), 'what the browser sends').toMatchObject(facts);
});
