import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  comparePersonNames,
  findDifferingNameField,
  applyRegistrySpelling,
} from '../../../src/server/trust/identity/registry/compare-names.ts';
import {
  createHttpIdentityRegistry,
  RegistryUnreachableError,
} from '../../../src/server/trust/identity/registry/identity-registry.ts';
import { parseCsv } from '../../../src/server/trust/identity/registry/import-registry-csv.ts';
import { sampleCitizens } from '../../../src/server/app/sample/sample-citizens.ts';
import { openTestServer } from '../support/test-server.ts';

describe('names compared with the registry', () => {
  const registered = {
    firstName: 'María',
    secondName: 'José',
    firstSurname: 'D’Alessandro',
    secondSurname: 'Méndez-Rojas',
  };
  test.each([
    { note: 'as written', given: {}, expected: 'agree' },
    { note: 'without accents, in capitals', given: { firstName: 'MARIA' }, expected: 'agree' },
    { note: 'with another apostrophe', given: { firstSurname: "D'Alessandro" }, expected: 'agree' },
    { note: 'with white space', given: { firstSurname: ' d alessandro ' }, expected: 'agree' },
    { note: 'with a space instead of the hyphen', given: { secondSurname: 'Mendez Rojas' }, expected: 'agree' },
    { note: 'in decomposed Unicode', given: { firstName: 'Mari\u0301a' }, expected: 'agree' },
    { note: 'without the optional names', given: { secondName: '', secondSurname: '' }, expected: 'agree' },
    { note: 'another surname', given: { firstSurname: 'Pérez' }, expected: 'surname-differs' },
    { note: 'no surname', given: { firstSurname: '' }, expected: 'surname-differs' },
    {
      note: 'another surname and first name',
      given: { firstSurname: 'Pérez', firstName: 'Ana' },
      expected: 'surname-differs',
    },
    { note: 'another first name', given: { firstName: 'Mario' }, expected: 'names-differ' },
    { note: 'both names in the first field', given: { firstName: 'María José', secondName: '' }, expected: 'agree' },
    {
      note: 'both surnames in the first field',
      given: { firstSurname: 'D’Alessandro Méndez', secondSurname: 'Rojas' },
      expected: 'agree',
    },
    {
      note: 'first and second name swapped',
      given: { firstName: 'José', secondName: 'María' },
      expected: 'names-differ',
    },
    { note: 'another second name', given: { secondName: 'Inés' }, expected: 'names-differ' },
  ])('[REG-05 REG-10] $note: $expected', ({ given, expected }) => {
    expect(comparePersonNames({ ...registered, ...given }, registered)).toBe(expected);
  });

  test.each([
    ['all four fields', {}, registered],
    [
      'without the optional names',
      { secondName: '', secondSurname: '' },
      { ...registered, secondName: '', secondSurname: '' },
    ],
    ['both names in one field', { firstName: 'maria jose', secondName: '' }, registered],
    ['surnames split differently', { firstSurname: 'dalessandro mendez', secondSurname: 'rojas' }, registered],
  ])('[REG-05] get the spelling of the registry: %s', (_note, given, expected) => {
    const typed = {
      firstName: 'MARIA',
      secondName: 'jose',
      firstSurname: 'd alessandro',
      secondSurname: 'MENDEZ ROJAS',
      ...given,
    };
    expect(applyRegistrySpelling(registered, typed)).toEqual(expected);
  });

  test.each([
    ['primer_nombre', { firstName: 'Mario' }],
    ['segundo_nombre', { secondName: 'Inés' }],
    ['segundo_apellido', { secondSurname: 'Silva' }],
    ['primer_nombre', { firstName: 'Mario', secondName: 'Inés', secondSurname: 'Silva' }],
  ] as const)('[REG-05] differ in the field %s', (field, given) => {
    expect(findDifferingNameField({ ...registered, ...given }, registered)).toBe(field);
  });
});

describe('HTTP registry', () => {
  let service: Server;
  let url: string;
  const asked: unknown[] = [];
  const find = async (number: string, token: string | null = null) =>
    (
      await createHttpIdentityRegistry({ url, token, tls: { prefix: 'REGISTRY', roots: null, certificate: null } })
    ).findHolder(number);
  beforeAll(async () => {
    service = createServer(async (request, response) => {
      asked.push([request.method, request.url, request.headers.authorization]);
      const { cedula: number } = (await json(request)) as { cedula: string };
      if (number === '1')
        response.end(
          JSON.stringify({
            primer_nombre: 'Ana',
            primer_apellido: 'Sosa',
            segundo_apellido: null,
            fecha_nacimiento: '1988-03-14',
            numero_serie: '007HEC',
          }),
        );
      else if (number === '2') response.writeHead(404).end();
      else if (number === '3') response.writeHead(500).end();
      else if (number === '4') response.end('<html>');
      else if (number === '5') response.end('[]');
      else response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const address = service.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/personas?v=1`;
  });
  afterAll(() => new Promise((resolve) => service.close(resolve)));

  test('[REG-10] returns the holder of a document number, or null', async () => {
    expect(await find('1')).toEqual({
      firstName: 'Ana',
      secondName: '',
      firstSurname: 'Sosa',
      secondSurname: '',
      birthDate: '1988-03-14',
      serial: '007HEC',
    });
    expect(await find('2')).toBeNull();
  });

  test('[ASVS-14.2.1] receives the number in the body, [ASVS-13.2.1] and the token in the Authorization header', async () => {
    asked.length = 0;
    await find('1');
    await find('2', 'lo-que-sabe-el-portal');
    expect(asked).toEqual([
      ['POST', '/personas?v=1', undefined],
      ['POST', '/personas?v=1', 'Bearer lo-que-sabe-el-portal'],
    ]);
  });

  test.each([
    { note: 'status 500', number: '3' },
    { note: 'a response that is not JSON', number: '4' },
    { note: 'a response that is not an object', number: '5' },
    { note: 'a redirect', number: '6' },
  ])('[REG-10] is unreachable for $note', async ({ number }) => {
    await expect(find(number)).rejects.toThrow(RegistryUnreachableError);
  });
});

describe('registry CSV', () => {
  test.each([
    { note: 'quotes and commas', text: 'a,b\n"x, ""y""",z\n', expected: [{ a: 'x, "y"', b: 'z' }] },
    {
      note: 'CRLF, a byte order mark, a blank line',
      text: '\uFEFFb,a\r\n2,1\r\n\r\n',
      expected: [{ a: '1', b: '2' }],
    },
    {
      note: 'empty cells and no last line end',
      text: 'a,b\n,x\ny,',
      expected: [
        { a: '', b: 'x' },
        { a: 'y', b: '' },
      ],
    },
  ])('[REG-05] accepts $note', ({ text, expected }) => {
    expect(parseCsv(text, ['a', 'b'], 'f.csv')).toEqual(expected);
  });

  test.each([
    { note: 'a missing column', text: 'a\n1\n', problem: 'f.csv:1 lacks the column b' },
    {
      note: 'quotes inside an unquoted field',
      text: 'a,b\nJosé "Pepe" Pérez,Díaz\n',
      problem: /^f\.csv: .*quote.*line 2/i,
    },
    { note: 'unclosed quotes', text: 'a,b\n"1,2\n', problem: /^f\.csv: .*quote/i },
    { note: 'a short record', text: 'a,b\n1\n', problem: 'f.csv: record 2 has 1 cells, not 2' },
  ])('[REG-05] rejects $note', ({ text, problem }) => {
    expect(() => parseCsv(text, ['a', 'b'], 'f.csv')).toThrow(problem);
  });

  test('[REG-05] replaces the sample registry if REGISTRY_CSV is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-csv-'));
    const file = join(folder, 'registry.csv');
    await writeFile(
      file,
      'numero_serie,numero_documento,primer_nombre,segundo_nombre,primer_apellido,segundo_apellido,fecha_nacimiento\nA1,012345672,Eva,,Luz,,1990-01-01\n',
    );
    const server = await openTestServer({ env: { REGISTRY_CSV: file } });
    expect(await server.parts.registry.findHolder('12345672')).toMatchObject({ firstName: 'Eva', firstSurname: 'Luz' });
    expect(await server.parts.registry.findHolder(sampleCitizens[1].document)).toBeNull();
    await server.close();
    await rm(folder, { recursive: true });
  });

  test('[VAL-04] contains every sample citizen with a valid check digit without REGISTRY_CSV', async () => {
    const server = await openTestServer();
    const rows = await server.parts.store.db.selectFrom('registry').selectAll().execute();
    expect(rows.length).toBeGreaterThanOrEqual(20);
    const weights = [2, 9, 8, 7, 6, 3, 4];
    for (const { number } of rows) {
      const digits = [...number.padStart(8, '0')].map(Number);
      const sum = weights.reduce((total, weight, index) => total + weight * (digits[index] ?? 0), 0);
      expect([number, (10 - (sum % 10)) % 10]).toEqual([number, digits[7]]);
    }
    const numbers = new Set(rows.map(({ number }) => number));
    for (const { document } of sampleCitizens) expect(numbers).toContain(document);
    await server.close();
  });
});
