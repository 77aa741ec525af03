/** Maximum number of texts in memory. More than one, because pages may still be loading earlier ones. */
const maxTexts = 50;

/** Map of texts by URL that keeps only the texts that were set last. */
export class BoundedTextMap extends Map<string, string> {
  override set(url: string, text: string): this {
    this.delete(url); // moves a text that is set again to the end
    super.set(url, text);
    const [oldest] = this.keys();
    if (this.size > maxTexts && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
