/** Masks an e-mail address for users who have not proven yet that it is theirs, e.g. `m***@example.com`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1***');
}
