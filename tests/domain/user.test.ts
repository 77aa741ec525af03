import { getSnapshot, type SnapshotIn } from 'mobx-state-tree';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../src/engine/core/json.ts';
import { User } from '../../src/domain/user.ts';
import { citizen } from './support/store.ts';

const create = (change: Partial<SnapshotIn<typeof User>> = {}) =>
  User.create({ ...(citizen as SnapshotIn<typeof User>), ...change }); // the cast only removes `readonly`

/** Fields in section 3 of the specification, and additional ones, as dotted paths. */
const fields: readonly string[] = [
  'id',
  'user.id',
  'user.email',
  'user.permisos',
  'nombre_completo',
  'primer_nombre',
  'segundo_nombre',
  'primer_apellido',
  'segundo_apellido',
  'numero_documento',
  'numero_telefono',
  'documento.tipo_documento.codigo',
  'documento.tipo_documento.nombre',
  'documento.pais_emisor.codigo',
  'documento.pais_emisor.nombre',
  'nivel',
  'nivel_de_confianza.value',
  'rid',
  'acr',
  'origen_registro.nombre',
  'firma_validada',
  'email_validado',
  'email_por_validar.email',
  'cuenta_activa',
  'bloqueado',
  'acceso_funcionalidades',
  'ultimo_login',
  'ultimo_cambio_contrasena',
  'info_tramite_videollamada_pendiente.id',
  'info_tramite_videollamada_pendiente.estado',
  'info_tramite_videollamada_pendiente.fecha',
  'info_tramite_videollamada_pendiente.hora_inicio',
  'info_tramite_videollamada_pendiente.link',
  'info_tramite_videollamada_pendiente.jwt',
  'info_tramite_videollamada_pendiente.sala',
  'info_tramite_videollamada_pendiente.abre', // additional: when the video room opens
  'info_tramite_videollamada_pendiente.minutos', // additional: duration of the call in minutes
  'info_videollamada_consulta', // additional: the next support call
  'segundo_factor_pendiente', // additional: from level Intermedio, section 4.1 of the specification requires a second factor
  'identidad_verificada', // additional: whether section 4.4 of the specification requires the current password
];

describe('[ENT-01] citizen record', () => {
  test('has exactly the fields of the specification and the listed additional ones', () => {
    expect(leavesOf(getSnapshot(create())).sort()).toEqual([...fields].sort());
  });

  test('is the same after a round trip through its snapshot', () => {
    expect(getSnapshot(create())).toEqual(citizen);
    expect(getSnapshot(User.create(getSnapshot(create())))).toEqual(citizen);
  });

  test('may have null in the fields that can be empty', () => {
    const empty = {
      user: { id: '40', email: null, permisos: {} },
      numero_telefono: null,
      firma_validada: null,
      email_por_validar: null,
      ultimo_login: null,
      ultimo_cambio_contrasena: null,
      info_tramite_videollamada_pendiente: null,
    };
    expect(getSnapshot(create(empty))).toEqual({ ...citizen, ...empty });
  });

  test.each(['id', 'nivel', 'documento', 'user', 'bloqueado'] as const)('is rejected without %s', (name) => {
    expect(() => create({ [name]: undefined })).toThrow();
  });
});

describe('[SEG-06 ENT-01] displayed assurance level', () => {
  test.each([
    ['Autoregistro con CI', 'basic'],
    ['Autoregistrado', 'basic'],
    ['AUTOREGISTRADO', 'basic'],
    ['Verificado', 'intermediate'],
    ['Certificado', 'intermediate'],
    ['CERTIFICADO', 'intermediate'],
    ['PRESENCIAL', 'intermediate'],
    ['', 'basic'],
    ['constructor', 'basic'],
  ])('%s is shown as %s', (nivel, level) => {
    const none = { nivel_de_confianza: { value: '' } };
    expect(create({ nivel, ...none }).level).toBe(level);
    expect(create({ nivel: '', nivel_de_confianza: { value: nivel } }).level).toBe(level);
  });
});

describe('[SEG-07 ENT-01] restriction of a citizen', () => {
  test.each([
    ['does not apply with features and a level', true, 'Bajo', false],
    ['applies without features', false, 'Bajo', true],
    ['applies at the lowest level', true, 'Muy bajo', true],
    ['applies without features at the lowest level', false, 'Muy bajo', true],
  ])('%s', (_, acceso_funcionalidades, rid, restricted) => {
    expect(create({ acceso_funcionalidades, rid }).restricted).toBe(restricted);
  });
});

function leavesOf(value: unknown, path = ''): string[] {
  if (!isObject(value) || path === 'user.permisos') return [path];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, path === '' ? name : `${path}.${name}`));
}
