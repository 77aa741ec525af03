import type { Branch, Flow, Logic, State, Step, Template, Ui } from '../../../core/definition.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { SetOptions } from '../../definitions.ts';
import type { ExpandedFlow } from '../../flow/expand-flow.ts';
import { listPluginOperators } from '../../../core/logic.ts';
import { checkCondition, checkLogic, checkTemplate, type ReadableNames } from '../logic.ts';
import { guess } from '../../sources/suggest-name.ts';
import type { Report } from '../../sources/report.ts';
import { flattenFields } from '../../screen/fields-of-schema.ts';
import { explain, say } from '../../sources/say.ts';

export type FlowSurroundings = SetOptions & {
  readonly paths: ReadonlySet<string>;
  /** Schema and ui by screen. A screen without fields has no schema. */
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: Ui }>;
};

/** Names of the form fields that rules may read. `null` for a block, whose fields are unknown. */
export type Fields = ReadonlySet<string> | null;

export class FlowCheck {
  readonly flow: Flow;
  readonly around: FlowSurroundings;
  readonly report: Report;
  readonly context: ReadonlySet<string>;
  readonly #pointers: ExpandedFlow['pointers'];

  constructor({ flow, pointers }: ExpandedFlow, around: FlowSurroundings, report: Report) {
    this.flow = flow;
    this.around = around;
    this.report = report;
    this.context = new Set(Object.keys(flow.context ?? {}));
    this.#pointers = pointers;
  }

  /** Returns the position of a branch or step in its file, or `undefined` for branches that the engine adds. */
  findPointer(part: Branch | Step): string | undefined {
    return this.#pointers.get(part);
  }

  listFields({ block, screen }: State): Fields {
    if (block !== undefined) return null;
    const schema = this.around.screens.get(screen ?? '')?.schema;
    return new Set(schema ? Object.keys(flattenFields(schema)) : []);
  }

  /** Returns the values that a rule may read if the form has these fields. */
  readable(form: Fields, more: readonly string[] = []): ReadableNames {
    return { form, context: this.context, facts: [...this.around.facts, ...more] };
  }

  condition(pointer: string, logic: Logic, readable: ReadableNames): void {
    checkCondition(this.report, pointer, logic, readable);
    this.#checkOperators(pointer, logic);
  }

  logic(pointer: string, logic: Logic, readable: ReadableNames): void {
    checkLogic(this.report, pointer, logic, readable);
    this.#checkOperators(pointer, logic);
  }

  template(pointer: string, template: Template, readable: ReadableNames): void {
    checkTemplate(this.report, pointer, template, readable);
    this.#checkOperators(pointer, template);
  }

  // Plugins are loaded with the screens that use them, so flows cannot rely on their operators.
  #checkOperators(pointer: string, logic: Template): void {
    for (const name of listPluginOperators(logic))
      this.report(pointer)(explain`The operator "${name}" is a plugin's, which a flow runs without.
        Use the operators of JSON-logic here; those of plugins serve the rules of a screen.`);
  }

  target(pointer: string, target: string): void {
    const states = Object.keys(this.flow.states);
    if (!states.includes(target))
      this.report(pointer)(explain`There is no state "${target}".
        ${guess(target, states)}States: ${states.join(', ')}.`);
  }

  operation(pointer: string, operation: string, kind: 'a GET operation' | 'an operation' = 'an operation'): void {
    const { operations } = this.around;
    if (!operations.includes(operation))
      this.report(pointer)({
        message: say`There is no operation "${operation}".`,
        hint:
          kind === 'an operation'
            ? say`${guess(operation, operations)}Name an operation of the contract.`
            : say`${guess(operation, operations)}Name a GET operation of the contract.`,
      });
  }
}
