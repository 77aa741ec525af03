import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expandVariablePaths } from '../../../../src/engine/compiler/flow/unexpanded-flow-types.ts';
import { renderLogicTemplate } from '../../../../src/engine/core/json-logic.ts';
import { buildCitizenResponse } from '../../../../src/server/trust/identity/citizen-response.ts';
import { getIdentityLevel } from '../../../../src/server/trust/identity/assurance-levels.ts';
import { buildConsentFacts } from '../../../../src/server/trust/federation/consents.ts';
import { unknownCitizen } from '../../support/citizen-data.ts';

const flow = JSON.parse(await readFile('flows/autorizacion.json', 'utf8'));
const { assign } = flow.states.pedido.invoke.onDone;
const { input } = flow.states.pedido.on.decide;

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

test.each(cases)(
  '[CONS-03 ENT-01] consent facts of the browser equal those of the server: $country, level $level, session nid $nid',
  ({ country, level, nid, ...facts }) => {
    const record = { ...unknownCitizen, country, level };
    expect(buildConsentFacts(record, nid)).toEqual(facts);
    const user = buildCitizenResponse(record, {
      pendingEmail: null,
      proven: false,
      factorDue: false,
      sessionNid: nid,
      permissions: {},
      call: null,
      supportCall: null,
    });
    expect(user).toMatchObject({ rid: getIdentityLevel(record).rid, acr: `urn:iduruguay:nid:${nid}` });
    const context = renderLogicTemplate(expandVariablePaths(assign), { result: buildConsentFacts(record, nid) });
    expect(
      renderLogicTemplate(expandVariablePaths(input), { user, context, form: { allow: true } }),
      'input that the browser sends',
    ).toMatchObject(facts);
  },
);
