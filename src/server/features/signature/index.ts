import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import statementTexts from './statement.json' with { type: 'json' };
import { secondsPerDay, fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import { defineAttemptLimits, allowAttemptsPerHour } from '../../platform/modules/attempt-limits.ts';
import {
  prepareSignature,
  buildDataUrl,
  buildStatementUrl,
  encryptSignatureRequest,
  assertCanRaiseLevelBySignature,
  submitSignature,
} from './signature-requests.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { createPurgeRule } from '../../platform/modules/table-descriptions.ts';
import { createAccountReadHandler, type ResponseBodyHandler } from '../handler-context.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';

export const serverModule = {
  handlers: () => ({ requestSignature, prepareSignature, submitSignature, getSignedDocument }),
  texts,
  limits: defineAttemptLimits({
    signature: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(20) },
  }),
  tables: {
    signature_requests: {
      data: 'Unsigned statement with name and document',
      why: 'Raising the level by digital signature',
      readers: ['citizen'],
      restored: 'deleted',
      retention: createPurgeRule(
        'expires_at',
        fixedRetentionPeriods.signatureRecordDays * secondsPerDay,
        'horas_declaraciones',
      ),
    },
    signed_documents: {
      data: 'Signed statement with name and document, and the certificate of the signer',
      why: 'Evidence for the level',
      readers: ['citizen'],
      retention: 'until the account is deleted',
    },
  },
} as const satisfies ServerModule;

declare module '../../platform/database/schema.ts' {
  interface Database {
    signature_requests: {
      nonce: string;
      citizen_id: string;
      /** The PDF to sign (base64). */
      statement: string;
      expires_at: Date;
      used_at: Date | null;
    };
    /** The signed statement that raised a citizen's level. */
    signed_documents: {
      citizen_id: string;
      /** `pdf`: the file contains the signature. `cms`: the file is the signature. */
      form: 'pdf' | 'cms';
      /** The statement without a signature (base64). */
      statement: string;
      /** The file that the citizen submitted (base64). */
      file: string;
      certificate_serial: string;
      certificate_issuer: string;
      certificate_fingerprint: string;
      signed_at: Date;
    };
  }
}

const getSignedDocument: ResponseBodyHandler<'getSignedDocument'> = async (
  { store },
  { params, origin: { language } },
) => {
  const found = await store.db
    .selectFrom('signed_documents')
    .select(['form', 'statement', 'file', 'signed_at'])
    .where('citizen_id', '=', params['id'] ?? '')
    .executeTakeFirst();
  if (found === undefined) throw new OperationError(404, 'no_encontrado');
  const { form, statement, file, signed_at: at } = found;
  const [extension, type] = form === 'pdf' ? ['pdf', 'application/pdf'] : ['p7m', 'application/pkcs7-mime'];
  return {
    documento: buildDataUrl(`${statementTexts[language].signed}.${extension}`, type, file),
    declaracion: form === 'pdf' ? null : buildStatementUrl(language, statement),
    firmado: at.toISOString(),
  };
};

/**
 * Returns the URL where a citizen signs: the portal's signature page with an encrypted request, or the external platform at DSS_URL with the
 * request as `state` and the signature page as `return_url`. Only a file that the citizen submits on the signature page raises the level. Stores
 * nothing.
 */
const requestSignature = createAccountReadHandler<'requestSignature'>(
  async ({ citizen, sessionId }, _request, { clock, config, vault, trust }) => {
    assertCanRaiseLevelBySignature(citizen);
    if (trust.roots.length === 0) throw new OperationError(503, 'firma_no_disponible');
    const uuid = encryptSignatureRequest(vault, { citizenId: citizen.id, sessionId, at: clock.now() });
    const page = buildHref(redirectOnlyPagePaths.sign, { uuid });
    if (config.signature.platform === null) return { url: page };
    const platform = new URL(config.signature.platform);
    platform.searchParams.set('state', uuid);
    platform.searchParams.set('return_url', config.baseUrl + page);
    return { url: platform.href };
  },
);
