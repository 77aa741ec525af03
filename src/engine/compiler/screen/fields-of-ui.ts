import type { Logic, Ui, LinkText, Paragraph } from '../../core/definition.ts';
import { listGroupNames, splitFieldName } from '../../core/field-path.ts';
import type { JsonObject } from '../../core/json.ts';
import { readFieldUi, listFieldLinks } from '../../core/ui.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { isGroup, readProperties } from './fields-of-schema.ts';

/**
 * Returns the field names in display order: `ui:order`, where `*` stands for the rest, then unlisted fields. Fields of a section stay together.
 * Sections keep their own order, and each is placed at its first field, or earlier if a later section comes first.
 */
export function orderFields(ui: Ui, schema: JsonObject): readonly string[] {
  const drawn = inSections(ui, ordered(ui.fields?.['ui:order'], Object.keys(readProperties(schema))));
  return fieldsIn(ui, schema, drawn, '');
}

// Fields of an object replace it in the order, sorted by `ui:order` of the object.
function fieldsIn(ui: Ui, schema: JsonObject, steps: readonly string[], within: string): readonly string[] {
  const own = readProperties(schema);
  return steps.flatMap((step) => {
    const name = within + step;
    const field = own[step] ?? {};
    if (!isGroup(field)) return [name];
    const order = readFieldUi(ui, name)['ui:order'] as readonly string[] | undefined; // ui.json was validated against its format
    return fieldsIn(ui, field, ordered(order, Object.keys(readProperties(field))), `${name}.`);
  });
}

function ordered(order: readonly string[] = [], names: readonly string[]): readonly string[] {
  const rest = names.filter((name) => !order.includes(name));
  const listed = order.flatMap((name) => (name === '*' ? rest : names.includes(name) ? [name] : []));
  return order.includes('*') ? listed : [...listed, ...rest];
}

/** Returns the visibility rules of a field: those of its section, of the enclosing objects, and its own. All of them must be true. */
export function visibleRules({ sections = [], visible: own = {} }: Ui, name: string): readonly Logic[] {
  const names = [...listGroupNames(name), name];
  const section = sections.find(({ fields }) => fields.includes(names[0] ?? ''));
  return [section?.visible, ...names.map((one) => own[one])].filter((rule) => rule !== undefined);
}

function inSections({ sections = [] }: Ui, names: readonly string[]): readonly string[] {
  const sectionByField = new Map(sections.flatMap(({ fields }, index) => fields.map((name) => [name, index] as const)));
  let next = 0;
  return names.flatMap((name) => {
    const section = sectionByField.get(name);
    if (section === undefined) return [name];
    const due = sections.slice(next, section + 1); // empty if its section was already placed
    next += due.length;
    return due.flatMap(({ fields }) => fields);
  });
}

export function buildUiPointer(name: string): string {
  return ['/fields', ...splitFieldName(name).map(escapePointer)].join('/');
}

export function listLinks(ui: Ui): readonly (readonly [pointer: string, link: LinkText])[] {
  const list = (links: readonly LinkText[] | undefined, pointer: string) =>
    (links ?? []).map((link, index) => [`${pointer}/${index}`, link] as const);
  return [
    ...list(ui.links, '/links'),
    ...listParagraphs(ui.intro).flatMap(({ link }, index) => (link ? [[`/intro/${index}/link`, link] as const] : [])),
    ...Object.keys(ui.fields ?? {}).flatMap((name) =>
      list(listFieldLinks(readFieldUi(ui, name)), `/fields/${escapePointer(name)}/ui:links`),
    ),
    ...(ui.aside?.parts ?? []).flatMap(({ links }, index) => list(links, `/aside/parts/${index}/links`)),
    ...Object.entries(ui.notices ?? {}).flatMap(([name, notice]) =>
      (['link', 'other'] as const).flatMap((part) => {
        const link = notice[part];
        return link ? [[`/notices/${escapePointer(name)}/${part}`, link] as const] : [];
      }),
    ),
  ];
}

export function listParagraphs(texts: Ui['intro']): readonly Paragraph[] {
  return typeof texts === 'object' ? texts : [];
}
