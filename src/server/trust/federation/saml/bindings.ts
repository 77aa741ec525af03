import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { messageBounds } from '../xml/bound-xml.ts';
import { SamlError } from './saml-error.ts';

/** Longest message, in bytes of XML. Base64 adds a third, and the rest of the allowance is for the line breaks that some libraries insert. */
const longest = messageBounds.length;
const longestInBase64 = Math.ceil(longest * 1.5);

/** Decodes a message of the redirect binding. Throws a `SamlError`. */
export function inflate(text: string): string {
  const bytes = decodeBase64(text);
  try {
    return inflateRawSync(bytes, { maxOutputLength: longest }).toString('utf8');
  } catch {
    throw new SamlError('the message cannot be inflated, or is too long');
  }
}

export function deflate(xml: string): string {
  return deflateRawSync(Buffer.from(xml)).toString('base64');
}

/** Decodes a message of the POST binding. Throws a `SamlError`. */
export function decodeBase64Text(text: string): string {
  return decodeBase64(text).toString('utf8');
}

function decodeBase64(text: string): Buffer {
  if (text.length > longestInBase64) throw new SamlError('the message is too long');
  const clean = text.replace(/\s+/g, '');
  if (clean === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(clean)) throw new SamlError('the message is not in base64');
  return Buffer.from(clean, 'base64');
}
