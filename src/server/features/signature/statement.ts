import type { Language } from '../../../contract/portal-config.ts';
import { writtenCountry } from '../../../contract/written/country.ts';
import { writtenDocumentType } from '../../../contract/written/document-type.ts';
import { fill } from '../../../engine/core/messages.ts';
import { readableTime } from '../../platform/mail/templates.ts';
import { fullName, type Citizen } from '../../trust/identity/citizens.ts';
import texts from './statement.json' with { type: 'json' };
import { writePdf } from './write-pdf.ts';

export interface StatementParts {
  readonly citizen: Citizen;
  readonly product: string;
  /** Random text that makes each statement unique. */
  readonly nonce: string;
  readonly at: Date;
  readonly language: Language;
}

/** Creates the PDF that a citizen signs: name, document, date, declaration and nonce. */
export function writeStatement({ citizen, product, nonce, at, language }: StatementParts): Buffer {
  const { title, paragraphs } = texts[language];
  const values = {
    name: fullName(citizen),
    document: `${writtenDocumentType(citizen.type, citizen.type_name, language)} ${citizen.number} (${writtenCountry(citizen.country, citizen.country_name, language)})`,
    product,
    date: readableTime(at, language),
    nonce,
  };
  return writePdf({ language, title, paragraphs: paragraphs.map((paragraph) => fill(paragraph, values)) });
}

export function statementName(language: Language): string {
  return `${texts[language].file}.pdf`;
}

/** Returns the file name of a signed statement. `extension` has no dot. */
export function signedName(language: Language, extension: string): string {
  return `${texts[language].signed}.${extension}`;
}

export function dataUrl(name: string, type: string, base64: string): string {
  return `data:${type};name=${encodeURIComponent(name)};base64,${base64}`;
}

/** Decodes a data URL whose form the screen has checked. */
export function decodeBytes(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
