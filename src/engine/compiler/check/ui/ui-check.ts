import type { Ui } from '../../../core/definition.ts';
import { isWithin, nameInItems } from '../../../core/field-path.ts';
import type { JsonObject } from '../../../core/json.ts';
import {
  earlierOf,
  everyFieldOf,
  everyGroupOf,
  isList,
  itemSchemaOf,
  ownPropertiesOf,
  propertiesOf,
} from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugin-table.ts';
import type { Readable } from '../logic.ts';
import type { Report } from '../../sources/report.ts';

/** What the ui of a screen is checked against. */
export interface UiSurroundings {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  readonly operations: readonly string[];
  /** Widgets that the theme of the page brings. */
  readonly widgets: readonly string[];
  readonly facts: readonly string[];
  /** The facts that the server has for its own verdict on the fields; null: it gives none. */
  readonly validated: readonly string[] | null;
  /** Context variables that every flow with this screen declares. */
  readonly context: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** What the checks of one ui share. */
export class UiCheck {
  readonly ui: Ui;
  readonly around: UiSurroundings;
  readonly report: Report;
  /** The fields of the schema by name, those of lists' items as well ("telefonos.items.numero"). */
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** Its objects of fields by name, the items of lists as well. */
  readonly groups: Readonly<Record<string, JsonObject>>;
  /** The names of its lists. */
  readonly lists: readonly string[];

  constructor(ui: Ui, around: UiSurroundings, report: Report) {
    this.ui = ui;
    this.around = around;
    this.report = report;
    this.fields = Object.fromEntries(everyFieldOf(around.schema).map(([name, field]) => [name, field]));
    this.groups = everyGroupOf(around.schema);
    this.lists = Object.keys(this.fields).filter((name) => isList(this.fields[name] ?? {}));
  }

  /** The names that the schema, or an object of it, has itself. */
  stepsIn(group: string | null): readonly string[] {
    return Object.keys(ownPropertiesOf(group === null ? this.around.schema : (this.groups[group] ?? {})));
  }

  /** Whether a name is that of a list's items themselves. */
  isItem(name: string): boolean {
    return this.lists.some((list) => name === nameInItems(list, ''));
  }

  /** What a rule may read while the form is filled in. */
  get readable(): Readable {
    return {
      ...this.settled,
      form: new Set([...Object.keys(propertiesOf(this.around.schema)), ...earlierOf(this.around.schema)]),
    };
  }

  /** What the rule of a field may read: in an item of a list the fields of that item. */
  readableFor(name: string): Readable {
    const list = this.lists.findLast((one) => isWithin(name, nameInItems(one, ''))); // the innermost
    if (list === undefined) return this.readable;
    const names = Object.keys(propertiesOf(itemSchemaOf(this.fields[list] ?? {})));
    return { ...this.settled, item: new Set(names) };
  }

  /** What a rule may read when the form opens: facts, but nothing that is typed later. */
  get settled(): Readable {
    return { form: new Set(), context: this.around.context, facts: this.around.facts };
  }
}
