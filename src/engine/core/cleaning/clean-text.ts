/** Matches a run of too many combining marks (UAX #15, Stream-Safe Text Format). Normalizing it would take quadratic time. */
const longRun = /\p{M}{31}/u;

/** Normalizes a text to NFC, so that equal texts have equal code points. Returns a text with a long run of combining marks unchanged. */
export function normalizeToNfc(text: string): string {
  return longRun.test(text) ? text : text.normalize('NFC');
}

const plainTextPattern = /^[!-_a-~]*$/;
const invisiblePattern = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]+/gu;
const controlPattern = /(?![\t-\r\u0085])\p{Cc}/gu;
const lineEnd = /\r\n|[\n-\r\u0085\u2028\u2029]/g;
const blankPattern = /\r\n|[\s\u0085\u2800]/g;
const blankInLine = /(?!\n)[\s\u2800]/g;
const apostrophe = /[\u02b9\u02bb-\u02bd\u055a\u2018\u2019\u201b\u2032\u2035\ua78b\ua78c\uff07]/g;
/** Matches standalone accents that are used as an apostrophe. */
const accentAsApostrophe = /(\p{L})[`\u00b4\u02ca\u02cb](?=\p{L})/gu;

/** Canonical form: NFC, trimmed, no invisible or control characters, plain spaces and apostrophes. `lines` keeps line breaks as `\n`. Idempotent. */
export function cleanText(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  if (plainTextPattern.test(text)) return text;
  const composed = normalizeToNfc(
    text.replace(controlPattern, '').replace(invisiblePattern, selectSignificantCharacters),
  );
  const spaced = lines
    ? composed.replace(lineEnd, '\n').replace(blankInLine, ' ')
    : composed.replace(blankPattern, ' ');
  return spaced.replace(apostrophe, "'").replace(accentAsApostrophe, "$1'").trim();
}

/** Maximum length of a text that is cleaned as a code, in UTF-16 units. Codes have ten characters, and folding long texts is slow. */
const longestCode = 200;

/** Converts a typed code to its issued form: capitals and digits, without blanks and hyphens. */
export function normalizeTypedCode(text: string): string {
  if (text.length > longestCode) return text;
  const folded = longRun.test(text) ? text : text.normalize('NFKC');
  return cleanText(
    cleanText(folded)
      .replace(/[\s\p{Dash}]/gu, '')
      .toUpperCase(),
  );
}

const joiningScripts =
  /^(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** Viramas, after which a joiner determines the shape of the previous letter, even at the end of a word. */
const virama = /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;
const pictograph = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})/u;

/** Keeps joiners that distinguish words in Persian and Indic scripts (UAX #31, section 2.3), and those of emoji. */
function selectSignificantCharacters(run: string, offset: number, text: string): string {
  const before = codePointBefore(text, offset);
  const after = text.slice(offset + run.length, offset + run.length + 2);
  const variant = /[\ufe0e\ufe0f]/.exec(run)?.[0] ?? '';
  if (after.startsWith('\u20e3')) return variant;
  if (pictograph.test(before)) {
    const tags = before === '\u{1f3f4}' ? (/[\u{e0020}-\u{e007e}]+\u{e007f}/u.exec(run)?.[0] ?? '') : '';
    return variant + tags + (pictograph.test(after) && run.includes('\u200d') ? '\u200d' : '');
  }
  const joiner = /[\u200c\u200d]/.exec(run)?.[0] ?? '';
  const isKept = joiningScripts.test(before) && (joiningScripts.test(after) || virama.test(before));
  return isKept ? joiner : '';
}

function codePointBefore(text: string, offset: number): string {
  const pair = text.slice(Math.max(0, offset - 2), offset);
  return (pair.codePointAt(0) ?? 0) > 0xffff ? pair : pair.slice(-1);
}
