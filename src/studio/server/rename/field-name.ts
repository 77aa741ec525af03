import { stepsOfName } from '../../../engine/core/field-path.ts';

/** Where something stands in a JSON file. */
type Path = readonly (string | number)[];

/**
 * A field that has another name: `from` is its whole name ("domicilio.calle", "telefonos.items.numero"), of which only the last step is another.
 * In values and messages an item goes by its place: "telefonos.0.numero".
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

  /** The last step of the name as it was. */
  get step(): string {
    return this.#steps.at(-1) ?? '';
  }

  /** Its last step as it becomes. */
  get nextStep(): string {
    return this.#last;
  }

  /** What the field stands in; empty: in the form itself. */
  get holder(): string {
    return this.#steps.slice(0, -1).join('.');
  }

  /** The list in whose items it stands, the innermost one. */
  get list(): string | null {
    const items = this.#steps.lastIndexOf('items');
    return items > 0 ? this.#steps.slice(0, items).join('.') : null;
  }

  /** A name that is read `within` another, with the other step where it is that of the field, or of something in it. */
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

  /** A path that a rule reads, e.g. `form.domicilio.calle`; in the items of its list `item.numero`. */
  read(path: string, isInItems = false): string {
    if (path.startsWith('form.')) return `form.${this.in(path.slice('form.'.length))}`;
    if (!isInItems || this.list === null || !path.startsWith('item.')) return path;
    return `item.${this.in(path.slice('item.'.length), [this.list, 'items'])}`;
  }

  /** Some HTML of the form, in whose ids the steps are parted by hyphens. */
  drawn(html: string): string {
    const around = this.#steps.slice(0, -1).map((step) => `${step === 'items' ? '\\d+' : step}[.-]`);
    const before = `(?:data-field="|name="|[" #]field-)${around.join('')}`;
    return html.replaceAll(new RegExp(`(?<=${before})${this.step}(?=[" .-])`, 'g'), this.#last);
  }
}
