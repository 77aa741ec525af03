/** Words and what to say instead, both in lower case; empty: nothing can take their place without changing the sentence. `*` stands for any letters. */
export type Replacements = Readonly<Record<string, string>>;

/** The one name of a thing. */
export interface NameOfThing {
  readonly use: string;
  readonly not: Replacements;
  /** Phrases that say one of those words and mean something else. */
  readonly except?: readonly string[];
}

/** Minutes of each unit of time, by its word in lower case. */
export type Spans = Readonly<Record<string, number>>;

/** How texts of one language are written. */
export interface Wording {
  /** Most words of a sentence. */
  readonly longest: number;
  /** Words that not everybody understands at once. */
  readonly plain: Replacements;
  /** Other ways to speak to who reads. */
  readonly voice: Replacements;
  readonly names: readonly NameOfThing[];
  /** Words that blame who reads. */
  readonly blame: Replacements;
  /** Words of which an error says one at least, since it says what to do. */
  readonly advice: readonly string[];
  /** What sizes are counted in: "caracteres". */
  readonly units?: readonly string[];
  /** Words with which an agreement begins: "acepto". */
  readonly consent?: readonly string[];
  /** Words of a text that is still to be written: "a definir". */
  readonly unfinished?: readonly string[];
  /** Texts of links and buttons that do not say where they lead: "acá". */
  readonly vague?: readonly string[];
  /** Words that say that something went well, and that it went wrong. */
  readonly success?: readonly string[];
  readonly failure?: readonly string[];
  /** Words that say that a field may be left empty. */
  readonly optional?: readonly string[];
  /** Words of a label that asks for a date. */
  readonly dates?: readonly string[];
  /** By gender and number, the words that say it before a noun: ["el", "un"]. */
  readonly articles?: readonly (readonly string[])[];
  /** Words of a mail that announce a link: "este vínculo". */
  readonly links?: readonly string[];
  /** What the steps of a journey are called: "paso". */
  readonly steps?: readonly string[];
  /** Words behind which the end of a time stands: "hasta el". */
  readonly until?: readonly string[];
  /** Words behind which the name of a button stands in quotes: "tocá". */
  readonly press?: readonly string[];
  /** What times are said in: "horas". */
  readonly spans?: Spans;
  /** Words of other languages, which no text of this one says. */
  readonly foreign?: readonly string[];
  /** Words that are written as in the base language, without accents; absent: nothing is said of texts that are alike. */
  readonly same?: readonly string[];
  /** Wording that somebody else laid down, which stays as it is. */
  readonly quoted: readonly string[];
}

/** Texts by who reads them: people who use the portal, or those who work on it, who have other names for things. */
export type Readers = 'everybody' | 'staff';
