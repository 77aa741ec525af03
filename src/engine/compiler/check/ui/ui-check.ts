import type { Ui } from '../../../core/definition.ts';
import type { JsonObject } from '../../../core/json.ts';
import { groupsOf, ownPropertiesOf, propertiesOf } from '../../screen/fields-of-schema.ts';
import type { Plugins } from '../../files/plugins.ts';
import type { Readable } from '../logic.ts';
import type { Report } from '../../sources/report.ts';

/** What the ui of a screen is checked against. */
export interface UiSurroundings {
  readonly schema: JsonObject;
  readonly plugins: Plugins;
  readonly calls: readonly string[];
  readonly facts: readonly string[];
  /** The facts that the server has for its own verdict on the fields; null: it gives none. */
  readonly judged: readonly string[] | null;
  /** Context variables that every flow with this screen declares. */
  readonly context: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

/** What the checks of one ui share. */
export class UiCheck {
  readonly ui: Ui;
  readonly around: UiSurroundings;
  readonly report: Report;
  /** The fields of the schema by name. */
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** Its objects of fields by name. */
  readonly groups: Readonly<Record<string, JsonObject>>;

  constructor(ui: Ui, around: UiSurroundings, report: Report) {
    this.ui = ui;
    this.around = around;
    this.report = report;
    this.fields = propertiesOf(around.schema);
    this.groups = groupsOf(around.schema);
  }

  /** The names that the schema, or an object of it, has itself. */
  stepsIn(group: string | null): readonly string[] {
    return Object.keys(ownPropertiesOf(group === null ? this.around.schema : (this.groups[group] ?? {})));
  }

  /** What a rule may read while the form is filled in. */
  get readable(): Readable {
    return { ...this.settled, form: new Set(Object.keys(this.fields)) };
  }

  /** What a rule may read when the form opens: facts, but nothing that is typed later. */
  get settled(): Readable {
    return { form: new Set(), context: this.around.context, facts: this.around.facts };
  }
}
