import { listFiles } from '../../cli/project.ts';
import { formatDateInWords } from '../../contract/format/date-in-words.ts';
import { formatDateTimeInWords, toUruguayIsoDate } from '../../contract/format/dates.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import type { Language } from '../../contract/portal-config.ts';
import { mapValues } from '../../engine/core/json.ts';
import { inlineMailLogo, readMailLogo, renderMail } from '../../server/platform/mail/render-mail.ts';
import { studioPaths, type MailPreviewResponse, type MailPreviewRequest } from '../studio-api-types.ts';
import { BoundedTextMap } from './bounded-text-map.ts';
import { applyChangesToCurrentFiles, computeFileVersion, readVersionedFile } from './definition-files.ts';
import { isMailFile, listMailsAndHelpPages } from './list-mails-and-help-pages.ts';
import samples from './mail-samples.json' with { type: 'json' };

const sampleTime = new Date('2026-12-01T13:30:00Z');

interface MailSite {
  readonly product: string;
  readonly origin: string;
}

export function createMailPreviewer(root: string) {
  const mails = new BoundedTextMap();
  type Draw = (request: MailPreviewRequest, site: MailSite) => Promise<MailPreviewResponse>;
  const draw: Draw = async ({ mail, language, changes }, site) => {
    const after = await applyChangesToCurrentFiles(root, changes);
    if (typeof after === 'string') return { outcome: 'refused', reason: after };
    const isUnchanged = (path: string): boolean => !after.some(({ file }) => file === path);
    const names = await listFiles(root, ['src/server'], (path) => isMailFile(path) && isUnchanged(path));
    const files = [...(await Promise.all(names.map((file) => readVersionedFile(root, file)))), ...after];
    const byName = Object.fromEntries(files.map((file) => [file.file, file]));
    const documents = listMailsAndHelpPages(byName);
    const own = documents.find(({ kind, name }) => kind === 'mail' && name === mail);
    if (!own) return { outcome: 'refused', reason: 'unknown' };
    const template = documents.find(({ name }) => name === (own.template ?? own.name));
    // The texts of an entry of a table replace placeholders of its template.
    const source = own.texts.reduce(
      (text, { pointer, texts }) => text.replace(`{{${pointer.split('/').at(-1)}}}`, () => texts[language] ?? ''),
      byName[template?.files[language] ?? '']?.text ?? '',
    );
    const { subject, html } = renderMail(source, {
      language,
      values: createSampleValues(language, site),
      authentic: `${site.origin}${pagePaths.authentic}`,
    });
    const whole = inlineMailLogo(html, await readMailLogo());
    const url = `${studioPaths.drawMail}/${computeFileVersion(whole)}`;
    mails.set(url, whole);
    return { outcome: 'drawn', url, subject };
  };
  return { draw, getHtml: (url: string) => mails.get(url) };
}

function createSampleValues(language: Language, { product, origin }: MailSite): Readonly<Record<string, string>> {
  const time = formatDateTimeInWords(sampleTime, language, sampleTime);
  return {
    ...samples.same,
    ...samples[language],
    ...mapValues(samples.paths, (path) => origin + path),
    product,
    when: time,
    from: time,
    expires: time,
    day: time,
    due: formatDateInWords(toUruguayIsoDate(sampleTime), language),
  };
}
