import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiContract, type OperationName } from '../../../../src/contract/contract.ts';
import { DefinitionError, type ServedDefinitions } from '../../../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../../../src/engine/compiler/sources/load-cache.ts';
import type { ValuesByName } from '../../../../src/engine/core/json.ts';
import { createDefinitionOptions } from '../../../../src/server/app/definition-options.ts';
import {
  validateBody,
  listExtraFields,
  selectBodyValidationScreens,
} from '../../../../src/server/web/operations/validate-body.ts';
import { buildOpenApi } from '../../../../src/server/web/operations/openapi.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { createOwner, withoutLimits } from '../../support/account.ts';
import { defaultDatabase } from '../../support/databases.ts';
import { createAgent } from '../../support/desk.ts';
import { recordIdentityProof } from '../../support/sign-in-browser.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** An additional step of the support wizard. */
const step = {
  'schemas/agenda-soporte-atencion/schema.json': {
    type: 'object',
    required: ['idioma'],
    properties: {
      idioma: { type: 'string', enum: ['es', 'lsu'] },
      detalle: { type: 'string', maxLength: 9000, pattern: '^[^<>]*$' },
      interprete: { type: 'boolean' },
      perfil: { type: 'string', maxLength: 20 },
      oculto: { type: 'string', maxLength: 20 },
      dias: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['lu', 'ma'] } },
      personas: {
        type: 'array',
        maxItems: 2,
        items: {
          type: 'object',
          required: ['nombre'],
          properties: { nombre: { type: 'string', maxLength: 20 } },
        },
      },
    },
  },
  'schemas/agenda-soporte-atencion/ui.json': {
    title: 'Cómo te atendemos',
    fields: {
      idioma: { 'ui:title': '¿En qué lengua?', 'ui:enumNames': ['Español', 'Lengua de señas'] },
      detalle: { 'ui:title': 'Contanos más' },
      interprete: { 'ui:title': 'Voy con intérprete' },
      perfil: { 'ui:title': 'Tu perfil', 'ui:readonly': true },
      oculto: { 'ui:widget': 'hidden' },
      dias: { 'ui:title': 'Días', 'ui:widget': 'checkboxes', 'ui:enumNames': ['Lunes', 'Martes'] },
      personas: { 'ui:title': 'Personas', items: { 'ui:title': 'Persona', nombre: { 'ui:title': 'Nombre' } } },
    },
    actions: [
      { event: 'submit', text: 'Continuar', primary: true },
      { event: 'back', text: 'Volver' },
    ],
  },
  'schemas/agenda-soporte-atencion/ui.pt.json': {
    title: 'Como atendemos você',
    fields: {
      idioma: { 'ui:title': 'Em que língua?', 'ui:enumNames': ['Espanhol', 'Língua de sinais'] },
      detalle: { 'ui:title': 'Conte mais' },
      interprete: { 'ui:title': 'Vou com intérprete' },
      perfil: { 'ui:title': 'O seu perfil' },
      dias: { 'ui:title': 'Dias', 'ui:enumNames': ['Segunda', 'Terça'] },
      personas: { 'ui:title': 'Pessoas', items: { 'ui:title': 'Pessoa', nombre: { 'ui:title': 'Nome' } } },
    },
    actions: { submit: 'Continuar', back: 'Voltar' },
  },
};

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'extra-'));
  for (const name of ['schemas', 'flows']) await cp(join(root, name), join(copy, name), { recursive: true });
  await symlink(join(root, 'plugins'), join(copy, 'plugins'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, object>>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(join(copy, file, '..'), { recursive: true });
    await writeFile(join(copy, file), JSON.stringify(content));
  }
}

const flow = 'flows/agenda-soporte.json';

/** Inserts the step between contact and date. Returns the original flow. */
async function addStep(): Promise<string> {
  await write(step);
  const before = await readFile(join(copy, flow), 'utf8');
  const after = before
    .replace('    "fecha",\n    "confirmar"\n', '    "atencion",\n    "fecha",\n    "confirmar"\n')
    .replace('"assign": "quien", "target": "fecha"', '"assign": "quien", "target": "atencion"')
    .replace('"on": { "submit": "fecha" }', '"on": { "submit": "atencion" }') // the transition of the phone step
    .replace(
      '"fecha": {\n      "path"',
      `"atencion": {
        "path": "/contacto-videollamada/atencion", "screen": "agenda-soporte-atencion", "on": { "submit": "fecha" }
      },
      "fecha": {\n      "path"`,
    );
  await writeFile(join(copy, flow), after);
  return before;
}

const cache = new DefinitionLoadCache();
const load = (change: object = {}) =>
  loadDefinitions({ ...createDefinitionOptions(root), root: copy, ...change }, cache);
const named = (fields: readonly { readonly campo: string }[]) => fields.map(({ campo }) => campo);

describe('fields that no operation declares', () => {
  let set: ServedDefinitions;
  let before: string;
  beforeAll(async () => {
    before = await addStep();
    set = await load();
  }, 60_000);

  const who = {
    nombre_completo: 'Inés Quiroga',
    pais_emisor: 'ar',
    tipo_documento: 'psp',
    numero_documento: 'AGE1',
    correo_electronico: 'ines@example.com',
    numero_telefono: '+598 99 123 456',
    asunto: 'firma',
    mensaje: 'No puedo firmar.',
    fecha: '2026-12-01',
    hora: '09:00:00',
    captcha_response: 'solved',
  };
  const asked = { idioma: 'lsu', detalle: 'Soy sorda.', interprete: true, dias: ['ma'], personas: [{ nombre: 'Ema' }] };
  const check = (body: ValuesByName, name: OperationName = 'bookSupportCall') =>
    validateBody({
      operation: apiContract[name],
      screens: selectBodyValidationScreens(name, set),
      body,
      language: 'es',
      definitions: set,
      context: () => Promise.resolve({ authenticated: false, flags: {} }),
      formVersion: undefined,
    });

  test('[ANA-01] a step added to a flow is validated with the others and appears in the OpenAPI document', async () => {
    expect(selectBodyValidationScreens('bookSupportCall', set)).toContain('agenda-soporte-atencion');
    await expect(check({ ...who, ...asked })).resolves.toMatchObject({ idioma: 'lsu' });
    await expect(check(who)).rejects.toMatchObject({ errors: { idioma: expect.any(String) as string } });
    await expect(check({ ...who, ...asked, idioma: 'fr' })).rejects.toMatchObject({
      errors: { idioma: expect.any(String) as string },
    });
    await expect(check({ ...who, ...asked, detalle: '<b>' })).rejects.toMatchObject({
      errors: { detalle: expect.any(String) as string },
    });
    await expect(check({ ...who, ...asked, nadie: 'x' }), 'field that no screen has').rejects.toMatchObject({
      errors: expect.any(Object) as object,
    });
    expect(JSON.stringify(buildOpenApi(set, { server: 'https://x.example', side: 'citizens' }))).toContain('"detalle"');
  });

  test('[ANA-01] listExtraFields returns titles and values as drawn, without read-only and hidden fields', () => {
    const body = { ...who, ...asked, perfil: 'Inés', oculto: 'x' };
    expect(listExtraFields('bookSupportCall', body, set)).toEqual([
      { campo: 'idioma', titulo: '¿En qué lengua?', valor: 'Lengua de señas' },
      { campo: 'detalle', titulo: 'Contanos más', valor: 'Soy sorda.' },
      { campo: 'interprete', titulo: 'Voy con intérprete', valor: 'Sí' },
      { campo: 'dias', titulo: 'Días', valor: 'Martes' },
      { campo: 'personas', titulo: 'Personas', valor: 'Nombre: Ema' },
    ]);
    expect(listExtraFields('bookSupportCall', { ...body, interprete: false }, set)[2]).toMatchObject({ valor: 'No' });
  });

  test('[ANA-01] listExtraFields omits fields that the operation or its wizard already declares', () => {
    const elevation = { terminos: true, clausula: true, numero_serie: '007HEC', numero_telefono: '1', fecha: 'x' };
    expect(listExtraFields('bookElevation', elevation, set)).toEqual([]);
    const message = { ...who, email: 'a@example.com', telefono: '1', logueado: true };
    expect(named(listExtraFields('sendContactMessage', message, set))).toEqual([]);
  });

  test('[ANA-01] listExtraFields rejects more than 8 kB with 413', () => {
    const body = { ...who, ...asked, detalle: 'ñ'.repeat(4_500) };
    expect(() => listExtraFields('bookSupportCall', body, set)).toThrow(
      expect.objectContaining({ status: 413, code: 'cuerpo_demasiado_grande' }) as Error,
    );
  });

  test('[ANA-01 ANA-02] loadDefinitions rejects an added step in the wizard of an operation that stores no extra fields', async () => {
    const error: unknown = await load({ extra: [] }).catch((reason: unknown) => reason);
    expect(error instanceof DefinitionError && error.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"bookSupportCall"'),
    ]);
  });

  test('[ANA-01] loadDefinitions rejects an added step with variables the server lacks, and a wizard without a declared step', async () => {
    const schema = step['schemas/agenda-soporte-atencion/ui.json'];
    await write({
      'schemas/agenda-soporte-atencion/ui.json': { ...schema, visible: { detalle: { var: 'digitalSignature' } } },
    });
    await expect(load()).rejects.toMatchObject({
      problems: [{ file: 'schemas/agenda-soporte-atencion/ui.json', pointer: '/visible/detalle' }],
    });
    await write({ 'schemas/agenda-soporte-atencion/ui.json': schema });
    const now = await readFile(join(copy, flow), 'utf8');
    const without = now.replace('    "atencion",\n    "fecha",\n', '    "atencion",\n');
    expect(without).not.toBe(now);
    await writeFile(join(copy, flow), without);
    await expect(load()).rejects.toBeInstanceOf(DefinitionError);
    await writeFile(join(copy, flow), before);
  });
});

describe.each([defaultDatabase])('values of extra fields, on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database, parts: withoutLimits, env: { SUPPORT_HOURS: 'mon-sun 09:00-10:00 x2' } });
  });
  afterAll(() => server.close());
  const extra = [{ campo: 'idioma', titulo: '¿En qué lengua?', valor: 'Lengua de señas' }];
  const years = 2 * 365 * 24 * 60 * 60;

  test('[ANA-01] are shown to agents, mailed and exported, not written to the audit log, and purged with their record', async () => {
    const { id, caller } = await createOwner(server, `EXTRA${database}`.toUpperCase());
    const agent = await createAgent(server, `EXA${database}`.toUpperCase());
    const dates = await server.call('getSupportDates');
    const shared = { numero_telefono: '+598 99 123 456', asunto: 'firma', mensaje: 'Hola.' };
    const body = { ...shared, fecha: dates.body[2]?.fecha ?? '', hora: '09:00:00', captcha_response: '' };
    const booked = await server.call('bookSupportCall', { body, extra, caller });
    const shown = await server.call('getDeskCall', { caller: agent, params: { id: booked.body.id } });
    expect(shown.body.agregado).toEqual(extra);

    const document = { pais_emisor: 'ar', tipo_documento: 'psp', numero_documento: 'EXTRA1' };
    const message = {
      ...document,
      nombre_completo: 'Inés Quiroga',
      email: 'ines@example.com',
      telefono: '+598 99 123 456',
      asunto: 'otro',
      mensaje: 'Hola.',
      captcha_response: await server.solveCaptcha(),
    };
    await server.call('sendContactMessage', { body: message, extra, caller });
    expect((await server.call('getDeskMessages', { caller: agent })).body.mensajes[0]?.agregado).toEqual(extra);
    const mails = await server.mails();
    const toSupport = mails.filter(({ text }) => text.includes('¿En qué lengua?: Lengua de señas'));
    expect(toSupport.map(({ recipient }) => recipient)).toEqual(['soporte@localhost']);

    await recordIdentityProof(server, caller);
    const { datos } = (await server.call('exportData', { caller, params: { id } })).body;
    expect(datos.videollamadas[0]?.agregado).toEqual(extra);
    expect(datos.mensajes[0]?.agregado).toEqual(extra);
    const { db } = server.parts.store;
    expect(JSON.stringify(await db.selectFrom('audit').selectAll().execute())).not.toContain('Lengua de señas');
    server.clock.advance(years + 10 * 24 * 60 * 60);
    await purgeExpiredData(server.parts, server.clock.now());
    expect(await db.selectFrom('video_calls').select('extra').execute()).toEqual([]);
    expect(await db.selectFrom('contact_messages').select('extra').execute()).toEqual([]);
  });
});
