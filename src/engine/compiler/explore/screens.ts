import type { State } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import { anything, type Shape } from './shapes.ts';
import { listParts, listScreenReads, type Part } from './drawn.ts';
import type { ExploreOptions } from './node.ts';
import { decide } from './evaluate-rules.ts';
import type { Assignment } from './assignment.ts';

/** Fields, reads and events of the screens of a flow's states. */
export class Screens {
  readonly #byName: ExploreOptions['screens'];
  readonly #parts = new Map<string, readonly Part[]>();

  constructor(byName: ExploreOptions['screens']) {
    this.#byName = byName;
  }

  readsOf({ screen = '' }: State): readonly string[] {
    const ui = this.#byName.get(screen)?.ui;
    return ui ? listScreenReads(ui) : [];
  }

  /** Returns the events that visible parts raise. Returns `null` for a block, whose code may raise any event. */
  raisedBy({ screen = '', block, after }: State, assignment: Assignment): ReadonlySet<string> | null {
    const ui = this.#byName.get(screen)?.ui;
    if (block !== undefined || !ui) return null;
    const parts = this.#parts.get(screen) ?? listParts(ui);
    this.#parts.set(screen, parts);
    const seen = parts.filter(({ visible }) => decide(visible, assignment.enterRoots([['form', anything]])) !== false);
    const inNotices = Object.values(ui.notices ?? {}).flatMap(({ link, other }) => [link?.event, other?.event]);
    const raised = [...seen.map(({ event }) => event), ...inNotices, after?.event];
    return new Set(raised.filter((event) => event !== undefined));
  }

  /** Returns the shape of `form` in an event of a state. */
  formOf({ screen = '', block }: State, event: string): Shape {
    const schema = this.#byName.get(screen)?.schema;
    return event === 'submit' && block === undefined && schema ? { schema, optional: false } : anything;
  }

  hasFields(state: State | undefined): boolean {
    const properties = this.#byName.get(state?.screen ?? '')?.schema?.['properties'];
    return Object.keys((properties as JsonObject | undefined) ?? {}).length > 0;
  }
}
