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
import { listenLocally } from '../support/free-port.ts';

describe('names compared with the registry', () => {
  const registered = {
    firstName: 'María',
    secondName: 'José',
    firstSurname: 'D’Alessandro',
    secondSurname: 'Méndez-Rojas',
  };
  test.each([
    ['as written', 'agree', {}],
    ['without accents, in capitals', 'agree', { firstName: 'MARIA' }],
    ['with another apostrophe', 'agree', { firstSurname: "D'Alessandro" }],
    ['with white space', 'agree', { firstSurname: ' d alessandro ' }],
    ['with a space instead of the hyphen', 'agree', { secondSurname: 'Mendez Rojas' }],
    ['in decomposed Unicode', 'agree', { firstName: 'Mari\u0301a' }],
    ['without the optional names', 'agree', { secondName: '', secondSurname: '' }],
    ['another surname', 'surname-differs', { firstSurname: 'Pérez' }],
    ['no surname', 'surname-differs', { firstSurname: '' }],
    ['another surname and first name', 'surname-differs', { firstSurname: 'Pérez', firstName: 'Ana' }],
    ['another first name', 'names-differ', { firstName: 'Mario' }],
    ['both names in the first field', 'agree', { firstName: 'María José', secondName: '' }],
    ['both surnames in the first field', 'agree', { firstSurname: 'D’Alessandro Méndez', secondSurname: 'Rojas' }],
    ['first and second name swapped', 'names-differ', { firstName: 'José', secondName: 'María' }],
    ['another second name', 'names-differ', { secondName: 'Inés' }],
  ])('[REG-05 REG-10] %s: %s', (_note, expected, given) => {
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
    url = `${await listenLocally(service)}/personas?v=1`;
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
    ['status 500', '3'],
    ['a response that is not JSON', '4'],
    ['a response that is not an object', '5'],
    ['a redirect', '6'],
  ])('[REG-10] is unreachable for %s', async (_note, number) => {
    await expect(find(number)).rejects.toThrow(RegistryUnreachableError);
  });
});

describe('registry CSV', () => {
  test.each([
    ['quotes and commas', 'a,b\n"x, ""y""",z\n', [{ a: 'x, "y"', b: 'z' }]],
    ['CRLF, a byte order mark, a blank line', '\uFEFFb,a\r\n2,1\r\n\r\n', [{ a: '1', b: '2' }]],
    [
      'empty cells and no last line end',
      'a,b\n,x\ny,',
      [
        { a: '', b: 'x' },
        { a: 'y', b: '' },
      ],
    ],
  ])('[REG-05] accepts %s', (_note, text, expected) => {
    expect(parseCsv(text, ['a', 'b'], 'f.csv')).toEqual(expected);
  });

  test.each([
    ['a missing column', 'a\n1\n', 'f.csv:1 lacks the column b'],
    ['quotes inside an unquoted field', 'a,b\nJosé "Pepe" Pérez,Díaz\n', /^f\.csv: .*quote.*line 2/i],
    ['unclosed quotes', 'a,b\n"1,2\n', /^f\.csv: .*quote/i],
    ['a short record', 'a,b\n1\n', 'f.csv: record 2 has 1 cells, not 2'],
  ])('[REG-05] rejects %s', (_note, text, problem) => {
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
