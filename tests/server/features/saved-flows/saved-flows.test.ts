import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/server/platform/base/operation-request.ts';
import { requestBodySchemas } from '../../../../src/contract/payload-schemas.ts';
import { apiContract } from '../../../../src/contract/contract.ts';
import type { ServedDefinitions } from '../../../../src/engine/compiler/definitions.ts';
import { authorizeOperation } from '../../../../src/server/web/operations/operation-route.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { loadProject } from '../../../engine/support/project.ts';
import { savedBookingFlow, savedWizardForms, createSavedWizard } from '../../../engine/support/saved-wizard.ts';
import { createActiveCitizen } from '../../support/citizen-data.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { recordIdentityProof, signInCitizen } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const password = 'la-frase-correcta';
const day = 24 * 60 * 60;
const contact = { name: 'Ana', email: 'ana@casa.uy' };
const time = { day: '2027-03-01', hour: '10:30' };
const journey = {
  estado: 'confirm',
  hechos: ['contact', 'time'],
  formularios: { contact, time },
  variables: { who: 'Ana' },
};
const nothing = { guardado: null };

/** Creates definitions whose wizard ends with an operation of the contract. */
async function wizardOf(change: (flow: { save?: object }) => void = () => undefined): Promise<ServedDefinitions> {
  const call = 'updatePhone';
  const flow = JSON.parse(JSON.stringify(savedBookingFlow).replace('"src":"save"', `"src":"${call}"`)) as {
    save?: object;
  };
  change(flow);
  const { definitions, problems } = await loadProject(
    { ...createSavedWizard(), 'flows/main.json': flow },
    { operations: [call], forms: { [call]: savedWizardForms.save } },
  );
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

describe.each([defaultDatabase])('[ENG-08] saved progress of a flow, on %s', (database) => {
  let server: TestServer;
  let current: ServedDefinitions;
  let full: ServedDefinitions;
  beforeAll(async () => {
    current = full = await wizardOf();
    server = await openTestServer({ database, parts: (parts) => ({ ...parts, definitions: () => current }) });
  }, 60_000);
  afterAll(() => server.close());

  let citizens = 0;
  const someone = async (): Promise<Caller> => {
    const number = `WAY${(citizens += 1)}`;
    await createActiveCitizen(server, number, password);
    return (await signInCitizen(server, number, password)).caller;
  };
  const params = { flujo: 'main' };
  const save = (caller: Caller, body: object = journey, flujo = 'main') =>
    server.call('saveFlow', { caller, params: { flujo }, body });
  const saved = async (caller: Caller, flujo = 'main') =>
    (await server.call('getSavedFlow', { caller, params: { flujo } })).body;
  const rows = (caller: Caller) =>
    server.parts.store.db.selectFrom('saved_flows').selectAll().where('citizen_id', '=', caller.citizenId).execute();
  const actions = async ({ citizenId }: Caller) =>
    (
      await server.parts.store.db
        .selectFrom('audit')
        .select('action')
        .where('citizen_id', '=', citizenId)
        .orderBy('seq')
        .execute()
    )
      .map(({ action }) => action)
      .filter((action) => action.startsWith('flow-'));

  test('is returned as saved, and the latest replaces the previous one', async () => {
    const caller = await someone();
    expect(await saved(caller)).toEqual(nothing);
    await save(caller, { ...journey, estado: 'time', hechos: ['contact'], formularios: { contact } });
    await save(caller);
    expect(await saved(caller)).toEqual({ guardado: journey });
    expect(await rows(caller)).toHaveLength(1);
    expect(await actions(caller)).toEqual(['flow-saved']);
  });

  test('belongs to the signed-in citizen, also if its row is moved to another account', async () => {
    const [one, other] = [await someone(), await someone()];
    await save(one);
    expect(await saved(other)).toEqual(nothing);
    await server.call('forgetFlow', { caller: other, params });
    expect(await saved(one)).toEqual({ guardado: journey });
    for (const name of ['getSavedFlow', 'saveFlow', 'forgetFlow'] as const)
      expect(() => authorizeOperation(apiContract[name], null, params), name).toThrow(
        expect.objectContaining({ status: 401 }),
      );
    const [row] = await rows(one);
    await server.parts.store.db
      .insertInto('saved_flows')
      .values({ ...row!, citizen_id: other.citizenId })
      .execute();
    expect(await saved(other), 'row moved to another account').toEqual(nothing);
  });

  test('is encrypted for its citizen and flow, and a tampered row counts as none', async () => {
    const caller = await someone();
    await save(caller);
    const [row] = await rows(caller);
    const { db } = server.parts.store;
    const text = `${JSON.stringify(row)} ${Buffer.from(row!.sealed, 'base64url').toString('latin1')}`;
    for (const part of ['Ana', 'casa.uy', '10:30', 'contact', 'confirm']) expect(text).not.toContain(part);
    const { vault } = server.parts;
    expect(() => vault.decrypt(`saved-flow:${caller.citizenId}:other`, row!.sealed)).toThrow();
    expect(vault.decrypt(`saved-flow:${caller.citizenId}:main`, row!.sealed)).toContain('ana@casa.uy');
    const forged = row!.sealed.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
    await db.updateTable('saved_flows').set({ sealed: forged }).where('citizen_id', '=', caller.citizenId).execute();
    expect(await saved(caller)).toEqual(nothing);
    await save(caller);
    expect(await saved(caller), 'undecryptable progress can be replaced').toEqual({ guardado: journey });
  });

  test('contains no secret, no file and no field or variable that the flow does not declare', async () => {
    const caller = await someone();
    await save(caller, {
      estado: 'time',
      hechos: ['contact', 'booked', 'toString'],
      formularios: {
        contact: {
          ...contact,
          own: 'x',
          note: ' DATA:text/plain,file',
          pin: 'p1',
          more: { deep: 'deeper' },
          __proto__: 1,
        },
        time: { ...time, serial: 'X1' },
        confirm: { pin: '4321' },
        booked: { a: 1 },
        constructor: { a: 1 },
      },
      variables: { who: 'Ana', booked: true, plain: 'p', constructor: 'c' },
    });
    const held = server.parts.vault.decrypt(`saved-flow:${caller.citizenId}:main`, (await rows(caller))[0]!.sealed);
    expect(JSON.parse(held)).toEqual({
      state: 'time',
      done: ['contact'],
      forms: { contact, time, confirm: {} },
      variables: { who: 'Ana' },
    });
  });

  test.each(['unknown', 'constructor', '__proto__'])('is neither saved nor returned for the flow %s', async (flujo) => {
    const caller = await someone();
    await expect(save(caller, journey, flujo)).rejects.toMatchObject({ status: 404 });
    expect(await saved(caller, flujo)).toEqual(nothing);
    await server.call('forgetFlow', { caller, params: { flujo } });
    expect(await rows(caller)).toEqual([]);
  });

  test('is rejected for a state that the flow does not have', async () => {
    const caller = await someone();
    await expect(save(caller, { ...journey, estado: 'booked' })).rejects.toMatchObject({ status: 404 });
    expect(await rows(caller)).toEqual([]);
  });

  test('has at most 64 kB, 100 forms and 100 completed states', () => {
    const { formularios, hechos } = requestBodySchemas.savedFlow.properties;
    expect([apiContract.saveFlow.limitKb, formularios.maxProperties, hechos.maxItems]).toEqual([64, 100, 100]);
  });

  test('expires after the days that the flow declares, and is purged', async () => {
    const caller = await someone();
    await save(caller);
    server.clock.advance(7 * day - 1);
    expect(await saved(caller)).toEqual({ guardado: journey });
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await rows(caller)).toHaveLength(1);
    server.clock.advance(2);
    expect(await saved(caller)).toEqual(nothing);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await rows(caller)).toEqual([]);
  });

  test('is not available while the flow declares no saving', async () => {
    const caller = await someone();
    await save(caller);
    current = await wizardOf((flow) => {
      delete flow.save;
      Object.assign(flow, { context: {} });
    });
    expect(await saved(caller)).toEqual(nothing);
    await expect(save(caller)).rejects.toMatchObject({ status: 404 });
    current = full;
    expect(await saved(caller)).toEqual({ guardado: journey });
  });

  test('is deleted by forgetFlow', async () => {
    const caller = await someone();
    await save(caller);
    await server.call('forgetFlow', { caller, params });
    await server.call('forgetFlow', { caller, params });
    expect([await saved(caller), await rows(caller)]).toEqual([nothing, []]);
    expect(await actions(caller)).toEqual(['flow-saved', 'flow-forgotten']);
  });

  test('is deleted by the operation that ends the flow, only for its citizen, and not if that is rejected', async () => {
    const [caller, other] = [await someone(), await someone()];
    await save(caller);
    await save(other);
    await recordIdentityProof(server, caller);
    const end = () => server.call('updatePhone', { caller, body: { numero_telefono: '+59899123456' } });
    await end();
    expect([await saved(caller), await saved(other)]).toEqual([nothing, { guardado: journey }]);
    const often = async () => {
      for (let count = 0; count < 20; count += 1) {
        await save(caller);
        await end();
      }
    };
    await expect(often()).rejects.toMatchObject({ status: 429 });
    expect(await saved(caller), 'not deleted by a rejected call').toEqual({ guardado: journey });
  });

  test('is deleted when the account closes, and not saved while it is closing', async () => {
    const caller = await someone();
    await save(caller);
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set({ verified_at: server.clock.now() })
      .where('id', '=', caller.sessionId)
      .execute();
    await server.call('closeAccount', { caller, params: { id: caller.citizenId }, body: { confirmacion: 'CERRAR' } });
    await save(caller);
    expect(await rows(caller)).toEqual([]);
  });

  test('is included in the data export', async () => {
    const caller = await someone();
    await save(caller);
    await server.parts.store.db
      .updateTable('broker_sessions')
      .set({ verified_at: server.clock.now() })
      .where('id', '=', caller.sessionId)
      .execute();
    const { datos } = (await server.call('exportData', { caller, params: { id: caller.citizenId } })).body;
    expect(datos.borradores).toEqual([
      {
        flujo: 'main',
        guardado: server.clock.now().toISOString(),
        vence: new Date(server.clock.now().getTime() + 7 * day * 1000).toISOString(),
        formularios: { contact, time },
      },
    ]);
  });

  test('rejects frequent deletions with 429', async () => {
    const caller = await someone();
    const address = '203.0.113.99';
    const tries = async () => {
      for (let count = 0; count < 300; count += 1) await server.call('forgetFlow', { caller, params, address });
    };
    await expect(tries()).rejects.toMatchObject({ status: 429 });
  });
});
