/** An e-mail address as those may see it who only begin to prove that it is theirs, e.g. `m***@example.com`. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/, '$1***');
}
