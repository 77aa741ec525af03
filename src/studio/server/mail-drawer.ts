import { formatDateTimeInWords } from '../../contract/format/dates.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import type { Language } from '../../contract/portal-config.ts';
import { inlineMailLogo, readMailLogo, renderMail } from '../../server/platform/mail/render-mail.ts';
import {
  studioPaths,
  type DrawMailAnswer,
  type DrawMailRequest,
  type StudioDocument,
  type VersionedFile,
} from '../studio-data.ts';
import { applyFileChanges, areWritableFiles, computeFileVersion, readVersionedFile } from './definition-files.ts';
import { listDocumentFiles, listDocuments } from './documents.ts';
import samples from './mail-samples.json' with { type: 'json' };

/** Maximum number of rendered mails in memory. Pages may still be loading older ones. */
const maxMails = 50;

const sampleTime = new Date('2026-12-01T13:30:00Z');

interface MailSite {
  readonly product: string;
  readonly origin: string;
}

/** Renders mails with unsaved changes and sample values. */
export class MailDrawer {
  readonly #root: string;
  readonly #mails = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  async draw({ mail, language, changes }: DrawMailRequest, site: MailSite): Promise<DrawMailAnswer> {
    if (!(await areWritableFiles(this.#root, changes))) return { outcome: 'refused', reason: 'file' };
    const before = await Promise.all(changes.map(({ file }) => readVersionedFile(this.#root, file)));
    const after = applyFileChanges(changes, before);
    if (typeof after === 'string') return { outcome: 'refused', reason: after };
    const names = (await listDocumentFiles(this.#root)).filter((file) => !after.some((own) => own.file === file));
    const files = [...(await Promise.all(names.map((file) => readVersionedFile(this.#root, file)))), ...after];
    const byName = Object.fromEntries(files.map((file) => [file.file, file]));
    const documents = listDocuments(byName);
    const own = documents.find(({ kind, name }) => kind === 'mail' && name === mail);
    if (!own) return { outcome: 'refused', reason: 'unknown' };
    const { subject, html } = renderMail(composeSource(own, { documents, files: byName, language }), {
      language,
      values: createSampleValues(language, site),
      authentic: `${site.origin}${pagePaths.authentic}`,
    });
    const whole = inlineMailLogo(html, await readMailLogo());
    const url = `${studioPaths.drawMail}/${computeFileVersion(whole)}`;
    this.#mails.set(url, whole);
    const [oldest] = this.#mails.keys();
    if (this.#mails.size > maxMails && oldest !== undefined) this.#mails.delete(oldest);
    return { outcome: 'drawn', url, subject };
  }

  html(url: string): string | undefined {
    return this.#mails.get(url);
  }
}

interface MailSources {
  readonly documents: readonly StudioDocument[];
  readonly files: Readonly<Record<string, VersionedFile>>;
  readonly language: Language;
}

/** Returns the source text of a mail. The texts of an entry of a table replace placeholders of its template. */
function composeSource(mail: StudioDocument, { documents, files, language }: MailSources): string {
  const template = documents.find(({ name }) => name === (mail.template ?? mail.name));
  const text = files[template?.files[language] ?? '']?.text ?? '';
  return mail.texts.reduce(
    (whole, { pointer, texts }) => whole.replace(`{{${pointer.split('/').at(-1)}}}`, () => texts[language] ?? ''),
    text,
  );
}

export function createSampleValues(
  language: Language,
  { product, origin }: MailSite,
): Readonly<Record<string, string>> {
  const time = formatDateTimeInWords(sampleTime, language);
  return {
    ...samples.same,
    ...samples[language],
    ...Object.fromEntries(Object.entries(samples.paths).map(([name, path]) => [name, origin + path])),
    product,
    when: time,
    from: time,
    expires: time,
  };
}
