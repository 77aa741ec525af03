import { stepsOfName } from '../../../engine/core/field-path.ts';

type Path = readonly (string | number)[];

/**
 * New name of a field. `from` is the full name (`domicilio.calle`, `telefonos.items.numero`), of which only the last step changes. Values and
 * messages use the index of an item instead: `telefonos.0.numero`.
 */
export class FieldName {
  readonly from: string;
  readonly to: string;
  readonly #steps: readonly string[];
  readonly #last: string;

  constructor(from: string, last: string) {
    this.from = from;
    this.#steps = stepsOfName(from);
    this.#last = last;
    this.to = [...this.#steps.slice(0, -1), last].join('.');
  }

  get step(): string {
    return this.#steps.at(-1) ?? '';
  }

  get nextStep(): string {
    return this.#last;
  }

  /** Name of the object that contains the field. Empty for the form itself. */
  get holder(): string {
    return this.#steps.slice(0, -1).join('.');
  }

  /** Innermost list whose items contain the field. */
  get list(): string | null {
    const items = this.#steps.lastIndexOf('items');
    return items > 0 ? this.#steps.slice(0, items).join('.') : null;
  }

  /** Renames the field in a name relative to `within`, if the name refers to the field or to one nested in it. */
  in(name: string, within: Path = []): string {
    const around = within.flatMap((step) => String(step).split('.'));
    const own = name.split('.');
    const isInto = this.#steps.every((step, at) => {
      const given = [...around, ...own][at] ?? '';
      return given === step || (step === 'items' && /^\d+$/.test(given));
    });
    const at = this.#steps.length - 1 - around.length;
    return isInto && at >= 0 ? own.with(at, this.#last).join('.') : name;
  }

  /** Renames the field in a variable of a rule, e.g. `form.domicilio.calle`, or `item.numero` in the items of its list. */
  read(path: string, isInItems = false): string {
    if (path.startsWith('form.')) return `form.${this.in(path.slice('form.'.length))}`;
    if (!isInItems || this.list === null || !path.startsWith('item.')) return path;
    return `item.${this.in(path.slice('item.'.length), [this.list, 'items'])}`;
  }

  /** Renames the field in HTML of the form, whose ids separate steps by hyphens. */
  drawn(html: string): string {
    const around = this.#steps.slice(0, -1).map((step) => `${step === 'items' ? '\\d+' : step}[.-]`);
    const before = `(?:data-field="|name="|[" #]field-)${around.join('')}`;
    return html.replaceAll(new RegExp(`(?<=${before})${this.step}(?=[" .-])`, 'g'), this.#last);
  }
}
