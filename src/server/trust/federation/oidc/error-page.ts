import { randomBytes } from 'node:crypto';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { plainPage } from '../../../platform/http/html.ts';
import { acceptedLanguage } from '../../../platform/http/language.ts';
import { pagePolicy } from '../../../platform/http/security-headers.ts';
import { textOf } from '../../../platform/base/texts.ts';

/** The page of a request that cannot be answered to its application: in the reader's language, the error's code for its developer. */
export function renderError(ctx: Omit<KoaContextWithOIDC, 'oidc'>, out: ErrorOut): void {
  const language = acceptedLanguage(ctx.get('accept-language'));
  const nonce = randomBytes(18).toString('base64');
  ctx.set('content-security-policy', pagePolicy({ nonce, hosts: [] }));
  ctx.type = 'html';
  ctx.body = plainPage({
    language,
    nonce,
    title: textOf('pedido_invalido', language),
    text: `${textOf('pedido_invalido_ayuda', language)} (${out.error}: ${out.error_description ?? ''})`,
    links: [{ href: '/', text: textOf('volver_al_inicio', language) }],
  });
}
