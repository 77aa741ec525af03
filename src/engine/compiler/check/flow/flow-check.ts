import type { Access, AccessWords, Branch, Flow, Logic, State, Step, Template, Ui } from '../../../core/definition.ts';
import type { JsonObject } from '../../../core/json.ts';
import type { ExpandedFlow } from '../../flow/expand-flow.ts';
import { pluginOperatorsOf } from '../../../core/logic.ts';
import { checkCondition, checkLogic, checkTemplate, type Readable } from '../logic.ts';
import { guess } from '../../sources/near.ts';
import type { Report } from '../../sources/report.ts';
import { propertiesOf } from '../../screen/fields-of-schema.ts';
import { say } from '../../sources/say.ts';

/** What flows are checked against. */
export interface FlowSurroundings {
  readonly operations: readonly string[];
  readonly blocks: readonly string[];
  readonly access: AccessWords;
  readonly separatePortal?: { readonly access: Access; readonly blocks: readonly string[] };
  readonly facts: readonly string[];
  /** Paths of all flows. */
  readonly paths: ReadonlySet<string>;
  /** The screens by which the server checks the body of an operation, by its name. */
  readonly forms: Readonly<Record<string, readonly string[]>>;
  /** The operations that keep what further screens ask for. */
  readonly extra?: readonly string[];
  /** The facts that the server has for its own verdict. */
  readonly shared: readonly string[];
  /** Schema (null: no fields) and ui by screen. */
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: Ui }>;
}

/** The names of form fields that rules may read; null: a block's, which nobody knows. */
export type Fields = ReadonlySet<string> | null;

/** What the checks of one flow share. */
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

  /** Where a branch or a step is written; of the engine's own branches nowhere. */
  pointerOf(part: Branch | Step): string | undefined {
    return this.#pointers.get(part);
  }

  /** The fields of a state's form. */
  fieldsOf({ block, screen }: State): Fields {
    if (block !== undefined) return null;
    const schema = this.around.screens.get(screen ?? '')?.schema;
    return new Set(schema ? Object.keys(propertiesOf(schema)) : []);
  }

  /** What a rule may read where the form has these fields. */
  readable(form: Fields, more: readonly string[] = []): Readable {
    return { form, context: this.context, facts: [...this.around.facts, ...more] };
  }

  /** Checks a rule of which is asked whether it holds. */
  condition(pointer: string, logic: Logic, readable: Readable): void {
    checkCondition(this.report, pointer, logic, readable);
    this.#checkOperators(pointer, logic);
  }

  /** Checks a rule whose result is a value. */
  logic(pointer: string, logic: Logic, readable: Readable): void {
    checkLogic(this.report, pointer, logic, readable);
    this.#checkOperators(pointer, logic);
  }

  template(pointer: string, template: Template, readable: Readable): void {
    checkTemplate(this.report, pointer, template, readable);
    this.#checkOperators(pointer, template);
  }

  // A plugin comes with the screens that use it: a flow runs before any of them, and after another.
  #checkOperators(pointer: string, logic: Template): void {
    for (const name of pluginOperatorsOf(logic))
      this.report(
        pointer,
        say`The operator "${name}" is a plugin's, which a flow runs without.`,
        say`Use the operators of JSON-logic here; those of plugins serve the rules of a screen.`,
      );
  }

  /** Tells of a state that is not there. */
  target(pointer: string, target: string): void {
    const states = Object.keys(this.flow.states);
    if (!states.includes(target))
      this.report(
        pointer,
        say`There is no state "${target}".`,
        say`${guess(target, states)}States: ${states.join(', ')}.`,
      );
  }

  /** Tells of an operation that is not there. */
  operation(pointer: string, operation: string, kind: 'call' | 'GET call' = 'call'): void {
    const { operations } = this.around;
    if (!operations.includes(operation))
      this.report(
        pointer,
        say`There is no operation "${operation}".`,
        kind === 'call'
          ? say`${guess(operation, operations)}Name an operation of the contract.`
          : say`${guess(operation, operations)}Name a GET operation of the contract.`,
      );
  }
}
