/** What became of one request. `refused`: 429 or 503; `unreachable`: no answer, or the proxy's own 502. */
export type Outcome = 'answered' | 'refused' | 'unreachable' | 'failed';

/** One request, with its moments in milliseconds. */
export interface Request {
  readonly began: number;
  readonly ended: number;
  readonly outcome: Outcome;
  readonly what: string;
}

/** What a citizen wants once, however many requests it takes. */
export interface Act {
  readonly person: Person;
  /** As the audit log calls it. */
  readonly action: string;
  readonly began: number;
  /** The server itself does it once only; false: each attempt may do it again. */
  readonly once: boolean;
  attempts: number;
  /** The server has answered that it is done. */
  acknowledged: boolean;
}

/** A citizen, as far as answers of the server tell. A list has more than one entry while no answer has told which is true. */
export interface Person {
  readonly country: string;
  readonly type: string;
  readonly number: string;
  emails: readonly string[];
  passwords: readonly string[];
  id: string | null;
}

/** Something that must not be. */
export interface Finding {
  readonly kind: 'lost' | 'twice' | 'crossed' | 'error';
  readonly at: number;
  readonly what: string;
}

/** What clients have heard: written from answers alone, and compared with the database afterwards. */
export class Book {
  readonly people: Person[] = [];
  readonly acts: Act[] = [];
  readonly requests: Request[] = [];
  readonly findings: Finding[] = [];

  person(person: Omit<Person, 'id'>): Person {
    const added = { ...person, id: null };
    this.people.push(added);
    return added;
  }

  act(person: Person, action: string, { once }: { readonly once: boolean }): Act {
    const act: Act = { person, action, once, began: Date.now(), attempts: 0, acknowledged: false };
    this.acts.push(act);
    return act;
  }

  find(kind: Finding['kind'], what: string): void {
    this.findings.push({ kind, at: Date.now(), what });
  }
}
