/** Facts about a refusal that the log holds beside its code. None of them is personal data. */
export interface RefusalFacts {
  /** Code of the answer, for errors that have none. */
  readonly code?: string | undefined;
  /** Step of a sign-in, identity provider, or endpoint that refused. */
  readonly step?: string;
  /** Id of the application that the operation was for. */
  readonly client?: string | undefined;
  /** Id of the account, which is its pseudonym. */
  readonly account?: string | null;
  /** What the caller is not told. */
  readonly reason?: string | undefined;
}

const noted = new WeakMap<object, RefusalFacts>();

/** Adds facts to an error, or to the request that it refused, and returns it. Facts that were added before win. */
export function explain<Subject extends object>(subject: Subject, facts: RefusalFacts): Subject {
  noted.set(subject, { ...facts, ...noted.get(subject) });
  return subject;
}

/** Adds the facts of an error, or of an answer that stands for one, to another object. */
export function passFacts<Subject extends object>(from: unknown, to: Subject): Subject {
  const facts = factsOf(from);
  return facts === undefined ? to : explain(to, facts);
}

/** Facts of an error or of a request. Returns `undefined` if there are none. */
export function factsOf(subject: unknown): RefusalFacts | undefined {
  return typeof subject === 'object' && subject !== null ? noted.get(subject) : undefined;
}
