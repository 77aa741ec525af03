const groupLength = 4;

/** The secret (base32) of an otpauth address; null when it carries none. */
export function secretOf(address: string): string | null {
  const secret = readUrl(address)?.searchParams.get('secret') ?? '';
  return /^[A-Z2-7]+=*$/i.test(secret) ? secret : null;
}

// `URL.canParse` is newer than the supported browsers.
function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** A secret in groups, easier to read and type. */
export function groupsOf(secret: string): string {
  return (secret.match(new RegExp(`.{1,${groupLength}}`, 'g')) ?? []).join(' ');
}
