import type { Handlers } from '../base/operation-request.ts';
import type { Catalogue } from '../base/texts.ts';

/** What a module of the server owns: its `topic.ts` exports one, and `app/topics.ts` lists them all. */
export interface Topic {
  /** Handlers of operations, over the parts that they need by name. */
  readonly handlers?: (parts: never) => Partial<Handlers>;
  /** What it says to people: errors by their code, actions of the audit log as `accion_<action>`. */
  readonly texts?: Catalogue;
}
