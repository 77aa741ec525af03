import { sampleProject, loadProject, type Files } from './project.ts';
import type { FormModel } from '../../../src/engine/runtime/form/form-model.ts';
import type { ListModel } from '../../../src/engine/runtime/form/list-model.ts';
import { importScreen } from './loaded-screens.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

/** Changes of the list form's files. */
export type Change = Readonly<Partial<Record<'schema' | 'ui' | 'pt', (content: Content) => unknown>>>;

/** Message catalogue for lists. */
export const listTexts = {
  'list.add': 'Agregar {title}',
  'list.remove': 'Quitar {item}',
  'list.undo': 'Deshacer',
  'list.up': 'Subir {item}',
  'list.down': 'Bajar {item}',
  'list.added': 'Se agregó {item}.',
  'list.removed': 'Se quitó {item}.',
  'list.restored': 'Volvió {item}.',
  'list.moved': '{item}: lugar {place} de {count}.',
  minItems: 'Elegí {limit}',
  'minItems.list': 'Agregá al menos {limit}',
  'maxItems.list': 'Hasta {limit}',
  'uniqueItems.list': 'Hay dos iguales',
  uniqueItems: 'Hay dos iguales',
  maxItems: 'Hasta {limit}',
  items: 'Opciones',
};

const kin = {
  type: 'array',
  minItems: 2,
  maxItems: 60,
  items: {
    type: 'object',
    required: ['name', 'kind'],
    properties: {
      name: { type: 'string', minLength: 3 },
      kind: { type: 'string', enum: ['son', 'other'] },
      which: { type: 'string' },
      place: { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zone: { type: 'string' } } },
    },
  },
};
const kinUi = {
  'ui:title': 'Familiares',
  'ui:help': 'Con quién vivís',
  items: {
    'ui:title': 'Familiar',
    name: { 'ui:title': 'Nombre' },
    kind: { 'ui:title': 'Vínculo', 'ui:enumNames': ['Hijo', 'Otro'] },
    which: { 'ui:title': 'Cuál' },
    place: { 'ui:title': 'Lugar', city: { 'ui:title': 'Ciudad' }, zone: { 'ui:title': 'Zona' } },
  },
};
const phones = { type: 'array', maxItems: 3, uniqueItems: true, items: { type: 'string', pattern: '^[0-9]+$' } };
const phonesUi = { 'ui:title': 'Teléfonos', items: { 'ui:title': 'Teléfono' } };

/**
 * Creates a small form with two lists before its checkbox: one of objects that contain an object, and one of single
 * values.
 */
export function createListForm(change: Change = {}): Files {
  const all = structuredClone({ ...sampleProject }) as Record<string, Content>;
  const [schema, ui, pt] = ['schema', 'ui', 'ui.pt'].map((file) => all[`schemas/form/${file}.json`]) as Content[];
  for (const catalogue of ['messages', 'messages.pt'])
    Object.assign(all[`schemas/_shared/${catalogue}.json`], listTexts);
  Object.assign(schema.properties, structuredClone({ kin, phones }));
  for (const one of [ui, pt]) Object.assign(one.fields, structuredClone({ kin: kinUi, phones: phonesUi }));
  ui.visible['kin.items.which'] = { '==': [{ var: 'item.kind' }, 'other'] };
  change.schema?.(schema);
  change.ui?.(ui);
  change.pt?.(pt);
  return all;
}

export async function compileListForm(change?: Change) {
  const { definitions, problems } = await loadProject(createListForm(change));
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

/** Values of the other required fields of the list form. */
export const requiredValues = { email: 'a@b.uy', terms: true };

/** A valid item of the list of objects. */
export const validItem = { name: 'Ana', kind: 'son' };

export async function openListForm(values: Readonly<Record<string, unknown>> = {}, change?: Change) {
  const screen = await importScreen(await compileListForm(change), 'form');
  const draft = screen.open({ ...requiredValues, ...values }, {});
  if (!draft) throw new Error('The form has fields.');
  return { screen, draft };
}

export function findList(draft: FormModel, name: string): ListModel | undefined {
  return draft.lists.get(name) as ListModel | undefined; // the model exposes its lists as an interface, which `ListModel` implements
}
