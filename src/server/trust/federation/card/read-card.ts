import { OperationError } from '../../../platform/base/errors.ts';
import { readDocument } from '../../../platform/base/document.ts';
import { mayAuthenticate, readCertificate, subjectDocument, type Refusal } from '../../certificates/certificate.ts';
import { findPath } from '../../certificates/path.ts';
import type { Trust } from '../../certificates/trust.ts';

/** Reasons why a card cannot sign in. Each is a text, `tarjeta_<reason>`. */
export type CardProblem = 'ausente' | 'desconocida' | 'vencida' | 'revocada' | 'pedido_vencido';

/** A card that cannot sign in. `problem` selects the text for its holder, and `message` is for the log. */
export class CardError extends Error {
  readonly problem: CardProblem;

  constructor(problem: CardProblem, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.problem = problem;
  }
}

const problems: Partial<Record<string, CardProblem>> = {
  certificado_no_vigente: 'vencida',
  certificado_revocado: 'revocada',
} satisfies Partial<Record<Refusal, CardProblem>>;

const longestCertificate = 8 * 1024;

/** Spellings of the national document number in card certificates: deployed cards use DNI, others CI or the form of ETSI EN 319 412-1. */
const nationalNumber = /^(?:CI|DNI|IDCUY|PNOUY)[ :-]*(\d[\d.-]{5,11})$/i;

/**
 * Reads the national document number from a card's certificate chain in DER, its own first. The TLS handshake has proved possession of the
 * key. Throws a `CardError` unless the certificate is a valid personal one for authentication, from a trusted CA that has not revoked it.
 */
export async function readCard(certificates: readonly Buffer[], trust: Trust, now: Date): Promise<string> {
  const [leaf, ...along] = certificates;
  if (leaf === undefined) throw new CardError('ausente', 'no certificate was shown');
  if (certificates.some(({ length }) => length > longestCertificate))
    throw new CardError('desconocida', 'a certificate is too long');
  try {
    const card = readCertificate(leaf);
    if (!mayAuthenticate(card)) throw new CardError('desconocida', 'the certificate is not for authentication');
    const path = findPath(card, along.map(readCertificate), trust.roots, now);
    await trust.checkRevocation(path, now);
    const { serialNumber = '', country = null } = subjectDocument(card) ?? {};
    const [, number] = nationalNumber.exec(serialNumber.trim()) ?? [];
    if (number === undefined || (country !== null && country.toUpperCase() !== 'UY'))
      throw new CardError('desconocida', 'the certificate names no national document');
    return readDocument(null, null, number.replace(/[.-]/g, '')).number;
  } catch (error) {
    if (error instanceof CardError) throw error;
    const reason = error instanceof OperationError ? error.code : 'the certificate cannot be read';
    throw new CardError(problems[reason] ?? 'desconocida', reason, { cause: error });
  }
}
