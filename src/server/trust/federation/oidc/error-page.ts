import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { Logger } from 'pino';
import { plainPage } from '../../../platform/http/html.ts';
import { acceptedLanguage } from '../../../platform/http/language.ts';
import { pagePolicy } from '../../../platform/http/security-headers.ts';
import { textOf } from '../../../platform/base/texts.ts';

/** Renders the page for an error that cannot be returned to the application. */
export type RenderError = (ctx: Omit<KoaContextWithOIDC, 'oidc'>, out: ErrorOut, error: unknown) => void;

/** Id of a request in the log. */
export function requestNumber(request: IncomingMessage & { readonly id?: unknown }): string {
  return typeof request.id === 'string' ? request.id : randomUUID();
}

/** The page shows the citizen a sentence and the request id. The log has the error under the same id, for the application's developer. */
export function errorRenderer(log: Logger): RenderError {
  return (ctx, out, error) => {
    const id = requestNumber(ctx.req);
    const isOurs = ctx.status >= 500 || out.error === 'temporarily_unavailable';
    log.info(
      { reqId: id, error: out.error, reason: out.error_description, detail: detailOf(error) },
      'an OpenID Connect request is refused',
    );
    const language = acceptedLanguage(ctx.get('accept-language'));
    const nonce = randomBytes(18).toString('base64');
    ctx.set('content-security-policy', pagePolicy({ nonce, hosts: [] }));
    ctx.type = 'html';
    ctx.body = plainPage({
      language,
      nonce,
      title: textOf('pedido_invalido', language),
      text: textOf(isOurs ? 'pedido_fallido_ayuda' : 'pedido_invalido_ayuda', language, { id }),
      links: [{ href: '/', text: textOf('volver_al_inicio', language) }],
    });
  };
}

/** Details that oidc-provider adds for the log, such as which client was not found. */
function detailOf(error: unknown): unknown {
  return error instanceof Error && 'error_detail' in error ? error.error_detail : undefined;
}
