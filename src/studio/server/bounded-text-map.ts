/** Maximum number of texts in memory. More than one, because pages may still be loading earlier ones. */
const maxTexts = 50;

/** Map of the latest texts by URL. */
export class BoundedTextMap extends Map<string, string> {
  override set(url: string, text: string): this {
    super.set(url, text);
    const [oldest] = this.keys();
    if (this.size > maxTexts && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
