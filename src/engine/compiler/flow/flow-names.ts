import type { Report } from '../sources/report.ts';
import { instead } from '../sources/near.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { Named, WrittenFlow } from './written-flow.ts';
import { say } from '../sources/say.ts';

type Kind = keyof Named;

/** How each kind is used, for who defined one and forgot it. */
const uses: Readonly<Record<Kind, (name: string) => string>> = {
  guards: (name) => `"guard": "${name}"`,
  params: (name) => `"params": "${name}"`,
  inputs: (name) => `"input": "${name}"`,
  assigns: (name) => `"assign": "${name}"`,
  branches: (name) => `{ "branches": "${name}" }`,
  operations: (name) => `"src": "${name}"`,
  delays: (name) => `"after": { "${name}": … }`,
};

/** What a flow defines once at its top. Names that are not there, and such as nobody uses, are told. */
export class FlowNames {
  readonly #flow: WrittenFlow;
  readonly #report: Report;
  readonly #used = new Set<string>();

  constructor(flow: WrittenFlow, report: Report) {
    this.#flow = flow;
    this.#report = report;
  }

  /** The thing of a name that stands at a pointer; undefined where the flow has none of this name. */
  take<K extends Kind>(kind: K, name: string, pointer: string): Named[K] | undefined {
    const found = this.find(kind, name);
    if (found === undefined) this.reportMissing(kind, name, pointer);
    return found;
  }

  /** Tells of a name that is not there; others may stand in its place as well. */
  reportMissing(kind: Kind, name: string, pointer: string, others: readonly string[] = []): void {
    const known = [...Object.keys(this.#flow[kind] ?? {}), ...others];
    this.#report(pointer, say`The flow has no ${kind} "${name}".`, instead(name, known));
  }

  /** The thing of a name, if there is one. */
  find<K extends Kind>(kind: K, name: string): Named[K] | undefined {
    this.#used.add(`${kind} ${name}`);
    const known = (this.#flow[kind] ?? {}) as Readonly<Record<string, Named[K]>>; // TypeScript does not see that kind and table belong together
    return Object.hasOwn(known, name) ? known[name] : undefined;
  }

  /** Tells of what nobody took. */
  reportUnused(): void {
    for (const kind of Object.keys(uses) as Kind[]) {
      for (const name of Object.keys(this.#flow[kind] ?? {})) {
        if (this.#used.has(`${kind} ${name}`)) continue;
        this.#report(
          `/${kind}/${escapePointer(name)}`,
          say`Nothing uses "${name}" of "${kind}".`,
          say`Use it as ${uses[kind](name)}, or remove it.`,
        );
      }
    }
  }
}
