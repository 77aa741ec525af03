const wellFormed = /^[A-Za-z0-9._%+'-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,16}$/;
/** Longest address that a mail server takes. */
const longest = 254;

/** The e-mail address that a link carries as base64 or base64url, to be read; null when it is no well-formed address. */
export function decodeEmail(encoded: string): string | null {
  try {
    const email = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return email.length <= longest && wellFormed.test(email) ? email : null;
  } catch {
    return null; // whatever stands there, it is no base64
  }
}
