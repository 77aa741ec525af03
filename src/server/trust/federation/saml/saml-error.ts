/** A message that is refused: the reader gets a page, the log the reason. */
export class SamlError extends Error {
  override readonly name = 'SamlError';
}
