/** Outcome of a request. `refused` is a 429 or 503. `unreachable` means no response, or a 502 of the load balancer. */
export type Outcome = 'answered' | 'refused' | 'unreachable' | 'failed';

/** A request. Times are in milliseconds. */
export interface Request {
  readonly began: number;
  readonly ended: number;
  readonly outcome: Outcome;
  readonly what: string;
}

/** An action that a citizen wants to happen once, regardless of the number of requests. */
export interface CitizenAction {
  readonly person: Person;
  /** Name of the action in the audit log. */
  readonly action: string;
  readonly began: number;
  /** Whether the server performs the action at most once. Otherwise each attempt may repeat it. */
  readonly once: boolean;
  attempts: number;
  /** Whether the server has confirmed the action. */
  acknowledged: boolean;
}

/**
 * Expected state of a citizen, derived from responses. A list has several values if a lost response leaves open which
 * is current.
 */
export interface Person {
  readonly country: string;
  readonly type: string;
  readonly number: string;
  emails: readonly string[];
  passwords: readonly string[];
  id: string | null;
}

/** A violated invariant of the system. */
export interface Finding {
  readonly kind: 'lost' | 'twice' | 'crossed' | 'error';
  readonly at: number;
  readonly what: string;
}

/** Log of the responses that clients received. After a run, it is compared with the database. */
export class ResponseLog {
  readonly people: Person[] = [];
  readonly acts: CitizenAction[] = [];
  readonly requests: Request[] = [];
  readonly findings: Finding[] = [];

  person(person: Omit<Person, 'id'>): Person {
    const added = { ...person, id: null };
    this.people.push(added);
    return added;
  }

  act(person: Person, action: string, { once }: { readonly once: boolean }): CitizenAction {
    const act: CitizenAction = { person, action, once, began: Date.now(), attempts: 0, acknowledged: false };
    this.acts.push(act);
    return act;
  }

  find(kind: Finding['kind'], what: string): void {
    this.findings.push({ kind, at: Date.now(), what });
  }
}
