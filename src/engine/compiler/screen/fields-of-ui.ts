import type { Logic, Ui } from '../../core/definition.ts';

/**
 * Field names as drawn: `ui:order`, `*` standing for the rest, then what it does not name. The fields of a section stand together: sections
 * come in the order of their list, each where the order has the first field of it, or of a section behind it.
 */
export function orderOf(ui: Ui, names: readonly string[]): readonly string[] {
  const order = ui.fields?.['ui:order'] ?? [];
  const rest = names.filter((name) => !order.includes(name));
  const listed = order.flatMap((name) => (name === '*' ? rest : names.includes(name) ? [name] : []));
  return inSections(ui, order.includes('*') ? listed : [...listed, ...rest]);
}

/** What must hold for a field to be shown: the rule of its section, and its own. */
export function visibleRules({ sections = [], visible: own = {} }: Ui, name: string): readonly Logic[] {
  const section = sections.find(({ fields }) => fields.includes(name));
  return [section?.visible, own[name]].filter((rule) => rule !== undefined);
}

function inSections({ sections = [] }: Ui, names: readonly string[]): readonly string[] {
  const sectionOf = new Map(sections.flatMap(({ fields }, index) => fields.map((name) => [name, index] as const)));
  let next = 0;
  return names.flatMap((name) => {
    const section = sectionOf.get(name);
    if (section === undefined) return [name];
    const due = sections.slice(next, section + 1); // none where it came with one before
    next += due.length;
    return due.flatMap(({ fields }) => fields);
  });
}
