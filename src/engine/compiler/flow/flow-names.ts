import type { Report } from '../sources/report.ts';
import { instead } from '../sources/near.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { NamedDefinitions, WrittenFlow } from './written-flow.ts';
import { explain } from '../sources/say.ts';

type Kind = keyof NamedDefinitions;

/** Usage of each kind, for the hint about unused definitions. */
const uses: Readonly<Record<Kind, (name: string) => string>> = {
  guards: (name) => `"guard": "${name}"`,
  params: (name) => `"params": "${name}"`,
  inputs: (name) => `"input": "${name}"`,
  assigns: (name) => `"assign": "${name}"`,
  branches: (name) => `{ "branches": "${name}" }`,
  operations: (name) => `"src": "${name}"`,
  delays: (name) => `"after": { "${name}": … }`,
};

/** Named definitions at the top of a flow. Reports missing and unused names. */
export class FlowNames {
  readonly #flow: WrittenFlow;
  readonly #report: Report;
  readonly #used = new Set<string>();

  constructor(flow: WrittenFlow, report: Report) {
    this.#flow = flow;
    this.#report = report;
  }

  /** Returns a definition, or reports that it is missing. */
  take<K extends Kind>(kind: K, name: string, pointer: string): NamedDefinitions[K] | undefined {
    const found = this.find(kind, name);
    if (found === undefined) this.reportMissing(kind, name, pointer);
    return found;
  }

  /** `others` are valid names in addition to the definitions. */
  reportMissing(kind: Kind, name: string, pointer: string, others: readonly string[] = []): void {
    const known = [...Object.keys(this.#flow[kind] ?? {}), ...others];
    this.#report(pointer)(explain`The flow has no ${kind} "${name}".
      ${instead(name, known)}`);
  }

  find<K extends Kind>(kind: K, name: string): NamedDefinitions[K] | undefined {
    this.#used.add(`${kind} ${name}`);
    const known = (this.#flow[kind] ?? {}) as Readonly<Record<string, NamedDefinitions[K]>>; // TypeScript does not see that kind and table belong together
    return Object.hasOwn(known, name) ? known[name] : undefined;
  }

  reportUnused(): void {
    for (const kind of Object.keys(uses) as Kind[]) {
      for (const name of Object.keys(this.#flow[kind] ?? {})) {
        if (this.#used.has(`${kind} ${name}`)) continue;
        this.#report(`/${kind}/${escapePointer(name)}`)(explain`Nothing uses "${name}" of "${kind}".
          Use it as ${uses[kind](name)}, or remove it.`);
      }
    }
  }
}
