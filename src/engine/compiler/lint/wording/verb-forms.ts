import { removeAccents } from './words.ts';

/** Where a form is wrong. In other places, it may be another word or person: "firma", "que ingrese". */
type VerbPosition = 'own' | 'anywhere' | 'order' | 'formal' | 'clause' | 'reader';

/** Replacements of endings, by ending of the infinitive. */
type Endings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Regular verbs of a language, and the endings that texts must not use: of another person, or without their accent. */
export interface VerbRules {
  /** Infinitives of verbs with which texts give orders. */
  readonly orders: readonly string[];
  /** Infinitives of all other verbs, whose third person begins sentences. */
  readonly others: readonly string[];
  readonly endings: Readonly<Record<VerbPosition, Endings>>;
  /** Vowels that change in some forms of a verb, with those of its infinitive, e.g. ["ue", "o"]. */
  readonly stems: readonly (readonly [changed: string, original: string])[];
  /** Forms that are also nouns or adjectives, unless one of the `determiners` follows. */
  readonly nouns: readonly string[];
  readonly determiners: readonly string[];
  /** Forms that are also words of another kind. */
  readonly except: readonly string[];
  /** Words after which a noun never follows, e.g. "si". */
  readonly clauses: readonly string[];
  /** Words at the beginning of a sentence in which an order follows a comma, e.g. "para". */
  readonly openers: readonly string[];
  /** Words that join an order with another one, e.g. "y". */
  readonly joins: readonly string[];
  /** Words that show that the verb is in the first person, e.g. "mi". */
  readonly own: readonly string[];
  /** Pronouns that are added to an order, e.g. "lo". */
  readonly pronouns: readonly string[];
  readonly reader: ReaderRules;
}

/** Words that show that a verb in the third person addresses the reader formally, as in "La encuentra en su constancia". */
interface ReaderRules {
  /** Infinitives whose subject is usually a person. */
  readonly verbs: readonly string[];
  /** Pronouns between the beginning of a sentence and the verb, e.g. "la". */
  readonly objects: readonly string[];
  /** Words after a verb and its pronoun that do not begin a subject, e.g. "en". */
  readonly adjuncts: readonly string[];
  /** Words that begin a condition, e.g. "si". */
  readonly conditions: readonly string[];
  /** Words that begin a subject, e.g. "el". */
  readonly subjects: readonly string[];
  /** Possessives of the third person with those of the second. */
  readonly possessives: Readonly<Record<string, string>>;
}

interface VerbFault {
  readonly word: string;
  readonly at: number;
  readonly instead: string;
  /** Whether the word differs only in its accents. */
  readonly isAccent: boolean;
}

const sentenceEnd = /[.:!?…»”*)]\s+|[¿¡«“(*]/u;

const accentedVowels = Array.from('aeiou', (vowel) => `${vowel}\u0301`.normalize()).join('');

/** Returns a function that finds forms of verbs in the wrong person or without their accent. */
export function createVerbFinder(rules: VerbRules): (text: string) => readonly VerbFault[] {
  const forms = indexForms(rules);
  const orders = new Set(forms.get('order')?.values());
  const known = new Set([...forms.values()].flatMap((own) => [...own.keys()]));
  const isAtStart = (words: readonly string[]) => new RegExp(String.raw`^(?:${words.join('|')})(?!\p{L})`, 'iu');
  const [isDetermined, isOwn, opens] = [rules.determiners, rules.own, rules.openers].map(isAtStart);
  const joined = new RegExp(String.raw`(?<!\p{L})(?:${rules.joins.join('|')}) $`, 'iu');
  const relative = new RegExp(String.raw`(?<!\p{L})(?:${rules.clauses.join('|')}|que)(?!\p{L})`, 'iu');
  const clause = new RegExp(String.raw`(?<!\p{L})(?:${rules.clauses.join('|')}) $`, 'iu');
  const enclitic = new RegExp(String.raw`^(\p{L}*[${accentedVowels}]\p{L}*[ae])(${rules.pronouns.join('|')})$`, 'u');
  const possessives = new RegExp(
    String.raw`(?<!\p{L})(?:${Object.keys(rules.reader.possessives).join('|')})(?!\p{L})`,
    'giu',
  );
  const negation = /(?<!\p{L})no $/iu;
  const isOrder = (before: string): boolean => {
    const sentence = before.split(sentenceEnd).at(-1) ?? ''; // U+FFFC masks a placeholder
    const [first = ''] = /\p{L}+/u.exec(sentence) ?? [];
    const isBesideOrder = joined.test(sentence) && orders.has(first.toLowerCase()) && !relative.test(sentence);
    return /^[^\p{L}\uFFFC]*$/u.test(sentence) || (opens?.test(sentence) && /, $/.test(sentence)) || isBesideOrder;
  };
  const isReader = createReaderCheck(rules.reader);
  const findInstead = (word: string, before: string, after: string): string | undefined => {
    const find = (position: VerbPosition) => forms.get(position)?.get(word);
    const [own, anywhere, order, formal] = [find('own'), find('anywhere'), find('order'), find('formal')];
    if (own !== undefined && isOwn?.test(after)) return own;
    if (anywhere !== undefined) return anywhere;
    const ofReader = find('reader');
    if (ofReader !== undefined && isReader(before, after)) return ofReader;
    const isVerb = !rules.nouns.includes(word) || isDetermined?.test(after);
    if (order !== undefined && isVerb && isOrder(before)) return order;
    if (formal !== undefined && isVerb && negation.test(before) && isOrder(before.replace(negation, '')))
      return `${word}s`;
    if (formal !== undefined && isVerb && (isOrder(before) || /, $/.test(before))) return formal;
    const [, imperative = '', pronoun = ''] = enclitic.exec(word) ?? [];
    const bare = removeAccents(imperative);
    const withPronoun = forms.get('order')?.get(bare) ?? forms.get('formal')?.get(bare);
    if (withPronoun !== undefined) return `${removeAccents(withPronoun)}${pronoun}`;
    return clause.test(before) ? find('clause') : undefined;
  };
  return (text) =>
    [...text.matchAll(/(?<![\p{L}\d._-])\p{L}+(?![\p{L}\d_-]|\.\p{L})/gu)].flatMap(({ 0: word, index: at }) => {
      const own = word.toLowerCase();
      if (!known.has(own) && !enclitic.test(own)) return [];
      const instead = findInstead(own, text.slice(0, at), text.slice(at + word.length).replace(/^ /, ''));
      if (instead === undefined) return [];
      const isAccent = removeAccents(own) === removeAccents(instead);
      if (forms.get('reader')?.get(own) !== instead) return [{ word, at, instead, isAccent }];
      const [sentence = ''] = /^[^.:;!?…]*/u.exec(text.slice(at + word.length)) ?? [];
      const { 0: possessive = '', index = 0 } = [...sentence.matchAll(possessives)].at(-1) ?? {};
      const rest = sentence.slice(0, index + possessive.length);
      const ofReader = rest.replace(possessives, (one) => rules.reader.possessives[one.toLowerCase()] ?? one);
      return [{ word: `${word}${rest}`, at, instead: `${instead}${ofReader}`, isAccent }];
    });
}

/** Creates a predicate for the place of a verb without a subject: after a pronoun at the beginning of a sentence, or in a condition. */
function createReaderCheck({ objects, adjuncts, conditions, subjects }: ReaderRules) {
  const [object, adjunct, condition, subject] = [objects, adjuncts, conditions, subjects].map((words) =>
    words.join('|'),
  );
  const startsCondition = new RegExp(String.raw`^\P{L}*(?:${condition}) `, 'iu');
  const afterCondition = new RegExp(String.raw`^\P{L}*(?:${condition}) (?:no )?$`, 'iu');
  const afterObject = new RegExp(String.raw`^\P{L}*(?:(?:${condition}) )?(?:no )?(?:${object}) $`, 'iu');
  const beforeAdjunct = new RegExp(String.raw`^(?:\p{L}+[aei]r)? ?(?:[.,;:]|$|(?:${adjunct})(?!\p{L}))`, 'iu');
  const isSubject = new RegExp(String.raw`^\P{L}*(?:${subject})(?!\p{L})`, 'iu');
  return (before: string, after: string): boolean => {
    const [sentence = '', previous = ''] = before.split(sentenceEnd).reverse();
    const hasObject = afterObject.test(sentence) && beforeAdjunct.test(after);
    if (isSubject.test(previous) || !(hasObject || afterCondition.test(sentence))) return false;
    const [, main = ''] = /^[^.:;!?…,]*,([^]*)/u.exec(after) ?? [];
    return !(startsCondition.test(sentence) && isSubject.test(main));
  };
}

/** Returns the wrong forms of all verbs by position, with their replacements. */
function indexForms({ orders, others, reader, endings, stems, except }: VerbRules) {
  return new Map(
    (Object.keys(endings) as VerbPosition[]).map((position) => {
      const isOfOrders = position === 'order' || position === 'formal';
      const infinitives = position === 'reader' ? reader.verbs : isOfOrders ? orders : [...orders, ...others];
      const forms = infinitives.flatMap((infinitive) =>
        Object.entries(endings[position]).flatMap(([ending, replacements]) => {
          if (!infinitive.endsWith(ending)) return [];
          const stem = infinitive.slice(0, -ending.length);
          const changed = stems.map(([vowel, original]) => replaceLast(stem, original, vowel));
          return Object.entries(replacements).flatMap(([wrong, right]) =>
            [stem, ...changed].map((own) => [`${own}${wrong}`, `${stem}${right}`] as const),
          );
        }),
      );
      return [position, new Map(forms.filter(([form]) => !except.includes(form)))] as const; // cast above: the file was validated against its format
    }),
  );
}

function replaceLast(text: string, part: string, instead: string): string {
  const at = text.lastIndexOf(part);
  return at < 0 ? text : text.slice(0, at) + instead + text.slice(at + part.length);
}
