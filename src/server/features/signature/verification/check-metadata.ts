import { isName, PdfError, PdfStream, type PdfValue } from './pdf-values.ts';

/** Checks XMP metadata: plain XML whose only title is the statement's, because viewers show it above the page. Throws a `PdfError`. */
export function checkMetadata(metadata: PdfValue | undefined, title: string): void {
  if (metadata === undefined) return;
  if (!(metadata instanceof PdfStream)) throw new PdfError('unknown metadata');
  const { dictionary, bytes } = metadata;
  const plain = [...dictionary.keys()].every((key) => ['Type', 'Subtype', 'Length'].includes(key));
  if (!plain || !isName(dictionary.get('Subtype'), 'XML')) throw new PdfError('unknown metadata');
  const titled =
    /<dc:title>\s*<rdf:Alt>\s*<rdf:li xml:lang="x-default">([^<&]*)<\/rdf:li>\s*<\/rdf:Alt>\s*<\/dc:title>/g;
  const rest = bytes.toString('utf8').replace(titled, (whole, found: string) => (found === title ? '' : whole));
  if (/title|<!|\0/i.test(rest)) throw new PdfError('another title');
}
