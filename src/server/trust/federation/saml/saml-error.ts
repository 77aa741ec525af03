/** A rejected message. The user gets an error page, and the log the reason. */
export class SamlError extends Error {
  override readonly name = 'SamlError';
}
