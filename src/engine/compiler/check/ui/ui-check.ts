import type { Ui } from '../../../core/definition.ts';
import { isWithin, nameInItems } from '../../../core/field-path.ts';
import type { JsonObject } from '../../../core/json.ts';
import {
  listEarlierFields,
  listAllFields,
  listAllGroups,
  isList,
  normalizeItemSchema,
  readProperties,
  flattenFields,
} from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugin-table.ts';
import type { ReadableNames } from '../logic.ts';
import type { Report } from '../../sources/report.ts';

export interface UiSurroundings {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  readonly operations: readonly string[];
  /** Widgets of the page's theme. */
  readonly widgets: readonly string[];
  readonly facts: readonly string[];
  /** Facts that the server has when it validates the fields. `null` if it does not validate them. */
  readonly validated: readonly string[] | null;
  readonly context: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

export class UiCheck {
  readonly ui: Ui;
  readonly around: UiSurroundings;
  readonly report: Report;
  /** Fields of the schema by name, including those of list items ("telefonos.items.numero"). */
  readonly fields: Readonly<Record<string, JsonObject>>;
  readonly groups: Readonly<Record<string, JsonObject>>;
  readonly lists: readonly string[];

  constructor(ui: Ui, around: UiSurroundings, report: Report) {
    this.ui = ui;
    this.around = around;
    this.report = report;
    this.fields = Object.fromEntries(listAllFields(around.schema).map(([name, field]) => [name, field]));
    this.groups = listAllGroups(around.schema);
    this.lists = Object.keys(this.fields).filter((name) => isList(this.fields[name] ?? {}));
  }

  stepsIn(group: string | null): readonly string[] {
    return Object.keys(readProperties(group === null ? this.around.schema : (this.groups[group] ?? {})));
  }

  isItem(name: string): boolean {
    return this.lists.some((list) => name === nameInItems(list, ''));
  }

  /** Values that a rule may read while the user fills in the form. */
  get readable(): ReadableNames {
    return {
      ...this.settled,
      form: new Set([...Object.keys(flattenFields(this.around.schema)), ...listEarlierFields(this.around.schema)]),
    };
  }

  /** Returns the values that the rule of a field may read. In a list item, these are the fields of the item. */
  readableFor(name: string): ReadableNames {
    const list = this.lists.findLast((one) => isWithin(name, nameInItems(one, ''))); // the innermost list
    if (list === undefined) return this.readable;
    const names = Object.keys(flattenFields(normalizeItemSchema(this.fields[list] ?? {})));
    return { ...this.settled, item: new Set(names) };
  }

  /** Values that a rule may read when the form opens: no form values yet. */
  get settled(): ReadableNames {
    return { form: new Set(), context: this.around.context, facts: this.around.facts };
  }
}
