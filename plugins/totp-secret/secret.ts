const groupLength = 4;

/** Returns the base32 secret of an `otpauth:` URL, or `null` if it has none. */
export function readSecret(address: string): string | null {
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

export function groupCharacters(secret: string): string {
  return (secret.match(new RegExp(`.{1,${groupLength}}`, 'g')) ?? []).join(' ');
}
