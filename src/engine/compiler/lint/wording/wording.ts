/** Words and their replacements in lower case. An empty replacement means that the sentence has to be rewritten. `*` matches any letters. */
export type Replacements = Readonly<Record<string, string>>;

/** Preferred term for a thing. */
export interface NameOfThing {
  readonly use: string;
  readonly not: Replacements;
  /** Phrases in which these words have another meaning. */
  readonly except?: readonly string[];
}

/** Minutes by unit of time, in lower case. */
export type Spans = Readonly<Record<string, number>>;

/** Writing rules of one language. */
export interface Wording {
  /** Maximum number of words in a sentence. */
  readonly longest: number;
  /** Jargon, with plain replacements. */
  readonly plain: Replacements;
  /** Forms of address other than the project's. */
  readonly voice: Replacements;
  readonly names: readonly NameOfThing[];
  /** Words that blame the reader. */
  readonly blame: Replacements;
  /** Words of advice. An error message needs at least one. */
  readonly advice: readonly string[];
  /** Units of length limits: "caracteres". */
  readonly units?: readonly string[];
  /** Words that begin the label of a consent: "acepto". */
  readonly consent?: readonly string[];
  /** Words of unfinished texts: "a definir". */
  readonly unfinished?: readonly string[];
  /** Texts of links and buttons without a meaning out of context: "acá". */
  readonly vague?: readonly string[];
  /** Words of success messages, and of failure messages. */
  readonly success?: readonly string[];
  readonly failure?: readonly string[];
  /** Words for optional fields. */
  readonly optional?: readonly string[];
  /** Words in labels of date fields. */
  readonly dates?: readonly string[];
  /** Articles by gender and number: ["el", "un"]. */
  readonly articles?: readonly (readonly string[])[];
  /** Words in mails that announce a link: "este vínculo". */
  readonly links?: readonly string[];
  /** Words for the steps of a journey: "paso". */
  readonly steps?: readonly string[];
  /** Words before a deadline: "hasta el". */
  readonly until?: readonly string[];
  /** Words before the quoted name of a button: "tocá". */
  readonly press?: readonly string[];
  /** Units of durations: "horas". */
  readonly spans?: Spans;
  /** Words of other languages that texts must not contain. */
  readonly foreign?: readonly string[];
  /** Words that are spelled the same in the base language, without accents. Without it, identical translations are not reported. */
  readonly same?: readonly string[];
  /** Official wording, exempt from the rules. */
  readonly quoted: readonly string[];
}

/** Audience of a text: users of the portal, or staff, who use other terms. */
export type Readers = 'everybody' | 'staff';
