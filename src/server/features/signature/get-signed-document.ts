import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { dataUrl } from './data-url.ts';
import { signedName, statementName } from './statement.ts';

export function getSignedDocument({ store }: { store: Store }): Handler<'getSignedDocument'> {
  return async ({ params, origin: { language } }) => {
    const found = await store.db
      .selectFrom('signed_documents')
      .select(['form', 'statement', 'file', 'signed_at'])
      .where('citizen_id', '=', params['id'] ?? '')
      .executeTakeFirst();
    if (found === undefined) throw new OperationError(404, 'no_encontrado');
    const { form, statement, file, signed_at: at } = found;
    return {
      body: {
        documento:
          form === 'pdf'
            ? dataUrl(signedName(language, 'pdf'), 'application/pdf', file)
            : dataUrl(signedName(language, 'p7m'), 'application/pkcs7-mime', file),
        declaracion: form === 'pdf' ? null : dataUrl(statementName(language), 'application/pdf', statement),
        firmado: at.toISOString(),
      },
    };
  };
}
